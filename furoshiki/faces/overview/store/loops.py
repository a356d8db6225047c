"""The state of each feedback loop in the database: last effect, figures, present values.

The queries are in `furoshiki/faces/dashboard/loops.toml`, with the loops' descriptions.
"""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from furoshiki.core.database.rows import find_value, moment
from furoshiki.core.timestamps import stamp

SPANS = {"day": timedelta(days=1), "week": timedelta(days=7), "month": timedelta(days=30)}


@dataclass(frozen=True)
class Asked:
    """The queries of a loop. `last` returns a moment, each of `figures` one figure for its label,
    and `values` rows of label, share in [0, 1] (or NULL) and a few words."""

    last: str = ""
    figures: Mapping[str, str] = field(default_factory=dict)
    values: str = ""


@dataclass(frozen=True)
class Value:
    """A present value of a loop: `share` in [0, 1] if it can be drawn as a bar."""

    label: str
    share: float | None
    words: str


def last_effect(db: sqlite3.Connection, asked: Asked, now: datetime) -> datetime | None:
    """Return when a loop last had an effect; None: never, or not recorded."""
    return moment(_one(db, asked.last, _moments(now))) if asked.last else None


def figures(db: sqlite3.Connection, asked: Asked, now: datetime) -> dict[str, float | None]:
    """Return the figures of a loop by label."""
    given = _moments(now)
    return {label: _one(db, question, given) for label, question in asked.figures.items()}


def values(db: sqlite3.Connection, asked: Asked, now: datetime) -> list[Value]:
    """Return the present values of a loop."""
    rows = db.execute(asked.values, _pick_parameters(asked.values, _moments(now))).fetchall() if asked.values else []
    return [Value(str(label), share, str(words)) for label, share, words in rows]


def _moments(now: datetime) -> dict[str, str]:
    return {"now": stamp(now), **{name: stamp(now - span) for name, span in SPANS.items()}}


def _pick_parameters(question: str, given: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in given.items() if f":{name}" in question}


def _one(db: sqlite3.Connection, question: str, given: Mapping[str, str]) -> Any:
    return find_value(db, question, _pick_parameters(question, given))
