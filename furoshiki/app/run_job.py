"""The common frame of scripts and services: flags, lock, log, run record, signals, exit codes,
clock.

A script first checks, with a read-only connection and the standard library alone, whether there is
anything to do; most runs end there, before any expensive import.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import signal
import sqlite3
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Self

from furoshiki.app import jobs
from furoshiki.app.jobs import JOBS, Job, Step
from furoshiki.app.scheduler.store import runs
from furoshiki.core import paths
from furoshiki.core.atomic_files import locked
from furoshiki.core.database import migrate
from furoshiki.core.database.connection import connect, explained
from furoshiki.core.errors import FuroshikiError, StorageUnavailable, in_words
from furoshiki.core.framing import visible
from furoshiki.core.process.crash_points import point
from furoshiki.core.process.interrupts import hear_interrupts
from furoshiki.core.timestamps import parse

if TYPE_CHECKING:
    from furoshiki.core.process.systemd import Notifier
    from furoshiki.core.settings import Settings
    from furoshiki.world import Report, World

Wait = Callable[[Awaitable["Report"]], "Report"]  # runs an awaitable use case to its end

STOPPED = 143  # the exit code after SIGTERM, as a shell would give it


@dataclass(frozen=True)
class Outcome:
    """The result of a run, as `--json` prints it. `did` says whether anything changed."""

    script: str
    exit_code: int
    did: bool
    summary: str
    run_id: int | None = None
    data: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> str:
        """Return the result as one line of JSON."""
        found = {"script": self.script, "exit": self.exit_code, "did": self.did, "summary": self.summary}
        return json.dumps({**found, "run_id": self.run_id, "data": self.data}, ensure_ascii=False, default=str)


def script(name: str) -> NoReturn:
    """Run the job of scripts/<name>.py with the command line's flags and exit."""
    hear_interrupts()
    parser = argparse.ArgumentParser(description=getattr(sys.modules["__main__"], "__doc__", None))
    parser.add_argument("--now", metavar="ISO", help="pretend that it is this moment")
    parser.add_argument("--dry-run", action="store_true", help="say whether there is anything to do, and do nothing")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    for one in JOBS[name].takes:
        parser.add_argument(one, metavar=one.upper())
    args = parser.parse_args()
    try:
        now = parse(args.now) if args.now else None
    except ValueError:
        parser.error(f"--now {args.now!r} is not a time: write it as 2026-11-21T18:00 (without an offset it is UTC)")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more threads can take 700 ms instead of 5
    given = tuple(str(getattr(args, one)) for one in JOBS[name].takes)
    outcome = run(name, now=now, dry_run=args.dry_run, args=given)
    stream = sys.stderr if outcome.exit_code and not args.json else sys.stdout
    print(visible(outcome.as_json() if args.json else f"{name}: {outcome.summary}"), file=stream)
    raise SystemExit(outcome.exit_code)


def run(name: str, *, now: datetime | None = None, dry_run: bool = False, args: tuple[str, ...] = ()) -> Outcome:
    """Run a job as of `now` (default: the present), one instance at a time. Errors become results
    with an exit code.

    Raises KeyError for an unknown job.
    """
    job, moment = JOBS[name].about(args), now or clock()
    name = job.name
    try:
        data, database = paths.data_dir(), paths.database()
        reason = reason_for(job, data, database, moment)
        if reason is None:
            return Outcome(name, 0, False, job.idle)
        if dry_run:
            return Outcome(name, 0, False, f"would run: {reason}")
        with locked(data / "run" / f"{name}.lock", wait=False) as alone:
            if not alone:
                return Outcome(name, 0, False, "it runs already")
            return _work(job, moment, pretended=now is not None)
    except FuroshikiError as error:
        return Outcome(name, error.exit_code, False, str(error))
    except OSError as error:
        return Outcome(name, 1, False, in_words(error))
    except KeyboardInterrupt:
        return Outcome(name, STOPPED, False, "stopped")


def clock() -> datetime:
    """Return the present moment, aware, in UTC: the only reading of the clock in a run."""
    return datetime.now(UTC)


def notifier() -> Notifier:
    """Return the link to the service manager that started this process, if any."""
    from furoshiki.core.process.systemd import Notifier  # scripts need no socket

    return Notifier(os.environ)


def keep_log(settings: Settings, name: str) -> None:
    """Log to $DATA/logs/<name>.log, without secrets, and warnings to stderr as well."""
    from furoshiki.core.logs import keep

    keep(settings.data / "logs" / f"{name}.log", settings.furoshiki_log_level, settings.secrets())


def reason_for(job: Job, data: Path, database: Path, now: datetime) -> str | None:
    """Return why the job should run; None without a reason, as always before the first start."""
    with Asking(data, database) as asking:
        return asking.reason_for(job, now)


class Asking:
    """Checks on one data directory: each database is opened once, read-only, for all checks,
    because opening takes longer than most checks."""

    def __init__(self, data: Path, database: Path, busy_seconds: float = 5.0) -> None:
        self._data = data
        self._database = database
        self._busy_seconds = busy_seconds
        self._opened: dict[Path, tuple[sqlite3.Connection, str | None]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for db, _revision in self._opened.values():
            db.close()
        self._opened = {}

    def reason_for(self, job: Job, now: datetime) -> str | None:
        """Return why the job should run, or None. Raises StorageUnavailable."""
        for path in (self._database, *(_people(self._data) if job.for_others else ())):
            steps = job.steps if path == self._database else job.for_others
            with self._open(path) as (db, found):
                if db is None or found is None:
                    continue
                if found != migrate.HEAD:
                    return "the database has an older schema"
                for _, reason in jobs.due(steps, db, now):
                    return reason
        return None

    def last_activity(self) -> datetime | None:
        """Return the time of the last message. Raises StorageUnavailable."""
        with self._open(self._database) as (db, found):
            return None if db is None or found is None else runs.last_activity(db)

    @contextlib.contextmanager
    def _open(self, path: Path) -> Iterator[tuple[sqlite3.Connection | None, str | None]]:
        """Yield a database and its schema revision; None and None if it does not exist."""
        try:
            with explained(path, self._busy_seconds):
                if path not in self._opened:
                    if not migrate.is_there(path):
                        yield None, None
                        return
                    db = connect(path, "ro", self._busy_seconds)
                    self._opened[path] = db, None
                    self._opened[path] = db, migrate.revision(db, path)
                yield self._opened[path]
        except sqlite3.DatabaseError as error:
            raise StorageUnavailable(f"{path}: {error}") from error


def _people(data: Path) -> list[Path]:
    """Return the databases of other persons (as in `furoshiki.owner.people.places`)."""
    return sorted((data / "memory" / "people").glob("*/memory/longmemory.sqlite"))


def _work(job: Job, now: datetime, pretended: bool) -> Outcome:
    """Build the world, run the use case, and record the run."""
    from furoshiki.app.wiring import SystemClock, build_world
    from furoshiki.core import settings as all_settings

    settings = all_settings.load()
    keep_log(settings, job.name)
    ticking = SystemClock(now - clock()) if pretended else SystemClock()
    world = build_world(settings, ticking, minds_when_asked=True)
    with _stoppable():
        outcome = _run_and_record(job, world, now, to_its_end)
    world.database.close()
    return outcome


def run_in(world: World, name: str, wait: Wait, args: Sequence[str] = ()) -> Outcome:
    """Run a job in an existing world of a process with many homes, if its check has a reason.

    Raises KeyError for an unknown job.
    """
    job = JOBS[name].about(args)
    name = job.name
    with world.database.read() as db:
        found = jobs.due(job.steps, db, world.now)
    if not found and not (job.for_others and _people(world.settings.data)):
        return Outcome(name, 0, False, job.idle)
    return _run_and_record(job, world, world.now, wait, alone=False)


def _run_and_record(job: Job, world: World, now: datetime, wait: Wait, alone: bool = True) -> Outcome:
    """Run the job and record its result and CPU time; memory only if the process is its own."""
    with world.database.write() as db:
        run_id = runs.begin(db, job.name, now)
    point("run.begun")
    before = 0.0 if alone else _cpu_s(True)
    outcome = _attempt(job, world, run_id, wait)
    point("run.done")
    _record(world, run_id, outcome, round(_cpu_s(not alone) - before, 3), alone)
    return outcome


def _attempt(job: Job, world: World, run_id: int, wait: Wait) -> Outcome:
    import logging

    log = logging.getLogger(f"furoshiki.{job.name}")
    try:
        report = _for_everybody(job, world, wait)
    except FuroshikiError as error:
        log.error("%s", error)
        return Outcome(job.name, error.exit_code, False, str(error), run_id)
    except KeyboardInterrupt:
        log.warning("stopped")
        return Outcome(job.name, STOPPED, False, "stopped", run_id)
    except OSError as error:
        log.error("%s", in_words(error), exc_info=error)
        return Outcome(job.name, 1, False, in_words(error), run_id)
    except Exception as error:  # the edge of the process: a person gets one line, the log the traceback
        log.error("%s: %s", type(error).__name__, error, exc_info=error)
        return Outcome(job.name, 1, False, f"{type(error).__name__}: {error}", run_id)
    return Outcome(job.name, 0, report.did, report.summary, run_id, dict(report.data))


def _for_everybody(job: Job, world: World, wait: Wait) -> Report:
    """Run the steps with a reason for the owner and, where defined, each other person."""
    from furoshiki.world import Report

    own = _steps(job.steps, world, wait)
    others: list[tuple[str, Report]] = []
    if job.for_others:
        from furoshiki.owner.people.places import People

        people = People()
        for one in people.everybody(world):
            report = _steps(job.for_others, one, wait)
            others += [] if report is None else [(str(one.who.place), report)]
        people.close()
    if not others:
        return own or Report(False, job.idle)
    reports = [*([own] if own else []), *(report for _, report in others)]
    return Report(
        any(one.did for one in reports),
        "; ".join([*([own.summary] if own else []), *(f"{place}: {one.summary}" for place, one in others)]),
        {**(own.data if own else {}), "people": {place: dict(one.data) for place, one in others}},
    )


def _steps(steps: Sequence[Step], world: World, wait: Wait) -> Report | None:
    """Run the steps with a reason in one world; None if there are none."""
    from furoshiki.world import Report

    with world.database.read() as db:
        due = jobs.due(steps, db, world.now)
    reports = [_call(step, world, wait) for step, _ in due]
    if len(reports) < 2:
        return reports[0] if reports else None
    data = {name: value for report in reports for name, value in report.data.items()}
    return Report(any(report.did for report in reports), "; ".join(report.summary for report in reports), data)


def _call(step: Step, world: World, wait: Wait) -> Report:
    from furoshiki.owner.user_model import languages

    with languages.speaking_as_usual(world):
        found = jobs.import_function(step.use_case)(world, *step.args)
        report: Report = wait(found) if hasattr(found, "__await__") else found
    return report


def to_its_end(work: Awaitable[Report]) -> Report:
    """Run an awaitable use case in a new event loop."""
    import asyncio

    async def wait() -> Report:
        return await work

    return asyncio.run(wait())


def _record(world: World, run_id: int, outcome: Outcome, cpu_s: float, alone: bool) -> None:
    from furoshiki.core.logs import Redacting

    with world.database.write() as db:
        runs.finish(
            db,
            run_id,
            world.now,
            outcome.exit_code,
            cpu_s=cpu_s,
            peak_mb=round(_peak_mb(), 1) if alone else None,
            did_work=outcome.did,
            summary=Redacting(world.settings.secrets()).clean(outcome.summary),
        )


def _cpu_s(children: bool) -> float:
    """Return the CPU seconds of this process, with `children` also of its ended children."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN) if children else (resource.RUSAGE_SELF,)
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, whose))


def _peak_mb() -> float:
    """Return the peak memory of this process in MB. (`ru_maxrss` would include the parent's.)"""
    for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


@contextlib.contextmanager
def _stoppable() -> Iterator[None]:
    """Let SIGTERM end the work like Ctrl-C; committed data stays."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
