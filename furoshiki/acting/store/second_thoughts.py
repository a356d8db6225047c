"""How sure it was of an answer that gave reason to look twice, and what a second thought came to: figures alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from furoshiki.core.database.rows import dump, insert
from furoshiki.core.timestamps import stamp

_FIGURES = (
    "objective",
    "knowing",
    "verbalised",
    "confidence",
    "threshold",
    "maturity",
    "latency_ms",
    "cost_usd",
)


def add(db: sqlite3.Connection, turn_key: str, checked: Mapping[str, Any], now: datetime) -> None:
    """Put a check on record; once for each turn."""
    row = {
        "turn_key": turn_key,
        **{name: checked[name] for name in _FIGURES},
        "triggers": dump(list(checked["triggers"])),
        "passes": dump(list(checked["passes"])),
        "changed": int(bool(checked["changed"])),
        "at": stamp(now),
    }
    insert(db, "second_thoughts", row, or_ignore=True)


def asked_since(db: sqlite3.Connection, since: datetime) -> int:
    """How many answers a mind was asked about again since a moment."""
    row = db.execute("SELECT count(*) FROM second_thoughts WHERE at>? AND passes!='[]'", (stamp(since),)).fetchone()
    return int(row[0])
