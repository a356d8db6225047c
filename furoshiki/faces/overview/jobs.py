"""The jobs, their recent runs, and errors in schedules.json."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from typing import Any

from furoshiki.app.scheduler import job_overview
from furoshiki.app.scheduler.job_overview import Job
from furoshiki.app.scheduler.rules import Cron, DailyAt, Interval
from furoshiki.app.scheduler.schedule_file import Entry
from furoshiki.app.scheduler.store import runs
from furoshiki.app.scheduler.store.runs import INTERRUPTED, Run
from furoshiki.core.catalogue import say
from furoshiki.core.errors import BadSetting
from furoshiki.core.logs import Redacting
from furoshiki.core.process.locks import LOCKS, list_held_for, lock_held
from furoshiki.language.dates.recurrence_words import cron_often, often
from furoshiki.language.humanize import clock
from furoshiki.language.tables.calendar_names import WEEKDAYS
from furoshiki.world import World

WIDTH = 1000
HEIGHT = 12
NARROWEST = 3  # minimal width of a block in units of WIDTH: a one-second run stays visible


@dataclass(frozen=True)
class Row:
    """A job's runs as two SVG paths (successful or running, and failed ones), and their counts."""

    name: str
    well: str
    failed: str
    runs: int
    failures: int


@dataclass(frozen=True)
class Tick:
    """A mark on the scale, in percent from the left."""

    at: float
    label: str


def rows(ran: Iterable[Run], order: Sequence[str], start: datetime, end: datetime) -> list[Row]:
    """Return a row for each job that ran, in this order, others after them."""
    found: dict[str, list[Run]] = {}
    for run in ran:
        found.setdefault(run.script, []).append(run)
    place: Mapping[str, int] = {name: number for number, name in enumerate(order)}
    return [_row(name, found[name], start, end) for name in sorted(found, key=lambda one: (place.get(one, 999), one))]


def ticks(start: datetime, end: datetime, zone: tzinfo) -> list[Tick]:
    """Return every fourth hour by the zone's clock."""
    whole = end - start
    at = start.astimezone(zone).replace(minute=0, second=0, microsecond=0)
    found = []
    for ahead in range(int(whole / timedelta(hours=1)) + 2):
        moment = (at + timedelta(hours=ahead)).astimezone(zone)
        if start <= moment <= end and moment.hour % 4 == 0:
            found.append(Tick(round(100 * ((moment - start) / whole), 2), f"{moment:%H:%M}"))
    return found


def _row(name: str, ran: Sequence[Run], start: datetime, end: datetime) -> Row:
    failed = [run for run in ran if run.exit_code]
    others = [run for run in ran if not run.exit_code]
    return Row(name, _path(others, start, end), _path(failed, start, end), len(ran), len(failed))


def _path(ran: Iterable[Run], start: datetime, end: datetime) -> str:
    """Return rectangles; one that would lie inside its predecessor is left out."""
    drawn, last = [], -1
    for run in sorted(ran, key=lambda one: one.started_at):
        begins = max(0, round(WIDTH * ((run.started_at - start) / (end - start))))  # the clock may have been set back
        left = min(WIDTH - NARROWEST, begins)
        right = min(WIDTH, round(WIDTH * (((run.finished_at or end) - start) / (end - start))))
        right = max(right, min(left + NARROWEST, WIDTH))
        if right > last:
            drawn.append(f"M{left} 0h{right - left}v{HEIGHT}h-{right - left}z")
            last = right
    return "".join(drawn)


DRAWN = timedelta(hours=24)
MOST_DRAWN = 3000  # runs on the timeline at most; a day has some hundred

LATELY = 20


def jobs(world: World) -> tuple[list[Job], str | None]:
    """Return every job (the shipped ones if schedules.json is invalid), and the error in it."""
    own = job_overview.of_owner(world.settings.data)
    with world.database.read() as db:
        told, fault = job_overview.wrong(db), None
        try:
            found = job_overview.every(db, own, world.now, world.zone, is_brain_running(world))
        except BadSetting as error:
            none = own.with_name("none.json")
            found = job_overview.every(db, none, world.now, world.zone, is_brain_running(world))
            fault = told or str(error)
    return [replace(job, last=job.last and _clean_runs(world, [job.last])[0]) for job in found], fault


def latest(
    world: World, db: sqlite3.Connection, script: str | None, limit: int, before: int | None = None
) -> list[Run]:
    """Return the newest runs of one script or of all, with secrets removed."""
    return _clean_runs(world, runs.latest(db, script, limit, before))


def is_brain_running(world: World) -> bool:
    return LOCKS["brain"] in list_held_for(world.settings.data / "run")


def at_work(world: World, job: Job) -> bool:
    """Return whether the job's script runs, no matter who started it."""
    return lock_held(world.settings.data / "run" / f"{job.entry.recorded_as}.lock")


def gather(world: World) -> dict[str, Any]:
    """Gather the values of the page. `wrong` is the error in schedules.json with its line, `ticking`
    whether a brain runs, `running` the names of running jobs, `titles` what a person reads for a name."""
    now = world.now
    found, wrong = jobs(world)
    with world.database.read() as db:
        zone = job_overview.read_chosen_zone(db) or world.zone
        drawn = runs.since(db, now - DRAWN, MOST_DRAWN)
        lately = latest(world, db, None, LATELY)
    titles = {job.entry.recorded_as: say(job.entry.title) for job in reversed(found)}
    return {
        "jobs": found,
        "titles": titles | {job.entry.name: say(job.entry.title) for job in found},
        "next": {job.entry.name: describe_next(job, now, zone) for job in found},
        "when": {job.entry.name: describe_when(job.entry) for job in found},
        "running": frozenset(job.entry.name for job in found if at_work(world, job)),
        "wrong": wrong,
        "ticking": is_brain_running(world),
        "rows": rows(drawn, [job.entry.recorded_as for job in found], now - DRAWN, now),
        "ticks": ticks(now - DRAWN, now, zone),
        "lately": lately,
    }


def describe_end(run: Run) -> str:
    if run.exit_code is None:
        return say("running")
    if run.exit_code == 0:
        return say("well")
    if run.exit_code == INTERRUPTED:
        return say("interrupted")
    if run.exit_code < 0:
        return say("signal {number}", number=-run.exit_code)
    return say("failed, exit {number}", number=run.exit_code)


def _clean_runs(world: World, found: Sequence[Run]) -> list[Run]:
    """Redact secrets again: a row may be older than a key or than the redaction."""
    clean = Redacting(world.settings.secrets()).clean
    return [
        replace(run, summary=run.summary and clean(run.summary), output=run.output and clean(run.output))
        for run in found
    ]


def describe_when(entry: Entry) -> str:
    """Return when a job runs, in words; as schedules.json has it where there are none."""
    match entry.timing.when:
        case Interval(seconds) if seconds % 3600 == 0:
            return often(f"FREQ=HOURLY;INTERVAL={seconds / 3600:.0f}", None)
        case Interval(seconds) if seconds % 60 == 0:
            return often(f"FREQ=MINUTELY;INTERVAL={seconds / 60:.0f}", None)
        case DailyAt(at, weekday):
            rule = "FREQ=DAILY" if weekday is None else f"FREQ=WEEKLY;BYDAY={WEEKDAYS[weekday][:2].upper()}"
            return often(rule, datetime.combine(date.min, at))
        case Cron(expression):
            return cron_often(expression)
    return entry.when


def describe_next(job: Job, now: datetime, zone: tzinfo) -> str:
    """Return when a job runs next, in words."""
    if not job.entry.enabled:
        return "switched off"
    if job.next_at is None:
        return "after the next silence"
    return "now" if job.next_at <= now else clock(job.next_at, zone, now)
