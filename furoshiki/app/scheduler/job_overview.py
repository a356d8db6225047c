"""The state of the jobs: their schedules and origin, next starts and last runs."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

from furoshiki.app.scheduler import schedule_file
from furoshiki.app.scheduler.rules import GRACE, next_run
from furoshiki.app.scheduler.run_ledger import ERROR_KEY
from furoshiki.app.scheduler.schedule_file import Entry
from furoshiki.app.scheduler.store import runs
from furoshiki.app.scheduler.store.runs import JobState, Run
from furoshiki.core.database import kv
from furoshiki.maintenance import job_file
from furoshiki.owner.user_model.user import ZONE_KEY

# as shipped; shipped and changed in the owner's schedules.json; only in that file
Origin = Literal["shipped", "changed", "own"]


@dataclass(frozen=True)
class Job:
    """One job. `due_at` is the brain's own next time, `next_at` the next start (None: disabled, or
    waits for silence); `last` is the last run that did anything or failed; `failures`: consecutive
    ones."""

    entry: Entry
    origin: Origin
    changed: tuple[str, ...]
    due_at: datetime | None
    next_at: datetime | None
    last: Run | None
    failures: int


def of_owner(data: Path) -> Path:
    """Return the path of the owner's schedules.json."""
    return data / "memory" / "schedules.json"


def every(db: sqlite3.Connection, own: Path, now: datetime, configured_zone: tzinfo, ticking: bool) -> list[Job]:
    """Return every job in file order; `ticking` says whether a brain runs. Raises BadSetting."""
    entries, said = schedule_file.read(own), schedule_file.load_given_keys(own)
    shipped = schedule_file.load_given_keys(job_file.SHIPPED)
    states, zone, spoken = runs.jobs(db), read_chosen_zone(db) or configured_zone, runs.last_activity(db)
    return [
        _job(db, entry, _origin(name, shipped, said), said.get(name, ()), states.get(name), now, zone, spoken, ticking)
        for name, entry in entries.items()
    ]


def wrong(db: sqlite3.Connection) -> str | None:
    """Return the error in schedules.json while the last valid one is in force, or None."""
    found = kv.get(db, ERROR_KEY)
    return None if found is None else str(found)


def read_chosen_zone(db: sqlite3.Connection) -> tzinfo | None:
    """Return the time zone the user chose, or None."""
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
    begun = [] if state is None or state.last_started_at is None else [state.last_started_at]
    held = due if entry.rare and due is not None and due > now - GRACE else None
    # the brain records due times of frequent jobs only now and then: they follow from the clock
    coming = held or next_run(entry.timing, now, entry.zone_of(user_zone), begun, now, spoken)
    return Job(
        entry,
        origin,
        changed,
        due,
        coming if entry.enabled else None,
        last,
        0 if state is None else state.failures,
    )
