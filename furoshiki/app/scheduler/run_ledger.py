"""What the brain writes down and reads back. A database that cannot be used is logged, and the
brain goes on: what is due does not wait for a full disk.

How the jobs stand: what is asked for, by whom, when each runs next, and how the last run of each went.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any, Literal, TypeVar
from zoneinfo import ZoneInfo

from furoshiki.app.scheduler import schedule_file
from furoshiki.app.scheduler.job_process import Finished
from furoshiki.app.scheduler.rules import GRACE, Cron, DailyAt, next_run
from furoshiki.app.scheduler.schedule_file import Entry
from furoshiki.app.scheduler.store import runs
from furoshiki.app.scheduler.store.runs import JobState, Run
from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
from furoshiki.core.database.retention import span
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.stored import dict_of
from furoshiki.maintenance import job_file
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


Origin = Literal["shipped", "changed", "own"]
"""As it was shipped; shipped, and changed in the owner's schedules.json; there alone."""


@dataclass(frozen=True)
class Job:
    """One job. `due_at` is what the brain works by, `next_at` when it runs next as far as can be told (None: it is off,
    or waits for a silence); `last` its last run that did anything or failed; `failures` how many failed in a row."""

    entry: Entry
    origin: Origin
    changed: tuple[str, ...]
    due_at: datetime | None
    next_at: datetime | None
    last: Run | None
    failures: int


def of_owner(data: Path) -> Path:
    """The owner's schedules.json."""
    return data / "memory" / "schedules.json"


def every(db: sqlite3.Connection, own: Path, now: datetime, configured_zone: tzinfo, ticking: bool) -> list[Job]:
    """Every job in the order of the files; `ticking` says whether a brain runs. BadSetting for a wrong file."""
    entries, said = schedule_file.read(own), schedule_file.load_given_keys(own)
    shipped = schedule_file.load_given_keys(job_file.SHIPPED)
    states, zone, spoken = runs.jobs(db), read_chosen_zone(db) or configured_zone, runs.last_activity(db)
    return [
        _job(db, entry, _origin(name, shipped, said), said.get(name, ()), states.get(name), now, zone, spoken, ticking)
        for name, entry in entries.items()
    ]


def wrong(db: sqlite3.Connection) -> str | None:
    """What the brain found wrong with schedules.json, so that the last good one is in force."""
    found = kv.get(db, ERROR_KEY)
    return None if found is None else str(found)


def read_chosen_zone(db: sqlite3.Connection) -> tzinfo | None:
    """The time zone the user agreed to; None when they have not been asked."""
    name = kv.get(db, ZONE_KEY)
    return ZoneInfo(name) if name else None


def _origin(name: str, shipped: Mapping[str, object], said: Mapping[str, tuple[str, ...]]) -> Origin:
    if name not in said:
        return "shipped"
    return "changed" if name in shipped else "own"


def _job(
    db: sqlite3.Connection,
    entry: Entry,
    origin: Origin,
    changed: tuple[str, ...],
    state: JobState | None,
    now: datetime,
    user_zone: tzinfo,
    spoken: datetime | None,
    ticking: bool,
) -> Job:
    names = {entry.name, entry.recorded_as}
    last = max((run for name in names for run in runs.latest(db, name, 1)), key=lambda run: run.id, default=None)
    due = state.due_at if state is not None and ticking else None
    zone = user_zone if entry.zone == "user" else UTC
    begun = [] if state is None or state.last_started_at is None else [state.last_started_at]
    held = due if isinstance(entry.timing.when, DailyAt | Cron) and due is not None and due > now - GRACE else None
    # of frequent jobs the brain writes down only now and then when they are due: it follows from the clock
    coming = held or next_run(entry.timing, now, zone, begun, now, spoken)
    return Job(
        entry,
        origin,
        changed,
        due,
        coming if entry.enabled else None,
        last,
        0 if state is None else state.failures,
    )
