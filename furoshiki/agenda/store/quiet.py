"""When the companion does not write first: until a moment, where the user asked for quiet, and at which hours."""

from __future__ import annotations

import sqlite3
from datetime import datetime, time

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp

KEY = "quiet.until"
"""Under this name `kv` keeps the end of the quiet, as a stamp; missing or past means no quiet."""

HOURS_KEY = "quiet.hours"
"""Under this name `kv` keeps the quiet hours the user set themselves, as ["22:00", "07:30"] of their clock."""


def until(db: sqlite3.Connection, now: datetime) -> datetime | None:
    """When the quiet ends; None when there is none now."""
    kept = kv.get(db, KEY)
    ends = None if kept is None else parse(kept)
    return ends if ends is not None and ends > now else None


def keep(db: sqlite3.Connection, ends: datetime, now: datetime) -> None:
    """Be quiet until then."""
    kv.put(db, KEY, stamp(ends), now)


def end(db: sqlite3.Connection) -> None:
    """Be quiet no longer."""
    kv.drop(db, KEY)


def hours(db: sqlite3.Connection) -> tuple[time, time] | None:
    """From when to when of every day it is quiet, as the user set it; None when they set nothing."""
    kept = kv.get(db, HOURS_KEY)
    return None if kept is None else (time.fromisoformat(kept[0]), time.fromisoformat(kept[1]))


def keep_hours(db: sqlite3.Connection, since: time, ends: time, now: datetime) -> None:
    """Be quiet from then to then, every day."""
    kv.put(db, HOURS_KEY, [f"{since:%H:%M}", f"{ends:%H:%M}"], now)


def end_hours(db: sqlite3.Connection) -> bool:
    """Have no hours of the user's own any more; True when there were some."""
    return kv.drop(db, HOURS_KEY)
