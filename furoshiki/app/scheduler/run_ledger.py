"""The brain's records in the database. If it cannot be used, this is logged and the brain goes on:
jobs do not wait for a full disk."""

import json
import logging
import sqlite3
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta, tzinfo
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from furoshiki.app.scheduler.job_process import Finished
from furoshiki.app.scheduler.store import runs
from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
from furoshiki.core.database.retention import span
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.json_values import dict_of
from furoshiki.owner.user_model.user import ZONE_KEY

T = TypeVar("T")

# How often successful runs of frequent jobs are recorded, all together, to spare an idle machine's
# disk. The work of such a job is in its own run's row.
WRITE_EVERY = timedelta(hours=1)

KEPT = span("run_log")  # how long records of runs are kept

# the key of the error in schedules.json, for `furoshiki schedules`; absent without an error
ERROR_KEY = "brain.schedules_error"

log = logging.getLogger("furoshiki.app.scheduler")


class Ledger:
    """The brain's view of the database."""

    def __init__(self, database: Database, clean: Callable[[str], str]) -> None:
        self._database, self._clean = database, clean
        self._unwritten: dict[str, Callable[[sqlite3.Connection], None]] = {}
        """Unrecorded last runs of frequent jobs that succeeded since `_summed_at`."""
        self._summed_at: datetime | None = None
        self._failed: set[str] = set()
        """Jobs whose last recorded run failed."""

    def opened(self, now: datetime) -> None:
        """Note the brain's start: runs still open were interrupted."""
        self._write(lambda db: runs.close_interrupted(db, now))
        self._failed = {name for name, job in self.jobs().items() if job.failures}

    def closed(self) -> None:
        """Note the brain's end: write the unrecorded runs."""
        if self._unwritten:
            self._write(lambda db: [note(db) for note in self._unwritten.values()])

    def jobs(self) -> Mapping[str, runs.JobState]:
        """Return the state of every job; empty if it cannot be read."""
        return self._read(runs.jobs) or {}

    def last_activity(self) -> datetime | None:
        """Return the time of the last message to the companion."""
        return self._read(runs.last_activity)

    def chosen_zone(self) -> tzinfo | None:
        """Return the time zone the user chose, or None."""
        name = self._read(lambda db: kv.get(db, ZONE_KEY))
        return ZoneInfo(name) if name else None

    def due(self, name: str, due_at: datetime | None) -> None:
        """Record a new job's due time: from now on a missed slot counts as missed."""
        self._write(lambda db: runs.note_due(db, name, due_at))

    def started(self, name: str, now: datetime, due_at: datetime | None) -> None:
        """Record a start before it happens, so that a restart does not repeat it."""
        self._write(lambda db: runs.note_run(db, name, now, due_at=due_at))

    def finished(
        self,
        name: str,
        started: datetime,
        now: datetime,
        due_at: datetime | None,
        end: Finished,
        *,
        rare: bool,
        cut_off: bool,
    ) -> None:
        """Record the end of a job, or that it was `cut_off` by the brain's stop.

        Successes are recorded only now and then, unless the job is `rare`.
        """
        report = report_in(end.output)
        own = report.get("run_id")  # a script that reported has measured itself, without our share
        worth = end.exit_code != 0 or bool(report.get("did"))

        def note(db: sqlite3.Connection) -> None:
            runs.note_run(db, name, started, now, runs.INTERRUPTED if cut_off else end.exit_code, due_at)

        self._unwritten[name] = note
        self._summed_at = self._summed_at or now
        well = not rare and name not in self._failed and end.exit_code == 0 and (own or not worth)
        if well and abs(now - self._summed_at) < WRITE_EVERY:
            return

        def write(db: sqlite3.Connection) -> None:
            for one in self._unwritten.values():
                one(db)
            if rare:
                runs.prune(db, now - KEPT)
            if worth:
                keep(db, name, started, now, end, self._clean)

        self._write(write)
        self._unwritten, self._summed_at = {}, now
        (self._failed.add if end.exit_code else self._failed.discard)(name)

    def wrong(self, words: str | None, now: datetime) -> None:
        """Record the error in schedules.json, or its end (None)."""
        self._write(lambda db: kv.drop(db, ERROR_KEY) if words is None else kv.put(db, ERROR_KEY, words, now))

    def _read(self, question: Callable[[sqlite3.Connection], T]) -> T | None:
        try:
            with self._database.read() as db:
                return question(db)
        except StorageUnavailable as error:
            log.error("the database cannot be read: %s", error)
            return None

    def _write(self, write: Callable[[sqlite3.Connection], object]) -> None:
        try:
            with self._database.write() as db:
                write(db)
        except (StorageUnavailable, OSError) as error:
            log.error("the database cannot be written: %s", error)


def keep(
    db: sqlite3.Connection, name: str, started: datetime, now: datetime, end: Finished, clean: Callable[[str], str]
) -> None:
    """Record a run's result in the row its script has begun, else in a new one."""
    report = report_in(end.output)
    own = report.get("run_id")
    said, output, cpu_s, peak_mb = summary_of(end), None, None, None
    if said is not None:
        said = clean(said)
    if end.exit_code:
        output = clean(end.output)
    if not own:
        cpu_s, peak_mb = round(end.cpu_s, 3), round(end.peak_mb, 1)
    row = own or runs.find_unfinished(db, name, started) or runs.begin(db, name, started)
    runs.finish(
        db,
        int(row),
        now,
        end.exit_code,
        cpu_s=cpu_s,
        peak_mb=peak_mb,
        did_work=bool(report.get("did")),
        summary=said,
        output=output,
    )


def report_in(output: str) -> dict[str, Any]:
    """Return the JSON line at the end of a script's output; empty without one."""
    try:
        found = json.loads(output.rstrip().rpartition("\n")[2])
    except (ValueError, RecursionError):
        return {}
    return dict_of(found)


def summary_of(end: Finished) -> str | None:
    """Return a one-line summary of a run, or None."""
    if end.timed_out:
        return "stopped: it took longer than its time limit"
    if said := report_in(end.output).get("summary"):
        return str(said)
    return None if end.exit_code == 0 else end.output.rstrip().rpartition("\n")[2][:500] or None
