"""What the database tells about each feedback loop: when it last had an effect, its figures, and what it holds now.

The questions stand beside what is said of the loops, in `furoshiki/faces/dashboard/loops.toml`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from furoshiki.core.database.rows import moment
from furoshiki.core.timestamps import stamp

SPANS = {"day": timedelta(days=1), "week": timedelta(days=7), "month": timedelta(days=30)}


@dataclass(frozen=True)
class Asked:
    """The questions about a loop. `last` answers with a moment, each of `figures` with one figure under its label, and
    `values` with rows of a label, a share in [0, 1] (or NULL) and a few words."""

    last: str = ""
    figures: Mapping[str, str] = field(default_factory=dict)
    values: str = ""


@dataclass(frozen=True)
class Value:
    """Something a loop holds now: `share` in [0, 1] where it can be drawn as a bar."""

    label: str
    share: float | None
    words: str


def last_effect(db: sqlite3.Connection, asked: Asked, now: datetime) -> datetime | None:
    """When a loop last had an effect; None for one that had none yet, or of which nothing is kept."""
    return moment(_one(db, asked.last, _moments(now))) if asked.last else None


def figures(db: sqlite3.Connection, asked: Asked, now: datetime) -> dict[str, float | None]:
    """The figures of a loop by their labels."""
    given = _moments(now)
    return {label: _one(db, question, given) for label, question in asked.figures.items()}


def values(db: sqlite3.Connection, asked: Asked, now: datetime) -> list[Value]:
    """What a loop holds now."""
    rows = db.execute(asked.values, _pick_parameters(asked.values, _moments(now))).fetchall() if asked.values else []
    return [Value(str(label), share, str(words)) for label, share, words in rows]


def _moments(now: datetime) -> dict[str, str]:
    return {"now": stamp(now), **{name: stamp(now - span) for name, span in SPANS.items()}}


def _pick_parameters(question: str, given: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in given.items() if f":{name}" in question}


def _one(db: sqlite3.Connection, question: str, given: Mapping[str, str]) -> Any:
    row = db.execute(question, _pick_parameters(question, given)).fetchone()
    return None if row is None else row[0]
