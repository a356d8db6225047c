"""Reached milestones with time and row names, stored permanently and without text."""

import sqlite3
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp
from furoshiki.mind.readiness.values import Evidence

KEY = "readiness"

LOOKED_EVERY = timedelta(hours=1)


def read_all(db: sqlite3.Connection) -> dict[str, Evidence]:
    """Return the evidence of each reached milestone, by name."""
    return {
        name: Evidence(parse(one["at"]), tuple(one["refs"]))
        for name, one in _read_kept(db).get("reached", {}).items()
        if {"at", "refs"} <= one.keys()
    }


def keep(db: sqlite3.Connection, evidence: Mapping[str, Evidence], now: datetime) -> None:
    """Store reached milestones and the time of the check."""
    stored = _read_kept(db)
    fresh = {name: {"at": stamp(one.at), "refs": list(one.refs)} for name, one in evidence.items()}
    kv.put(db, KEY, {**stored, "looked_at": stamp(now), "reached": {**stored.get("reached", {}), **fresh}}, now)


def rests(db: sqlite3.Connection, now: datetime) -> bool:
    """Return whether the last check was less than an hour ago."""
    looked = _read_kept(db).get("looked_at")
    return looked is not None and parse(looked) <= now < parse(looked) + LOOKED_EVERY


def _read_kept(db: sqlite3.Connection) -> dict[str, Any]:
    """Return the stored value, including fields of other releases."""
    return kv.get(db, KEY) or {}
