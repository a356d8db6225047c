"""Changes of settings that wait for their owner's yes in Telegram: valid for a day, answered once.

An answer is stored with its inbox row, so that the same press after a crash gets the same answer.
"""

import sqlite3
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta

from furoshiki.core import json_values
from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse

OPEN = timedelta(hours=24)  # how long a yes is accepted

_PREFIX = "setting-asked."


@dataclass(frozen=True)
class Asked:
    """A requested change. `plugin` owns the setting, "" for the program's own; `value` None resets
    it; `mark` represents the previous value; `sender` may answer, in `chat_id`; `answered` is the
    answer's inbox row, 0 for none."""

    token: str
    name: str
    value: str | None
    mark: str
    chat_id: str
    sender: str
    at: str
    plugin: str = ""
    answered: int = 0


def keep(db: sqlite3.Connection, change: Asked, now: datetime) -> None:
    """Store a requested change."""
    kv.put(db, _PREFIX + change.token, asdict(change), now)


def get(db: sqlite3.Connection, token: str, now: datetime) -> Asked | None:
    """Return the change of a token; None after a day."""
    stored_change = kv.get(db, _PREFIX + token)
    if stored_change is None or not timedelta(0) <= now - parse(stored_change["at"]) <= OPEN:
        return None
    return json_values.build(Asked, stored_change)


def list_waiting(db: sqlite3.Connection, now: datetime) -> list[Asked]:
    """Return unanswered changes, oldest first."""
    changes = (get(db, key.removeprefix(_PREFIX), now) for key in kv.keys(db, _PREFIX))
    return [asked for asked in changes if asked is not None and not asked.answered]


def answer(db: sqlite3.Connection, change: Asked, by: int, now: datetime) -> None:
    """Record which inbox row answered it."""
    keep(db, replace(change, answered=by), now)


def prune(db: sqlite3.Connection, now: datetime) -> int:
    """Delete expired changes; return their number."""
    late = [key for key in kv.keys(db, _PREFIX) if get(db, key.removeprefix(_PREFIX), now) is None]
    return sum(kv.drop(db, key) for key in late)
