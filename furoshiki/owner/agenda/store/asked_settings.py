"""Changes of settings that wait for their owner's yes in Telegram: heard for a day, answered once.

An answer is kept with what gave it, so that the same press, read again after a death, is answered the same.
"""

from __future__ import annotations

import sqlite3
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta

from furoshiki.core import stored
from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse

OPEN = timedelta(hours=24)
"""How long a yes is heard."""

_PREFIX = "setting-asked."


@dataclass(frozen=True)
class Asked:
    """A change. `plugin` is whose setting it is, "" for the program's own; `value` None returns it to its default;
    `mark` stands for what was set before; `sender` may answer, in `chat_id`; `answered` is the row of the inbox that
    did, 0 for none."""

    token: str
    name: str
    value: str | None
    mark: str
    chat_id: str
    sender: str
    at: str
    plugin: str = ""
    answered: int = 0


def keep(db: sqlite3.Connection, asked: Asked, now: datetime) -> None:
    """Keep what was asked."""
    kv.put(db, _PREFIX + asked.token, asdict(asked), now)


def get(db: sqlite3.Connection, token: str, now: datetime) -> Asked | None:
    """What stands behind a token; None when a day has gone by."""
    found = kv.get(db, _PREFIX + token)
    if found is None or not timedelta(0) <= now - parse(found["at"]) <= OPEN:
        return None
    return stored.build(Asked, found)


def list_waiting(db: sqlite3.Connection, now: datetime) -> list[Asked]:
    """What nobody has answered, oldest first."""
    held = (get(db, key.removeprefix(_PREFIX), now) for key in kv.keys(db, _PREFIX))
    return [one for one in held if one is not None and not one.answered]


def answer(db: sqlite3.Connection, asked: Asked, by: int, now: datetime) -> None:
    """Note which row of the inbox answered it."""
    keep(db, replace(asked, answered=by), now)


def prune(db: sqlite3.Connection, now: datetime) -> int:
    """Drop what no answer is heard for any more; returns how many."""
    late = [key for key in kv.keys(db, _PREFIX) if get(db, key.removeprefix(_PREFIX), now) is None]
    return sum(kv.drop(db, key) for key in late)
