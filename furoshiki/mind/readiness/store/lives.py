"""The row of the companion's lifetime."""

import sqlite3
from datetime import datetime

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp
from furoshiki.mind.readiness.values import Manifest

KEY = "manifest"


def manifest(db: sqlite3.Connection, now: datetime) -> Manifest:
    """Return the stored manifest; before the first start one that begins now."""
    stored = kv.get(db, KEY)
    if stored is None:
        return Manifest(now)
    counted = stored["counted_to"]
    return Manifest(
        parse(stored["created_at"]), stored["starts"], stored["hours_up"], None if counted is None else parse(counted)
    )


def keep(db: sqlite3.Connection, life: Manifest, now: datetime) -> None:
    """Store the manifest."""
    counted = stamp(life.counted_to)
    row = {"created_at": stamp(life.created_at), "starts": life.starts, "hours_up": round(life.hours_up, 4)}
    kv.put(db, KEY, {**row, "counted_to": counted}, now)
