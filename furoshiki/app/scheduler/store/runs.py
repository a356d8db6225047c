"""Runs of scripts with results and costs, and the scheduler's state across restarts."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile

from furoshiki.core.database.rows import change_rows, clean_if_any, find_value, first, from_row, insert, moment, put_row
from furoshiki.core.timestamps import stamp

# the exit code of a run whose end was not seen: power loss, or the process was killed
INTERRUPTED = -1


@dataclass(frozen=True)
class Run:
    """A run. `exit_code` is None while it runs, negative after a signal. CPU in s, memory in MB."""

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
    """The scheduler's state of a job: due time, last run, consecutive failures.

    `last_exit` is None during a run, and INTERRUPTED after one whose end was not seen.
    """

    name: str
    due_at: datetime | None
    last_started_at: datetime | None
    last_exit: int | None
    failures: int


def begin(db: sqlite3.Connection, script: str, now: datetime) -> int:
    """Record the start of a script; return the id of the run."""
    return insert(db, "run_log", {"script": script, "started_at": now})


def cpu_since(db: sqlite3.Connection, since: datetime) -> float:
    """Return the CPU seconds of runs ended since a moment, of the newest thousand."""
    query = (
        "SELECT coalesce(sum(cpu_s), 0) FROM run_log "
        "WHERE id>(SELECT coalesce(max(id), 0) FROM run_log)-1000 AND finished_at>=?"
    )
    return float(find_value(db, query, stamp(since)))


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
    """Record the end of a run. Omitted values stay: launcher and script both add some."""
    values = {"id": run_id, "now": stamp(now), "exit": exit_code, "cpu": cpu_s, "peak": peak_mb, "did": did_work}
    db.execute(
        "UPDATE run_log SET finished_at=:now, exit_code=:exit, cpu_s=coalesce(:cpu, cpu_s), "
        "peak_mb=coalesce(:peak, peak_mb), did_work=coalesce(:did, did_work), summary=coalesce(:summary, summary), "
        "output=coalesce(:output, output) WHERE id=:id",
        values | {"summary": clean_if_any(summary), "output": clean_if_any(output)},
    )


def find_unfinished(db: sqlite3.Connection, script: str, since: datetime) -> int | None:
    """Return the newest run of a script begun since a moment and not ended, or None."""
    query = "SELECT id FROM run_log WHERE script=? AND started_at>=? AND finished_at IS NULL ORDER BY id DESC LIMIT 1"
    rows = db.execute(query, (script, stamp(since)))
    return first(rows, lambda row: int(row["id"]))


def close_interrupted(db: sqlite3.Connection, now: datetime) -> None:
    """Mark all open runs and jobs as interrupted, which counts as a failure of the job. Call it
    only when no script can be running."""
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
    """Delete runs that ended before a moment; return how many."""
    return change_rows(db, "DELETE FROM run_log WHERE finished_at<?", stamp(before))


def latest(db: sqlite3.Connection, script: str | None = None, limit: int = 20, before: int | None = None) -> list[Run]:
    """Return the runs of one script or all, newest first: those with an id below `before`."""
    bound = (1 << 62) if before is None else before
    if script is None:
        rows = db.execute("SELECT * FROM run_log WHERE id<? ORDER BY id DESC LIMIT ?", (bound, limit))
    else:
        query = "SELECT * FROM run_log WHERE script=? AND id<? ORDER BY started_at DESC, id DESC LIMIT ?"
        rows = db.execute(query, (script, bound, limit))
    return [from_row(Run, row) for row in rows]


def since(db: sqlite3.Connection, moment: datetime, most: int) -> list[Run]:
    """Return the runs begun since a moment, newest first, at most `most`; reads no older rows."""
    rows = db.execute("SELECT * FROM run_log ORDER BY id DESC LIMIT ?", (most,))
    return [from_row(Run, row) for row in takewhile(lambda row: row["started_at"] >= stamp(moment), rows)]


def jobs(db: sqlite3.Connection) -> dict[str, JobState]:
    """Return the state of every job, by name."""
    return {row["name"]: from_row(JobState, row) for row in db.execute("SELECT * FROM job_state")}


def note_due(db: sqlite3.Connection, name: str, due_at: datetime | None) -> None:
    """Record when a job is due next."""
    put_row(db, "job_state", {"name": name, "due_at": due_at}, "name")


def note_run(
    db: sqlite3.Connection,
    name: str,
    started_at: datetime,
    finished_at: datetime | None = None,
    exit_code: int | None = None,
    due_at: datetime | None = None,
) -> None:
    """Record a job's start, or its end and next due time; counts consecutive failures."""
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
    """Return the time of the last message to the companion."""
    return moment(find_value(db, "SELECT max(enqueued_at) FROM inbox"))
