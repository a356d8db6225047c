"""The row of the companion's lifetime."""

import sqlite3
from datetime import datetime

from furoshiki.core.database import kv
from furoshiki.core.database.rows import from_row, to_row
from furoshiki.mind.readiness.values import Manifest

KEY = "manifest"


def manifest(db: sqlite3.Connection, now: datetime) -> Manifest:
    """Return the stored manifest; before the first start one that begins now."""
    stored = kv.get(db, KEY)
    return Manifest(now) if stored is None else from_row(Manifest, stored)


def keep(db: sqlite3.Connection, life: Manifest, now: datetime) -> None:
    """Store the manifest."""
    kv.put(db, KEY, to_row(life, hours_up=round(life.hours_up, 4)), now)
