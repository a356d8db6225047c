"""What holds for each table (`tables.tsv`): how long rows stay, what forgetting does, whether it is exported."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from furoshiki.core.database.rows import change_rows
from furoshiki.core.timestamps import stamp


@dataclass(frozen=True)
class Retention:
    """What holds for a table. Rows stay `days`, or `otherwise` in words ("for ever"), because of `why`.
    `words` are its columns with people's words; when those are forgotten, its row goes ("goes"), or
    only with all talk ("all"), or stays without them (""). `unexported` says why it is not exported."""

    why: str
    days: int | None
    otherwise: str
    words: tuple[str, ...]
    forgotten: str
    unexported: str

    @property
    def time(self) -> str:
        """Return how long rows stay, in a few words."""
        return self.otherwise if self.days is None else f"{self.days} days"


KEPT: dict[str, Retention] = {}  # by table, for every table of the schema

# by table: the time column, and the SQL condition of deletable rows (read, sent, outdated)
BY_AGE: dict[str, tuple[str, str]] = {}

for _line in Path(__file__).with_name("tables.tsv").read_text(encoding="utf-8").splitlines():
    if _line and not _line.startswith("#"):
        _table, _kept, _why, *_rest = _line.split("\t")
        _words, _forgotten, _unexported, _at, _gone = (one.strip("-") for one in _rest)
        _days: int | None = None
        if _kept.isdecimal():
            _days = int(_kept)
        KEPT[_table] = Retention(_why, _days, _kept, tuple(_words.split()), _forgotten, _unexported)
        if _at:
            BY_AGE[_table] = (_at, _gone)


def span(table: str) -> timedelta:
    """Return how long rows are kept. Raises ValueError for tables without `days`."""
    days = KEPT[table].days
    if days is None:
        raise ValueError(f"{table} is kept {KEPT[table].otherwise}")
    return timedelta(days=days)


# time column and condition of failed `inbox` rows; answered ones go sooner (`inbox.prune`)
UNANSWERED = ("coalesce(finished_at, enqueued_at)", "state IN ('dead', 'failed')")


def older(db: sqlite3.Connection, table: str, before: datetime, limit: int) -> int:
    """Delete at most `limit` old rows of a table in `BY_AGE`, oldest first; returns the count."""
    return _drop(db, table, *BY_AGE[table], before, limit)


def remove_unanswered(db: sqlite3.Connection, before: datetime, limit: int) -> int:
    """Delete at most `limit` messages given up before this time; returns the number deleted."""
    return _drop(db, "inbox", *UNANSWERED, before, limit)


def _drop(db: sqlite3.Connection, table: str, time: str, which: str, before: datetime, limit: int) -> int:
    query = (
        f"DELETE FROM {table} WHERE rowid IN "  # noqa: S608
        f"(SELECT rowid FROM {table} WHERE {time}<? AND {which} ORDER BY rowid LIMIT ?)"
    )
    return change_rows(db, query, stamp(before), limit)
