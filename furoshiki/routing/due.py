"""Is there anything to learn of how messages were answered?

Each question returns the reason to run, or None. Only the standard library and the storage are imported here.
"""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse
from furoshiki.llm.store import waits
from furoshiki.messages.store import turns
from furoshiki.routing.rules.changes import LEAST_DECISIONS, WEEK
from furoshiki.routing.store import changes, judgements

DAILY = timedelta(hours=20)
"""Between two looks at the router's numbers, and between two looks back on its decisions, lies at least so long: the
hour of the day may differ."""

QUIET = timedelta(minutes=30)
"""How long the owner must have said nothing before decisions are looked back on."""

LATEST = timedelta(hours=6)
"""After so long it waits for the next conversation: a day on which nobody writes costs nothing."""

LEAST_REFLECTED = 5
"""Fewer decisions that nobody looked back on are left for another day."""

REGULATED_AT = "routing.regulated_at"
"""In `kv`: when the router's numbers were last looked at …"""

REFLECTED_AT = "routing.reflected_at"
"""… when somebody was last asked about its decisions …"""

WRITTEN = "routing.written_version"
"""… and which version of its numbers stands in the file it reads."""

PINNED = "routing.pinned"
"""In `kv`: since when the owner wants the router's numbers left as they are."""

REFLECTION = "routing_reflection"
"""The purpose of the question by which decisions are looked back on."""


def regulate(db: sqlite3.Connection, now: datetime) -> str | None:
    """The router's file is not what was decided; or a day has passed, and messages were answered in it."""
    if changes.version(db) != int(kv.get(db, WRITTEN, 0)):
        return "the router's numbers are decided and not written yet"
    return "messages were answered since the last look" if look(db, now) else None


def look(db: sqlite3.Connection, now: datetime) -> bool:
    """Whether the router's numbers are looked at again: a day has passed, something was answered in it, and enough in a
    week; never while the owner wants them left as they are."""
    last = _moment(db, REGULATED_AT)
    if kv.get(db, PINNED) is not None:
        return False
    if last is not None and (now - last < DAILY or not judgements.made_since(db, last, 1)):
        return False
    return judgements.made_since(db, now - WEEK, LEAST_DECISIONS) >= LEAST_DECISIONS


def reflect(db: sqlite3.Connection, now: datetime) -> str | None:
    """The owner is quiet, talked not long ago, and enough was decided that nobody looked back on."""
    last, heard = _moment(db, REFLECTED_AT), turns.newest_heard(db)
    if heard is None or not QUIET <= now - heard[1] <= LATEST:
        return None
    if (last is not None and now - last < DAILY) or waits.of(db, REFLECTION, now) is not None:
        return None
    open_ = len(judgements.open_since(db, now - WEEK, LEAST_REFLECTED))
    return "nobody has looked back on how messages were answered" if open_ >= LEAST_REFLECTED else None


def _moment(db: sqlite3.Connection, key: str) -> datetime | None:
    found = kv.get(db, key)
    return None if found is None else parse(found)
