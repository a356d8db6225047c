"""For how long the companion does not write first, where the user asked for quiet."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp

KEY = "quiet.until"
"""Under this name `kv` keeps the end of the quiet, as a stamp; missing or past means no quiet."""


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
