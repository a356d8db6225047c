"""How long each table keeps its rows, and why. Source of the pruning and of docs/retention.md."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from furoshiki.core.timestamps import stamp


@dataclass(frozen=True)
class Retention:
    """How long rows stay: `days`, or `otherwise` in words ("for ever"), and `why`."""

    why: str
    days: int | None = None
    otherwise: str = "for ever"

    @property
    def time(self) -> str:
        """Return how long rows stay, in a few words."""
        return self.otherwise if self.days is None else f"{self.days} days"


_ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("retention.tsv").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]

KEPT = {
    table: Retention(why, int(kept)) if kept.isdecimal() else Retention(why, otherwise=kept)
    for table, kept, why, *_ in _ROWS
}
"""Retention by table, for every table of the schema."""

BY_AGE = {table: (by_age[0], by_age[1]) for table, _, _, *by_age in _ROWS if by_age}
"""By table: the time column, and the SQL condition of deletable rows (read, sent, outdated)."""


def span(table: str) -> timedelta:
    """Return how long rows are kept. Raises ValueError for tables without `days`."""
    days = KEPT[table].days
    if days is None:
        raise ValueError(f"{table} is kept {KEPT[table].otherwise}")
    return timedelta(days=days)


UNANSWERED = ("coalesce(finished_at, enqueued_at)", "state IN ('dead', 'failed')")
"""Time column and condition of failed `inbox` rows; answered ones go sooner (`inbox.prune`)."""


def older(db: sqlite3.Connection, table: str, before: datetime, limit: int) -> int:
    """Delete at most `limit` old rows of a table in `BY_AGE`, oldest first; returns the count."""
    return _drop(db, table, *BY_AGE[table], before, limit)


def remove_unanswered(db: sqlite3.Connection, before: datetime, limit: int) -> int:
    """Delete at most `limit` messages given up before this time; returns the number deleted."""
    return _drop(db, "inbox", *UNANSWERED, before, limit)


def _drop(db: sqlite3.Connection, table: str, time: str, which: str, before: datetime, limit: int) -> int:
    return db.execute(
        f"DELETE FROM {table} WHERE rowid IN "  # noqa: S608
        f"(SELECT rowid FROM {table} WHERE {time}<? AND {which} ORDER BY rowid LIMIT ?)",
        (stamp(before), limit),
    ).rowcount
