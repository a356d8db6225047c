"""Repair jobs: errors that came back, and what became of them. And the runs that failed, which they are made of."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from furoshiki.core.database.rows import clean, insert
from furoshiki.core.timestamps import parse, stamp
from furoshiki.maintenance.repair.rules.recurring import Recurring

State = Literal["queued", "proposed", "applied", "rolled_back", "accepted", "declined", "closed"]

_RUN = ("id", "script", "started_at", "finished_at", "exit_code", "summary", "output")
_OPEN = "state IN ('queued', 'proposed')"


@dataclass(frozen=True)
class Job:
    """An error that came back. `source` is the script, `times` how often it came before the job was made, or last;
    `verdict` why it became what it is, `file` the proposal or the file that was changed, below the data directory."""

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


@dataclass(frozen=True)
class FailedRun:
    """A run of a script that ended badly."""

    id: int
    script: str
    started_at: datetime
    finished_at: datetime
    exit_code: int
    summary: str
    output: str


def failed_runs(db: sqlite3.Connection, since: datetime) -> list[FailedRun]:
    """Runs begun since a moment that ended with another exit code than 0, newest first."""
    found, earliest = [], stamp(since)
    for row in db.execute(f"SELECT {', '.join(_RUN)} FROM run_log ORDER BY id DESC"):  # noqa: S608 - our own names
        if row["started_at"] < earliest:  # from the end: most of what is kept is older
            break
        if row["exit_code"] and row["finished_at"]:
            found.append(_run(row))
    return found


def queue(db: sqlite3.Connection, one: Recurring, now: datetime) -> int | None:
    """Make a job of an error, unless one is open: that one learns that it came again. The id of a new job."""
    made = insert(
        db,
        "repair_jobs",
        {
            "signature": one.signature,
            "source": one.script,
            "kind": one.kind,
            "message": one.message,
            "evidence": one.evidence,
            "times": one.times,
            "first_at": stamp(one.first_at),
            "last_at": stamp(one.last_at),
            "created_at": stamp(now),
            "changed_at": stamp(now),
        },
        or_ignore=True,
    )
    if made is None:
        db.execute(
            f"UPDATE repair_jobs SET last_at=?, times=max(times, ?) WHERE signature=? AND {_OPEN} AND last_at<?",  # noqa: S608
            (stamp(one.last_at), one.times, one.signature, stamp(one.last_at)),
        )
    return made


def last_seen(db: sqlite3.Connection) -> Mapping[str, datetime]:
    """When the error of each open job was last met, by signature."""
    rows = db.execute(f"SELECT signature, last_at FROM repair_jobs WHERE {_OPEN}")  # noqa: S608 - our own words
    return {row["signature"]: parse(row["last_at"]) for row in rows}


def settled(db: sqlite3.Connection) -> Mapping[str, datetime]:
    """When the last job about a signature was decided, for every signature that was."""
    rows = db.execute(
        f"SELECT signature, max(changed_at) AS at FROM repair_jobs WHERE NOT {_OPEN} GROUP BY signature"  # noqa: S608
    )
    return {row["signature"]: parse(row["at"]) for row in rows}


def stopped(db: sqlite3.Connection, before: datetime) -> list[Job]:
    """Open jobs whose error has not been met since a moment."""
    rows = db.execute(f"SELECT * FROM repair_jobs WHERE {_OPEN} AND last_at<? ORDER BY id", (stamp(before),))  # noqa: S608
    return [_job(row) for row in rows]


def decide(db: sqlite3.Connection, job: Job, state: State, now: datetime, *, result: str | None = None) -> bool:
    """Bring a job into another state; False when it was changed by somebody else meanwhile. What is not given stays."""
    done = db.execute(
        "UPDATE repair_jobs SET state=?, result=coalesce(?, result), changed_at=? WHERE id=? AND state=?",
        (state, None if result is None else clean(result), stamp(now), job.id, job.state),
    )
    return done.rowcount == 1


def _run(row: sqlite3.Row) -> FailedRun:
    return FailedRun(
        row["id"],
        row["script"],
        parse(row["started_at"]),
        parse(row["finished_at"]),
        row["exit_code"],
        row["summary"] or "",
        row["output"] or "",
    )


def _job(row: sqlite3.Row) -> Job:
    return Job(
        **{name: row[name] for name in Job.__dataclass_fields__ if not name.endswith("_at")},
        first_at=parse(row["first_at"]),
        last_at=parse(row["last_at"]),
        created_at=parse(row["created_at"]),
        changed_at=parse(row["changed_at"]),
    )
