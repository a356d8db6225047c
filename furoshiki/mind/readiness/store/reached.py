"""Which milestones were reached, when, and by which rows: kept where no row grows too old, and without a word."""

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
    """The evidence of each milestone that was reached, by name."""
    return {
        name: Evidence(parse(one["at"]), tuple(one["refs"]))
        for name, one in _read_kept(db).get("reached", {}).items()
        if {"at", "refs"} <= one.keys()
    }


def keep(db: sqlite3.Connection, found: Mapping[str, Evidence], now: datetime) -> None:
    """Keep what was reached by now, and that it was looked for."""
    held = _read_kept(db)
    fresh = {name: {"at": stamp(one.at), "refs": list(one.refs)} for name, one in found.items()}
    kv.put(db, KEY, {**held, "looked_at": stamp(now), "reached": {**held.get("reached", {}), **fresh}}, now)


def rests(db: sqlite3.Connection, now: datetime) -> bool:
    """Whether it was looked for less than an hour ago."""
    looked = _read_kept(db).get("looked_at")
    return looked is not None and parse(looked) <= now < parse(looked) + LOOKED_EVERY


def _read_kept(db: sqlite3.Connection) -> dict[str, Any]:
    """What is kept, with what another release keeps beside it."""
    return kv.get(db, KEY) or {}
