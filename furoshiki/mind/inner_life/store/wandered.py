"""What the mind wandered to, as it is shown: what it began with, the thought, and what became of
it.

The rows are written by `furoshiki/conversation/wandering`; here they are only read.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.catalogue import later
from furoshiki.core.database.rows import from_row, load
from furoshiki.core.timestamps import stamp

BECAME = later(
    {
        "COMMUNICATE": "waits to be said",
        "PLAN": "was proposed as longer work",
        "SEED_THREAD": "became a question of its own",
        "REFLECT": "went into the journal",
        "RECONCILE": "two memories are looked at for a contradiction",
        "AMBIENT_TOOL": "was looked up in memory",
        "NOTHING": "passed",
    }
)
"""What became of a thought, by the action."""


@dataclass(frozen=True)
class Wandered:
    """One of them. `about` is what it began with, and `brought` what came along; `thought` is None where none was kept,
    or it was forgotten or its time is long over."""

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
    """The newest (before that of an id) first."""
    below = "" if before is None else "WHERE w.id<:before"
    rows = db.execute(
        "SELECT w.id, w.at, w.seed_kind, w.activated, w.action, w.outcome, w.cost_usd, c.name, g.text "  # noqa: S608
        "FROM wanderings w LEFT JOIN concepts c ON c.id=w.concept_id LEFT JOIN gists g ON g.id=w.gist_id "
        f"{below} ORDER BY w.id DESC LIMIT :limit",
        {"before": before, "limit": limit},
    )
    return [
        from_row(
            Wandered,
            row,
            kind=row["seed_kind"],
            about=row["name"],
            brought=tuple(str(one[1]) for one in load(row["activated"])),
            thought=row["text"],
        )
        for row in rows
    ]


def count_since(db: sqlite3.Connection, moment: datetime) -> int:
    """How many thoughts an idle mind was asked for after a moment."""
    found = db.execute("SELECT count(*) FROM wanderings WHERE at>? AND outcome IS NOT NULL", (stamp(moment),))
    return int(found.fetchone()[0])
