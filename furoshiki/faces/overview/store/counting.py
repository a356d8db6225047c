"""Counts of new rows since a given row."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from furoshiki.core.database.rows import find_value
from furoshiki.core.timestamps import parse, stamp

_TABLES = ("turns", "llm_calls", "inbox")
_KEYS = ("tier", "model", "failed")


@dataclass(frozen=True)
class Calls:
    """Sums of the calls with one tier, model ("provider:model") and outcome."""

    tier: str
    model: str
    failed: bool
    calls: int
    usd: float
    seconds: float
    tokens_in: int
    tokens_cached: int
    tokens_out: int

    def __add__(self, more: "Calls") -> "Calls":
        sums = {name: value + getattr(more, name) for name, value in vars(self).items() if name not in _KEYS}
        return replace(self, **sums)


@dataclass(frozen=True)
class Answers:
    """Handled messages up to a row: their number by outcome, and their total waiting seconds."""

    upto: int
    by_state: Mapping[str, int]
    seconds: float


def newest(db: sqlite3.Connection) -> dict[str, int]:
    """Return the newest row of each counted table."""
    return {table: int(find_value(db, f"SELECT coalesce(max(id), 0) FROM {table}")) for table in _TABLES}  # noqa: S608


def turns_after(db: sqlite3.Connection, row: int) -> dict[str, int]:
    """Count the live turns after a row by speaker."""
    rows = db.execute("SELECT speaker, count(*) FROM turns WHERE id>? AND source='live' GROUP BY speaker", (row,))
    return {one[0]: one[1] for one in rows}


def calls_after(db: sqlite3.Connection, row: int, since: datetime) -> list[Calls]:
    """Return the model calls after a row, without daily sums of days before `since`."""
    rows = db.execute(
        "SELECT tier, provider || ':' || model, error IS NOT NULL, sum(calls), sum(cost_usd), sum(latency_s * calls), "
        "sum(tokens_in), sum(tokens_cached), sum(tokens_out) FROM llm_calls WHERE id>? AND at>=? GROUP BY 1, 2, 3",
        (row, stamp(since)),
    )
    return [Calls(one[0], one[1], bool(one[2]), *one[3:]) for one in rows]


def count_answers(db: sqlite3.Connection, row: int) -> Answers:
    """Count the handled messages after a row, up to the first that still waits."""
    upto, by_state, seconds = row, {"done": 0, "failed": 0, "dead": 0}, 0.0
    for one in db.execute("SELECT id, state, enqueued_at, finished_at FROM inbox WHERE id>? ORDER BY id", (row,)):
        if one["state"] not in by_state:
            break
        upto = int(one["id"])
        by_state[one["state"]] += 1
        if one["state"] == "done" and one["finished_at"]:
            seconds += max(0.0, (parse(one["finished_at"]) - parse(one["enqueued_at"])).total_seconds())
    return Answers(upto, by_state, seconds)
