"""The timer of one more line: its answer and time, in one row that survives restarts."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.database import kv
from furoshiki.core.database.rows import from_row, to_row

KEY = "continuity.timer"  # the `kv` key of the timer

# the `kv` key of whether the owner wants such lines, once they have said so
ENABLED = "continuity.enabled"


@dataclass(frozen=True)
class Timer:
    """A line may follow turn `turn_id` from `due` on; `heard_at`: the owner's last message."""

    turn_id: int
    turn_key: str
    channel: str
    chat_id: str
    heard_at: datetime | None
    due: datetime


def set_(db: sqlite3.Connection, timer: Timer, now: datetime) -> None:
    """Set the timer, replacing any other."""
    kv.put(db, KEY, to_row(timer, "turn_id", "turn_key", turn=timer.turn_id, key=timer.turn_key), now)


def get(db: sqlite3.Connection) -> Timer | None:
    """Return the timer; None when none is set."""
    kept = kv.get(db, KEY)
    if kept is None:
        return None
    return from_row(Timer, kept, turn_id=kept["turn"], turn_key=kept["key"])


def end(db: sqlite3.Connection, turn_id: int) -> bool:
    """Delete the timer of this answer; return True for the caller that deleted it."""
    timer = get(db)
    return timer is not None and timer.turn_id == turn_id and kv.drop(db, KEY)


def is_enabled(db: sqlite3.Connection) -> bool | None:
    """Return whether the owner wants such lines; None when they have not said."""
    found = kv.get(db, ENABLED)
    return None if found is None else bool(found)


def enable(db: sqlite3.Connection, wanted: bool, now: datetime) -> None:
    """Store the owner's choice."""
    kv.put(db, ENABLED, wanted, now)
