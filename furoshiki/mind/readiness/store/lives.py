"""The row of the companion's lifetime, and the start of older databases."""

import sqlite3
from datetime import datetime

from furoshiki.core.database import kv
from furoshiki.core.database.rows import find_value
from furoshiki.core.timestamps import parse, stamp
from furoshiki.mind.readiness.values import Manifest

KEY = "manifest"

_OLDEST = (
    "SELECT min(at) FROM (SELECT min(at) AS at FROM turns WHERE +source='live' UNION ALL SELECT min(paired_at) "
    "FROM accounts UNION ALL SELECT min(started_at) FROM run_log UNION ALL SELECT min(created_at) FROM memories "
    "WHERE source_tag!='import' UNION ALL SELECT min(at) FROM llm_calls)"
)


def manifest(db: sqlite3.Connection, now: datetime) -> Manifest:
    """Return the stored manifest; else one since the database's oldest own row, or now."""
    stored = kv.get(db, KEY)
    if stored is None:
        oldest = find_value(db, _OLDEST)
        return Manifest(now if oldest is None else min(parse(oldest), now))
    counted = stored["counted_to"]
    return Manifest(
        parse(stored["created_at"]), stored["starts"], stored["hours_up"], None if counted is None else parse(counted)
    )


def keep(db: sqlite3.Connection, life: Manifest, now: datetime) -> None:
    """Store the manifest."""
    counted = stamp(life.counted_to)
    row = {"created_at": stamp(life.created_at), "starts": life.starts, "hours_up": round(life.hours_up, 4)}
    kv.put(db, KEY, {**row, "counted_to": counted}, now)
