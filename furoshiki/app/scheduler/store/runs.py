"""What ran, when, how it ended and what it cost; and what the scheduler must remember over a restart."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import cast

from furoshiki.core.database.rows import clean, from_row, insert, moment
from furoshiki.core.timestamps import stamp

INTERRUPTED = -1
"""The exit code of a run whose end nobody saw: the machine went down, or the process was killed."""


@dataclass(frozen=True)
class Run:
    """One run of a script. `exit_code` is None while it runs, negative after a signal. CPU in seconds, memory in MB."""

    id: int
    script: str
    started_at: datetime
    finished_at: datetime | None
    exit_code: int | None
    cpu_s: float | None
    peak_mb: float | None
    did_work: bool
    summary: str | None
    output: str | None


@dataclass(frozen=True)
class JobState:
    """What the scheduler knows of a job: when it is due, how the last run went, how many failed in a row.

    `last_exit` is None while a run goes on, and INTERRUPTED after one whose end nobody saw.
    """

    name: str
    due_at: datetime | None
    last_started_at: datetime | None
    last_exit: int | None
    failures: int


def begin(db: sqlite3.Connection, script: str, now: datetime) -> int:
    """Note that a script has begun; returns the id of the run."""
    return cast(int, insert(db, "run_log", {"script": script, "started_at": stamp(now)}))


def cpu_since(db: sqlite3.Connection, since: datetime) -> float:
    """Seconds of CPU that runs took which have ended since a moment; of the newest thousand, which are an hour's."""
    row = db.execute(
        "SELECT coalesce(sum(cpu_s), 0) FROM run_log "
        "WHERE id>(SELECT coalesce(max(id), 0) FROM run_log)-1000 AND finished_at>=?",
        (stamp(since),),
    ).fetchone()
    return float(row[0])


def finish(
    db: sqlite3.Connection,
    run_id: int,
    now: datetime,
    exit_code: int,
    *,
    cpu_s: float | None = None,
    peak_mb: float | None = None,
    did_work: bool | None = None,
    summary: str | None = None,
    output: str | None = None,
) -> None:
    """Note how a run ended. What is not given stays as it was, so that the launcher may add what the script left."""
    db.execute(
        "UPDATE run_log SET finished_at=:now, exit_code=:exit, cpu_s=coalesce(:cpu, cpu_s), "
        "peak_mb=coalesce(:peak, peak_mb), did_work=coalesce(:did, did_work), summary=coalesce(:summary, summary), "
        "output=coalesce(:output, output) WHERE id=:id",
        {
            "id": run_id,
            "now": stamp(now),
            "exit": exit_code,
            "cpu": cpu_s,
            "peak": peak_mb,
            "did": None if did_work is None else int(did_work),
            "summary": None if summary is None else clean(summary),
            "output": None if output is None else clean(output),
        },
    )


def find_unfinished(db: sqlite3.Connection, script: str, since: datetime) -> int | None:
    """The newest run of a script begun since a moment whose end was not noted."""
    row = db.execute(
        "SELECT id FROM run_log WHERE script=? AND started_at>=? AND finished_at IS NULL ORDER BY id DESC LIMIT 1",
        (script, stamp(since)),
    ).fetchone()
    return None if row is None else int(row["id"])


def close_interrupted(db: sqlite3.Connection, now: datetime) -> None:
    """Mark every open run, and every job whose end was not noted, as interrupted. Only when no script can be running;
    for a job that counts as a failure."""
    db.execute(
        "UPDATE run_log SET finished_at=?, exit_code=?, summary=coalesce(summary, 'interrupted') "
        "WHERE finished_at IS NULL",
        (stamp(now), INTERRUPTED),
    )
    db.execute(
        "UPDATE job_state SET last_finished_at=?, last_exit=?, failures=failures+1 "
        "WHERE last_started_at IS NOT NULL AND last_exit IS NULL",
        (stamp(now), INTERRUPTED),
    )


def prune(db: sqlite3.Connection, before: datetime) -> int:
    """Forget runs that ended before a moment; returns how many."""
    return db.execute("DELETE FROM run_log WHERE finished_at<?", (stamp(before),)).rowcount


def latest(db: sqlite3.Connection, script: str | None = None, limit: int = 20, before: int | None = None) -> list[Run]:
    """The newest runs, of one script or of all, newest first: those with a smaller id than `before`."""
    if script is None:
        rows = db.execute("SELECT * FROM run_log WHERE id<? ORDER BY id DESC LIMIT ?", (_bound(before), limit))
    else:
        rows = db.execute(
            "SELECT * FROM run_log WHERE script=? AND id<? ORDER BY started_at DESC, id DESC LIMIT ?",
            (script, _bound(before), limit),
        )
    return [from_row(Run, row) for row in rows]


def since(db: sqlite3.Connection, moment: datetime, most: int) -> list[Run]:
    """The runs begun since a moment, newest first, as many as `most`; looks at no row before."""
    rows = db.execute("SELECT * FROM run_log ORDER BY id DESC LIMIT ?", (most,))
    return [from_row(Run, row) for row in takewhile(lambda row: row["started_at"] >= stamp(moment), rows)]


def _bound(before: int | None) -> int:
    return (1 << 62) if before is None else before


def jobs(db: sqlite3.Connection) -> dict[str, JobState]:
    """What is known of every job, by name."""
    return {row["name"]: from_row(JobState, row) for row in db.execute("SELECT * FROM job_state")}


def note_due(db: sqlite3.Connection, name: str, due_at: datetime | None) -> None:
    """Remember when a job is due next."""
    db.execute(
        "INSERT INTO job_state (name, due_at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET due_at=excluded.due_at",
        (name, stamp(due_at)),
    )


def note_run(
    db: sqlite3.Connection,
    name: str,
    started_at: datetime,
    finished_at: datetime | None = None,
    exit_code: int | None = None,
    due_at: datetime | None = None,
) -> None:
    """Remember that a job has started, or how it ended and when it is due again; counts failures in a row."""
    db.execute(
        "INSERT INTO job_state (name, due_at, last_started_at, last_finished_at, last_exit, failures) "
        "VALUES (:name, :due, :started, :finished, :exit, :failed) ON CONFLICT (name) DO UPDATE SET "
        "due_at=excluded.due_at, last_started_at=excluded.last_started_at, "
        "last_finished_at=coalesce(excluded.last_finished_at, last_finished_at), "
        "last_exit=excluded.last_exit, "
        "failures=CASE WHEN excluded.last_exit IS NULL THEN failures WHEN excluded.last_exit=0 THEN 0 "
        "ELSE failures+1 END",
        {
            "name": name,
            "due": stamp(due_at),
            "started": stamp(started_at),
            "finished": stamp(finished_at),
            "exit": exit_code,
            "failed": int(bool(exit_code)),
        },
    )


def last_activity(db: sqlite3.Connection) -> datetime | None:
    """When anybody last wrote to the companion."""
    return moment(db.execute("SELECT max(enqueued_at) FROM inbox").fetchone()[0])
