"""The timer of one line more: which answer it follows, and when it is due. One at a time, in the database, so that it
outlives the process."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.database import kv
from furoshiki.core.database.rows import from_row
from furoshiki.core.timestamps import stamp

KEY = "continuity.timer"
"""Under this name `kv` keeps the timer."""

ENABLED = "continuity.enabled"
"""Under this name `kv` keeps whether the owner wants such lines, once they have said so."""


@dataclass(frozen=True)
class Timer:
    """One line more may follow the answer of `turn_id` from `due` on. `heard_at` is when the owner had last written."""

    turn_id: int
    turn_key: str
    channel: str
    chat_id: str
    heard_at: datetime | None
    due: datetime


def set_(db: sqlite3.Connection, timer: Timer, now: datetime) -> None:
    """Set the timer, in place of any other."""
    kept = {
        "turn": timer.turn_id,
        "key": timer.turn_key,
        "channel": timer.channel,
        "chat_id": timer.chat_id,
        "heard_at": stamp(timer.heard_at),
        "due": stamp(timer.due),
    }
    kv.put(db, KEY, kept, now)


def get(db: sqlite3.Connection) -> Timer | None:
    """The timer that is set; None when none is."""
    kept = kv.get(db, KEY)
    if kept is None:
        return None
    return from_row(Timer, kept, turn_id=kept["turn"], turn_key=kept["key"])


def end(db: sqlite3.Connection, turn_id: int) -> bool:
    """Take the timer of this answer away; True for the one who did."""
    timer = get(db)
    return timer is not None and timer.turn_id == turn_id and kv.drop(db, KEY)


def is_enabled(db: sqlite3.Connection) -> bool | None:
    """Whether the owner wants such lines; None when they have not said."""
    found = kv.get(db, ENABLED)
    return None if found is None else bool(found)


def enable(db: sqlite3.Connection, wanted: bool, now: datetime) -> None:
    """Keep what the owner said."""
    kv.put(db, ENABLED, wanted, now)
