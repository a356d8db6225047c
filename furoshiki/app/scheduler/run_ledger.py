"""What the brain writes down and reads back. A database that cannot be used is logged, and the
brain goes on: what is due does not wait for a full disk."""

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
from furoshiki.core.stored import dict_of
from furoshiki.owner.user_model.user import ZONE_KEY

T = TypeVar("T")

WRITE_EVERY = timedelta(hours=1)
"""Frequent jobs that went well are written down this often, all together, so that an idle machine's disk may rest. What
such a job did stands in the row of its own run."""

KEPT = span("run_log")
"""How long the records of runs are kept."""

ERROR_KEY = "brain.schedules_error"
"""Where `furoshiki schedules` finds what is wrong with schedules.json; absent when nothing is."""

log = logging.getLogger("furoshiki.app.scheduler")


class Ledger:
    """The brain's pages of the database."""

    def __init__(self, database: Database, clean: Callable[[str], str]) -> None:
        self._database, self._clean = database, clean
        self._unwritten: dict[str, Callable[[sqlite3.Connection], None]] = {}
        """The last run of each frequent job that went well since `_summed_at`."""
        self._summed_at: datetime | None = None
        self._failed: set[str] = set()
        """Jobs whose last run, as it is written down, did not go well."""

    def opened(self, now: datetime) -> None:
        """The brain has begun: whatever was still running has been interrupted."""
        self._write(lambda db: runs.close_interrupted(db, now))
        self._failed = {name for name, job in self.jobs().items() if job.failures}

    def closed(self) -> None:
        """The brain ends: what it has not written down yet, it writes now."""
        if self._unwritten:
            self._write(lambda db: [note(db) for note in self._unwritten.values()])

    def jobs(self) -> Mapping[str, runs.JobState]:
        """What is known of every job; nothing when that cannot be read."""
        return self._read(runs.jobs) or {}

    def last_activity(self) -> datetime | None:
        """When somebody last wrote to the companion."""
        return self._read(runs.last_activity)

    def chosen_zone(self) -> tzinfo | None:
        """The time zone the user agreed to; None when they have not been asked."""
        name = self._read(lambda db: kv.get(db, ZONE_KEY))
        return ZoneInfo(name) if name else None

    def due(self, name: str, due_at: datetime | None) -> None:
        """A job was seen for the first time: from here on a missed slot is known as missed."""
        self._write(lambda db: runs.note_due(db, name, due_at))

    def started(self, name: str, now: datetime, due_at: datetime | None) -> None:
        """A job starts; written before it does, because a restart must not start it again."""
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
        """A job ended, or was `cut_off` because the brain stops.

        What went well is written down only now and then, unless it is `rare`.
        """
        report = report_in(end.output)
        own = report.get("run_id")  # a script that lived to tell has measured itself, without our share
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
        """schedules.json is wrong, or right again (None)."""
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
    """Put on record how a run ended: in the row its script has begun, else in one of its own. `clean` strikes secrets
    out of what it printed."""
    report = report_in(end.output)
    own = report.get("run_id")
    said = summary_of(end)
    row = own or runs.find_unfinished(db, name, started) or runs.begin(db, name, started)
    runs.finish(
        db,
        int(row),
        now,
        end.exit_code,
        cpu_s=None if own else round(end.cpu_s, 3),
        peak_mb=None if own else round(end.peak_mb, 1),
        did_work=bool(report.get("did")),
        summary=None if said is None else clean(said),
        output=None if end.exit_code == 0 else clean(end.output),
    )


def report_in(output: str) -> dict[str, Any]:
    """The JSON line that a script ends with; empty when it printed none."""
    try:
        found = json.loads(output.rstrip().rpartition("\n")[2])
    except (ValueError, RecursionError):
        return {}
    return dict_of(found)


def summary_of(end: Finished) -> str | None:
    """How a run went, in a line."""
    if end.timed_out:
        return "stopped: it took longer than its time limit"
    if said := report_in(end.output).get("summary"):
        return str(said)
    return None if end.exit_code == 0 else end.output.rstrip().rpartition("\n")[2][:500] or None
