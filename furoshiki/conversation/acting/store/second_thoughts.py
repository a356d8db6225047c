"""How sure it was of an answer that gave reason to look twice, and what a second thought came to: figures alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.core.database.rows import dump, from_row, insert, load
from furoshiki.core.timestamps import stamp

_FIGURES = (
    "objective",
    "knowing",
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


def count_since(db: sqlite3.Connection, since: datetime) -> int:
    """How many answers a mind was asked about again since a moment."""
    row = db.execute("SELECT count(*) FROM second_thoughts WHERE at>? AND passes!='[]'", (stamp(since),)).fetchone()
    return int(row[0])


@dataclass(frozen=True)
class Checked:
    """An answer that gave reason to look twice: how sure it was and how sure it should have been, both in [0, 1], and
    why. `passes` are the times a mind was asked again; `latency_ms` is what that took."""

    id: int
    turn_key: str
    confidence: float
    threshold: float
    triggers: tuple[str, ...]
    passes: tuple[object, ...]
    changed: bool
    latency_ms: float
    cost_usd: float
    at: datetime


def newest(db: sqlite3.Connection, limit: int) -> list[Checked]:
    """The last so many, newest first."""
    rows = db.execute("SELECT * FROM second_thoughts ORDER BY id DESC LIMIT ?", (limit,))
    return [from_row(Checked, row, passes=tuple(load(row["passes"]))) for row in rows]


HEAVY = 0.7
"""A memory whose weight has its middle above this has become part of who the companion is."""


def density(db: sqlite3.Connection) -> float:
    """How densely what the companion is made of is held, in [0, 1]: the mean weight of what is heavy, 0 for nothing.
    What is immutable was given to it and says nothing of how far it has come."""
    middle = "alpha/(alpha+beta)"
    found = db.execute(
        f"SELECT avg({middle}) FROM memories INDEXED BY memories_weighed "  # noqa: S608
        f"WHERE status='active' AND immutable=0 AND {middle} > ?",
        (HEAVY,),
    ).fetchone()[0]
    return float(found or 0.0)
