"""Repair jobs for recurring errors and their state; also the failed runs behind them."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Literal, get_args

from furoshiki.core.database.rows import (
    Table,
    change_rows,
    clean_if_any,
    find_value,
    from_row,
    insert_if_new,
    marks,
    to_row,
)
from furoshiki.core.framing import clean
from furoshiki.core.timestamps import parse, stamp
from furoshiki.extensions.repair.rules.recurring import Recurring

State = Literal["queued", "proposed", "applied", "rolled_back", "accepted", "declined", "closed"]
STATES: tuple[State, ...] = get_args(State)

APPLYING = "applying"  # the verdict of a job whose file is being changed

_RUN = ("id", "script", "started_at", "finished_at", "exit_code", "summary", "output")
_OPEN = "state IN ('queued', 'proposed')"


@dataclass(frozen=True)
class Job:
    """A recurring error. `source` is the script, `times` the count at the last update; `verdict`
    the reason for its state, `file` the proposal or the changed file in the data directory."""

    id: int
    signature: str
    source: str
    kind: str
    message: str
    evidence: str
    times: int
    state: State
    verdict: str | None
    file: str | None
    result: str | None
    attempts: int
    cost_usd: float
    first_at: datetime
    last_at: datetime
    created_at: datetime
    changed_at: datetime


_TABLE = Table("repair_jobs", partial(from_row, Job))
get = _TABLE.get
newest = _TABLE.newest


@dataclass(frozen=True)
class FailedRun:
    """A failed run of a script."""

    id: int
    script: str
    started_at: datetime
    finished_at: datetime
    exit_code: int
    summary: str
    output: str


def read_failed_runs(db: sqlite3.Connection, since: datetime) -> list[FailedRun]:
    """Return runs begun since a time with an exit code other than 0, newest first."""
    found, earliest = [], stamp(since)
    for row in db.execute(f"SELECT {', '.join(_RUN)} FROM run_log ORDER BY id DESC"):  # noqa: S608
        if row["started_at"] < earliest:  # newest first: most rows are older
            break
        if row["exit_code"] and row["finished_at"]:
            words = {"summary": row["summary"] or "", "output": row["output"] or ""}
            found.append(from_row(FailedRun, row, **words))
    return found


def read_failed_plugin_runs(db: sqlite3.Connection, since: datetime) -> list[FailedRun]:
    """Return failed plugin runs since a time, with their last error output."""
    query = "SELECT id, plugin, at, error, log FROM plugin_runs WHERE at>=? AND status='failed' AND log IS NOT NULL"
    rows = db.execute(query, (stamp(since),))
    return [
        FailedRun(row["id"], row["plugin"], parse(row["at"]), parse(row["at"]), 1, row["error"] or "", row["log"])
        for row in rows
    ]


def queue(db: sqlite3.Connection, error: Recurring, now: datetime) -> int | None:
    """Create a job for an error and return its id, or update the open one and return None."""
    row = to_row(error, "script", source=error.script, created_at=now, changed_at=now)
    made = insert_if_new(db, "repair_jobs", row)
    if made is None:
        db.execute(
            f"UPDATE repair_jobs SET last_at=?, times=max(times, ?) WHERE signature=? AND {_OPEN} AND last_at<?",  # noqa: S608
            (stamp(error.last_at), error.times, error.signature, stamp(error.last_at)),
        )
    return made


def last_seen(db: sqlite3.Connection) -> Mapping[str, datetime]:
    """Return when the error of each open job last occurred, by signature."""
    rows = db.execute(f"SELECT signature, last_at FROM repair_jobs WHERE {_OPEN}")  # noqa: S608
    return {row["signature"]: parse(row["last_at"]) for row in rows}


def read_settled(db: sqlite3.Connection) -> Mapping[str, datetime]:
    """Return when the last job about each signature was decided."""
    rows = db.execute(
        f"SELECT signature, max(changed_at) AS at FROM repair_jobs WHERE NOT {_OPEN} GROUP BY signature"  # noqa: S608
    )
    return {row["signature"]: parse(row["at"]) for row in rows}


def read_stopped(db: sqlite3.Connection, before: datetime) -> list[Job]:
    """Return open jobs whose error has not occurred since a time."""
    return _TABLE.select(db, f"{_OPEN} AND last_at<? ORDER BY id", stamp(before))


def of_states(db: sqlite3.Connection, states: Sequence[State] = STATES, limit: int = 1_000) -> list[Job]:
    """Return the newest `limit` jobs in these states, oldest first."""
    return _TABLE.select(db, f"state IN ({marks(states)}) ORDER BY id DESC LIMIT ?", *states, limit)[::-1]


def earlier(db: sqlite3.Connection, job: Job) -> list[Job]:
    """Return the earlier jobs about the same error, oldest first."""
    return _TABLE.select(db, "signature=? AND id<? ORDER BY id", job.signature, job.id)


def spent(db: sqlite3.Connection, purpose: str, since: datetime) -> float:
    """Return the US dollars spent for a purpose since a time."""
    query = "SELECT coalesce(sum(cost_usd), 0) FROM llm_calls WHERE purpose=? AND at>=?"
    return float(find_value(db, query, purpose, stamp(since)))


def attempt(db: sqlite3.Connection, job: Job) -> None:
    """Count another attempt at a diagnosis."""
    db.execute("UPDATE repair_jobs SET attempts=attempts+1 WHERE id=?", (job.id,))


def paid(db: sqlite3.Connection, job: Job, usd: float) -> None:
    """Add to the cost of a job, in US dollars."""
    db.execute("UPDATE repair_jobs SET cost_usd=cost_usd+? WHERE id=?", (usd, job.id))


def intend(db: sqlite3.Connection, job: Job, file: str, result: str) -> None:
    """Record that this file is about to be changed, and why, so that a later run can continue."""
    query = "UPDATE repair_jobs SET verdict=?, file=?, result=? WHERE id=? AND state IN ('queued', 'proposed')"
    db.execute(query, (APPLYING, file, clean(result), job.id))


def decide(
    db: sqlite3.Connection,
    job: Job,
    state: State,
    now: datetime,
    *,
    verdict: str | None = None,
    file: str | None = None,
    result: str | None = None,
) -> bool:
    """Change a job's state; False if it changed meanwhile. None arguments change nothing."""
    query = (
        "UPDATE repair_jobs SET state=?, verdict=coalesce(?, verdict), file=coalesce(?, file), "
        "result=coalesce(?, result), changed_at=? WHERE id=? AND state=?"
    )
    became = clean_if_any(result)
    return change_rows(db, query, state, verdict, file, became, stamp(now), job.id, job.state) == 1
