"""The brain's loop: starts due jobs, records ended ones, reloads changed schedules.

It survives outside errors: an invalid schedules.json leaves the last valid one in force, a database
that cannot be written is logged, a hanging script is killed.
"""

import logging
import os
import select
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import schedule

from furoshiki.app.scheduler import schedule_file
from furoshiki.app.scheduler.job_process import Child
from furoshiki.app.scheduler.rules import Idle, next_run
from furoshiki.app.scheduler.run_ledger import Ledger, summary_of
from furoshiki.app.scheduler.schedule_file import Entry
from furoshiki.app.scheduler.store.runs import INTERRUPTED, JobState
from furoshiki.core.atomic_files import locked
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import AlreadyRunning, BadSetting
from furoshiki.core.logs import Redacting
from furoshiki.core.paths import settings_files, stamp_of
from furoshiki.core.process import liveness
from furoshiki.core.process.crash_points import point
from furoshiki.core.process.systemd import Notifier
from furoshiki.maintenance import job_file

REMEMBERED_RUNS = 8

_NEVER = datetime.max.replace(tzinfo=UTC)


class Alarm(schedule.Job):  # type: ignore[misc]  # `schedule` has no types
    """An alarm for one entry of schedules.json. `runs` are its last starts."""

    def __init__(self, entry: Entry, table: "Timetable", since: datetime, runs: list[datetime]) -> None:
        super().__init__(1, table)
        self.entry = entry
        self.since = since
        self.runs: deque[datetime] = deque(runs, REMEMBERED_RUNS)
        self.due: datetime | None = None
        self.table = table

    @property
    def should_run(self) -> bool:
        return self.due is not None and self.table.clock() >= self.due

    def reset(self) -> None:
        """Recompute when it is due: after a jump of the clock, or a message."""
        self.since = min(self.since, self.table.clock())
        self._schedule_next_run()

    def _schedule_next_run(self) -> None:
        """Compute when it is due next; `schedule.Job` calls this by its name."""
        now = self.table.clock()
        self.due = next_run(
            self.entry.timing,
            now,
            self.entry.zone_of(self.table.user_zone),
            self.runs,
            self.since,
            self.table.last_activity,
        )
        self.next_run = (self.due or _NEVER).replace(tzinfo=None)


class Timetable(schedule.Scheduler):  # type: ignore[misc]  # as above
    """All alarms. `clock` returns the time (aware, UTC); `ring` is called with a due alarm."""

    def __init__(self, clock: Callable[[], datetime], user_zone: tzinfo, ring: Callable[[Alarm], None]) -> None:
        super().__init__()
        self.clock = clock
        self.user_zone = user_zone
        self.last_activity: datetime | None = None
        self._ring = ring

    @property
    def alarms(self) -> list[Alarm]:
        return list(self.jobs)

    def set(self, entry: Entry, since: datetime, runs: list[datetime]) -> Alarm:
        alarm = Alarm(entry, self, since, runs)
        alarm.do(self._ring, alarm)
        return alarm

    def reset(self) -> None:
        """Recompute when each alarm is due."""
        for alarm in self.alarms:
            alarm.reset()

    def next_due(self) -> datetime | None:
        """Return when the first alarm is due, or None."""
        return min((alarm.due for alarm in self.alarms if alarm.due is not None), default=None)


FIRST_SANE_YEAR = 2026  # a clock before this year was not set since boot; nothing is scheduled then
LOOK_SECONDS = 5.0  # how often, in seconds, files and the clock are checked while nothing is due

# seconds: a larger drift of wall and monotonic clock means a set clock, or that we slept
JUMP_SECONDS = 60.0

MOST_AT_ONCE = 2  # scripts running at the same time; a small machine has little memory
MOST_RETRIES = 2  # how many consecutive times an interrupted run is repeated

# seconds that scripts may take to end when the brain stops, which must end within five itself
PATIENCE_SECONDS = 2.5

log = logging.getLogger("furoshiki.app.scheduler")


@dataclass(frozen=True)
class SchedulerSetup:
    """The brain's environment: folders, clock, the user's zone, how scripts are started, and a
    function that removes secrets from their output."""

    data: Path
    database: Path
    clock: Callable[[], datetime]
    zone: Callable[[], tzinfo]
    python: str
    environ: Mapping[str, str]
    clean: Callable[[str], str] = Redacting(()).clean
    shipped: Path = job_file.SHIPPED
    scripts: Path = job_file.SCRIPTS
    scripts_at_once: int = MOST_AT_ONCE
    look_seconds: float = LOOK_SECONDS

    @property
    def own(self) -> Path:
        """The owner's schedules.json."""
        return self.data / "memory" / "schedules.json"

    @property
    def watched(self) -> tuple[Path, ...]:
        """Files whose change causes a reload: both schedules, and the settings (for the zone)."""
        return self.shipped, self.own, *settings_files(self.data)


@dataclass(frozen=True)
class Running:
    """A started script and the alarm it was started for."""

    alarm: Alarm
    child: Child
    started_at: datetime


class Brain:
    """Runs until `stop` is called; one per data directory, else `run` raises AlreadyRunning."""

    def __init__(self, around: SchedulerSetup, notifier: Notifier | None = None) -> None:
        self._around = around
        self._notifier = notifier or Notifier({})
        self._database = Database(around.database)
        self._ledger = Ledger(self._database, around.clean)
        self._configured_zone = around.zone()
        self._table = Timetable(around.clock, self._configured_zone, self._start)
        self._running: dict[str, Running] = {}
        self._seen: tuple[object, ...] = ()
        self._stopping = False
        self._absurd = False
        self._drift = self._measure()
        self._woken, self._wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    def run(self) -> None:
        """Schedule until stopped; then end the scripts and return."""
        with locked(self._around.data / "run" / "brain.lock", wait=False) as alone:
            if not alone:
                raise AlreadyRunning("another brain already runs for this data directory: stop it, or let it work")
            self._ledger.opened(self._around.clock())
            self._notifier.ready("scheduling")
            with liveness.shown(self._around.data / "run" / "brain.alive") as beat:
                while not self._stopping:
                    self.step()
                    running = ", ".join(self._running) or "nothing"
                    self._notifier.feed(f"{len(self._table.alarms)} jobs, running {running}")
                    beat()
                    self._wait()
            self._notifier.stopping()
            self._end_scripts()
            self._ledger.closed()
        self._database.close()

    def stop(self) -> None:
        """Make `run` return soon. May be called from a signal handler or another thread."""
        self._stopping = True
        os.write(self._wake, b".")

    def step(self) -> None:
        """Do one round: record ended scripts, reload changed files, start due ones."""
        self._note_ended()
        if not self._clock_is_sane():
            return
        self._reread()
        self._hear()
        if len(self._running) < self._around.scripts_at_once:
            self._table.run_pending()

    @property
    def due(self) -> Mapping[str, datetime | None]:
        """The due time of each job."""
        return {alarm.entry.name: alarm.due for alarm in self._table.alarms}

    def _start(self, alarm: Alarm) -> None:
        """Start the script of a due alarm, unless it still runs or too many scripts run."""
        now, name = self._around.clock(), alarm.entry.name
        if name not in self._running and len(self._running) >= self._around.scripts_at_once:
            return  # it stays due and starts when another ends
        alarm.runs.append(now)
        if name in self._running:
            log.info("%s is due and still running; this time is left out", name)
            return
        if alarm.entry.rare:
            self._ledger.started(name, now, alarm.due)
        point("brain.before_start")
        try:
            child = Child(alarm.entry, self._around.data, self._around.python, self._around.environ)
        except OSError as error:
            log.error("%s could not be started: %s", name, error)
            return
        self._running[name] = Running(alarm, child, now)

    def _note_ended(self) -> None:
        for name, running in list(self._running.items()):
            end = running.child.look()
            if end is None:
                continue
            del self._running[name]
            if end.exit_code:
                log.error("%s ended with %d: %s", name, end.exit_code, summary_of(end))
            due = next((alarm.due for alarm in self._table.alarms if alarm.entry.name == name), None)
            self._ledger.finished(
                name,
                running.started_at,
                self._around.clock(),
                due,
                end,
                rare=running.alarm.entry.rare,
                cut_off=self._stopping and end.exit_code != 0,
            )

    def _clock_is_sane(self) -> bool:
        """Return whether the clock is plausible; recompute due times if it was set."""
        now, drift = self._around.clock(), self._measure()
        if now.year < FIRST_SANE_YEAR:
            if not self._absurd:
                log.warning("the clock says %s; nothing runs until it is set", now.date())
            self._absurd = True
            return False
        self._absurd = False
        if abs(drift - self._drift) > JUMP_SECONDS:
            log.warning("the clock jumped by %.0f s; what is due is worked out again", drift - self._drift)
            self._table.reset()
        self._drift = drift
        return True

    def _measure(self) -> float:
        return self._around.clock().timestamp() - time.monotonic()

    def _reread(self) -> None:
        """Reload the schedules if a file changed. An invalid file keeps the last valid ones."""
        stamps = tuple(stamp_of(path) for path in self._around.watched)
        if stamps == self._seen:
            return
        self._seen = stamps
        now = self._around.clock()
        try:
            entries = schedule_file.read(self._around.own, self._around.shipped, self._around.scripts)
            self._configured_zone = self._around.zone()
        except BadSetting as error:
            log.error("schedules.json is not used as it stands: %s", error)
            self._ledger.wrong(str(error), now)
            return
        self._ledger.wrong(None, now)
        for words in job_file.load_jobs(self._around.own, self._around.shipped, self._around.scripts).strange:
            log.warning("passed over: %s", words)
        self._set_alarms(entries, now)
        log.info("%d jobs are scheduled", len(self._table.alarms))

    def _set_alarms(self, entries: Mapping[str, schedule_file.Entry], now: datetime) -> None:
        """Replace the alarms, keeping the known past of each job."""
        known = self._ledger.jobs()
        past = {alarm.entry.name: alarm for alarm in self._table.alarms}
        self._table.clear()
        for name, entry in entries.items():
            if not entry.enabled:
                continue
            before, state = past.get(name), known.get(name)
            if before is not None:
                self._table.set(entry, before.since, list(before.runs))
                continue
            alarm = self._table.set(entry, *_past(state, now))
            if state is None and alarm.entry.rare:
                self._ledger.due(name, alarm.due)

    def _hear(self) -> None:
        """Read what jobs depend on: the user's zone and last message."""
        alarms = self._table.alarms
        if any(alarm.entry.zone == "user" for alarm in alarms):
            zone = self._ledger.chosen_zone() or self._configured_zone
            if zone != self._table.user_zone:
                self._table.user_zone = zone
                self._table.reset()
        idlers = [alarm for alarm in alarms if isinstance(alarm.entry.timing.when, Idle)]
        if idlers:
            self._table.last_activity = self._ledger.last_activity()
        for alarm in idlers:
            alarm.reset()

    def _wait(self) -> None:
        """Wait until something is due, a job ended, or files must be checked."""
        seconds, due = min(self._around.look_seconds, (self._notifier.watchdog_s or 60.0) / 4), self._table.next_due()
        if due is not None and not self._absurd and len(self._running) < self._around.scripts_at_once:
            seconds = min(seconds, (due - self._around.clock()).total_seconds())
        for running in self._running.values():
            seconds = min(seconds, running.child.next_check - time.monotonic())
        self._sleep(max(0.05, seconds))

    def _sleep(self, seconds: float) -> None:
        poll = select.poll()
        for handle in (self._woken, *(fd for running in self._running.values() for fd in running.child.watched)):
            poll.register(handle, select.POLLIN)
        poll.poll(seconds * 1000)

    def _end_scripts(self) -> None:
        for running in self._running.values():
            running.child.ask_to_end()
        give_up = time.monotonic() + PATIENCE_SECONDS
        os.read(self._woken, 100)
        while self._running:
            if time.monotonic() > give_up:
                for running in self._running.values():
                    running.child.end_now()
            self._sleep(0.1)
            self._note_ended()


def _past(state: JobState | None, now: datetime) -> tuple[datetime, list[datetime]]:
    """Return since when a job's slots count, and its last starts, from its record.

    An interrupted run does not count, so that it is repeated if the job wants that, but only
    `MOST_RETRIES` times: the run itself may crash the machine.
    """
    if state is None:
        return now, []
    if state.last_started_at is None:
        return now if state.due_at is None else min(now, state.due_at - timedelta(seconds=1)), []
    if state.last_exit == INTERRUPTED and state.failures <= MOST_RETRIES:
        return state.last_started_at - timedelta(days=1), []
    return now, [state.last_started_at]
