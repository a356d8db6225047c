"""Wandering thoughts for display: the start, the thought and its outcome.

`furoshiki/conversation/wandering` writes the rows; this module only reads them.
"""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.catalogue import words
from furoshiki.core.database.rows import find_value, from_row, load
from furoshiki.core.timestamps import stamp

BECAME = words("wanderings")  # the outcome of a thought, by action


@dataclass(frozen=True)
class Wandered:
    """A wandering. `about` is its start, `brought` its associations; `thought` is None when none
    was stored, or it was forgotten or expired."""

    id: int
    at: datetime
    kind: str
    about: str | None
    brought: tuple[str, ...]
    thought: str | None
    action: str
    outcome: str | None
    cost_usd: float


def newest(db: sqlite3.Connection, limit: int, before: int | None = None) -> list[Wandered]:
    """Return wanderings with an id below `before`, newest first."""
    rows = db.execute(
        "SELECT w.id, w.at, w.seed_kind AS kind, w.activated, w.action, w.outcome, w.cost_usd, c.name AS about, "
        "g.text AS thought FROM wanderings w LEFT JOIN concepts c ON c.id=w.concept_id "
        "LEFT JOIN gists g ON g.id=w.gist_id WHERE ?1 IS NULL OR w.id<?1 ORDER BY w.id DESC LIMIT ?2",
        (before, limit),
    )
    return [from_row(Wandered, row, brought=tuple(str(one[1]) for one in load(row["activated"]))) for row in rows]


def count_since(db: sqlite3.Connection, moment: datetime) -> int:
    """Return how many wanderings after a time asked for a thought."""
    return int(find_value(db, "SELECT count(*) FROM wanderings WHERE at>? AND outcome IS NOT NULL", stamp(moment)))
