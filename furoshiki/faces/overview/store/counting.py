"""What has been added to the tables since a row: each question reads the new rows alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.timestamps import parse, stamp

_TABLES = ("turns", "llm_calls", "inbox")


@dataclass(frozen=True)
class Calls:
    """Calls of one kind: which tier and model ("provider:model"), whether they failed, and their sums."""

    tier: str
    model: str
    failed: bool
    calls: int
    usd: float
    seconds: float
    tokens_in: int
    tokens_cached: int
    tokens_out: int


@dataclass(frozen=True)
class Answers:
    """Messages that were dealt with, up to a row: how many with which outcome, and the seconds they waited in all."""

    upto: int
    by_state: Mapping[str, int]
    seconds: float


def newest(db: sqlite3.Connection) -> dict[str, int]:
    """The newest row of each table that is counted."""
    return {table: int(db.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0]) for table in _TABLES}  # noqa: S608


def turns_after(db: sqlite3.Connection, row: int) -> dict[str, int]:
    """How many turns of live conversations came after a row, by who spoke."""
    rows = db.execute("SELECT speaker, count(*) FROM turns WHERE id>? AND source='live' GROUP BY speaker", (row,))
    return {one[0]: one[1] for one in rows}


def calls_after(db: sqlite3.Connection, row: int, since: datetime) -> list[Calls]:
    """The model calls after a row; what was summed up of days before `since` is none."""
    rows = db.execute(
        "SELECT tier, provider || ':' || model, error IS NOT NULL, sum(calls), sum(cost_usd), sum(latency_s * calls), "
        "sum(tokens_in), sum(tokens_cached), sum(tokens_out) FROM llm_calls WHERE id>? AND at>=? GROUP BY 1, 2, 3",
        (row, stamp(since)),
    )
    return [Calls(one[0], one[1], bool(one[2]), *one[3:]) for one in rows]


def count_answers(db: sqlite3.Connection, row: int) -> Answers:
    """What came after a row and was dealt with, as far as nothing before it still waits."""
    upto, by_state, seconds = row, {"done": 0, "failed": 0, "dead": 0}, 0.0
    for one in db.execute("SELECT id, state, enqueued_at, finished_at FROM inbox WHERE id>? ORDER BY id", (row,)):
        if one["state"] not in by_state:
            break
        upto = int(one["id"])
        by_state[one["state"]] += 1
        if one["state"] == "done" and one["finished_at"]:
            seconds += max(0.0, (parse(one["finished_at"]) - parse(one["enqueued_at"])).total_seconds())
    return Answers(upto, by_state, seconds)
