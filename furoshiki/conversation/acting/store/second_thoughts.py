"""Figures of answers with triggers, and the results of second thoughts. No text."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.core.database.rows import dump, from_row, insert, load
from furoshiki.core.timestamps import stamp

_FIGURES = ("objective", "knowing", "confidence", "threshold", "maturity", "latency_ms", "cost_usd")


def add(db: sqlite3.Connection, turn_key: str, checked: Mapping[str, Any], now: datetime) -> None:
    """Store a check, once per turn."""
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
    """Return how many answers were reconsidered by a model since a time."""
    row = db.execute("SELECT count(*) FROM second_thoughts WHERE at>? AND passes!='[]'", (stamp(since),)).fetchone()
    return int(row[0])


@dataclass(frozen=True)
class Checked:
    """An answer with triggers: its confidence and the threshold, both in [0, 1]. `passes` lists the
    model calls; `latency_ms` their total time."""

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
    """Return the newest `limit` checks, newest first."""
    rows = db.execute("SELECT * FROM second_thoughts ORDER BY id DESC LIMIT ?", (limit,))
    return [from_row(Checked, row, passes=tuple(load(row["passes"]))) for row in rows]


HEAVY = 0.7
"""A memory with a centre above this is part of the companion's identity."""


def density(db: sqlite3.Connection) -> float:
    """Return the density of identity in [0, 1]: the mean centre of heavy memories, 0 without any.
    Immutable memories were given and show no development, so they are left out."""
    middle = "alpha/(alpha+beta)"
    found = db.execute(
        f"SELECT avg({middle}) FROM memories INDEXED BY memories_weighed "  # noqa: S608
        f"WHERE status='active' AND immutable=0 AND {middle} > ?",
        (HEAVY,),
    ).fetchone()[0]
    return float(found or 0.0)
