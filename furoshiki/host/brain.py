"""One scheduler for all homes: checks each home's jobs when they are due, and runs those that have
a reason. A home with nothing to do costs one database query, well under a millisecond.

Jobs at intervals are spread over the interval, each home at its own moment; jobs at a time of day
begin within half an hour of it. A job that fails is logged in its own home.
"""

from __future__ import annotations

import heapq
import logging
import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from furoshiki.app.jobs import JOBS
from furoshiki.app.run_job import Asking
from furoshiki.app.scheduler import schedule_file
from furoshiki.app.scheduler.rules import Idle
from furoshiki.app.scheduler.schedule_file import Entry
from furoshiki.app.scheduler.store import runs
from furoshiki.core import paths
from furoshiki.core.atomic_files import locked
from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database, connect, explained
from furoshiki.core.errors import AlreadyRunning, FuroshikiError, StorageUnavailable
from furoshiki.core.logs import Redacting
from furoshiki.core.paths import HOST, stamp_of
from furoshiki.core.process import liveness
from furoshiki.core.process.systemd import Notifier
from furoshiki.host import homes
from furoshiki.host.disk_watch import DiskWatch
from furoshiki.host.doctors_rounds import DoctorsRounds
from furoshiki.host.home_logs import about
from furoshiki.host.homes import Home
from furoshiki.host.job_figures import Board, Jobs
from furoshiki.host.job_pool import Asked, Ended, JobPool
from furoshiki.host.open_home import secrets_of, settings_of
from furoshiki.host.rules import staggering
from furoshiki.host.rules.job_turns import JobTurns
from furoshiki.maintenance import job_file
from furoshiki.models.limits import limit_file
from furoshiki.owner.user_model.user import ZONE_KEY

log = logging.getLogger(__name__)

MOST_AT_ONCE = 2  # jobs that run at the same time on this machine

LOOK_SECONDS = 5.0
HOMES_SECONDS = 30.0  # how often, in seconds, the list of homes and their schedules are read again

AN_HOUR = timedelta(hours=1)

BUSY_SECONDS = 1.0
REMEMBERED_RUNS = 2

Due = tuple[datetime, int, str, str]  # when, a number that keeps the order, the home, the job


@dataclass
class Table:
    """The jobs of a home: its entries (shared by all homes without schedules of their own), time
    zone, and last starts of rare jobs. Due items numbered up to `after` are of an earlier table."""

    home: Home
    entries: Mapping[str, Entry]
    zone: tzinfo
    seen: object
    after: int
    secrets: tuple[str, ...] = ()
    runs: dict[str, deque[datetime]] = field(default_factory=dict)


class HostBrain:
    """The scheduler of one folder of homes; runs until `stop` is called."""

    def __init__(
        self,
        root: Path,
        clock: Callable[[], datetime],
        notifier: Notifier | None = None,
    ) -> None:
        self._root = root
        self._clock = clock
        self._notifier = notifier or Notifier({})
        self._pool = JobPool(MOST_AT_ONCE)
        self._shipped: tuple[object, Mapping[str, Entry]] = (None, {})
        self.tables: dict[str, Table] = {}
        self._heap: list[Due] = []
        self._rounds = DoctorsRounds(root)
        self._disk = DiskWatch(root)
        self._waiting = JobTurns()
        """Jobs that have a reason to run and wait for a process."""
        self._resting: dict[str, float] = {}
        """Homes at their CPU limit, and the monotonic time until which it is not checked again."""
        self._number = 0
        self._board = Board(root / HOST / "run")
        self._done = self._failed = 0
        self._stopping = False
        self._looked = float("-inf")
        self._woken, self._wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    def run(self) -> None:
        """Schedule until stopped, then end the running jobs. Raises AlreadyRunning."""
        own = self._root / HOST / "run"
        with locked(own / "brain.lock", wait=False) as alone:
            if not alone:
                raise AlreadyRunning("another brain already runs for these homes: stop it, or let it work")
            self._notifier.ready("scheduling")
            with liveness.shown(own / "brain.alive") as beat:
                while not self._stopping:
                    self.step()
                    beat()
                    self._notifier.feed(f"{len(self.tables)} homes")
                    self._pool.wait(self._seconds(), self._woken)
            self._notifier.stopping()
            self._pool.close()
            self._rounds.end()

    def stop(self) -> None:
        """Make `run` return soon. May be called from a signal handler."""
        self._stopping = True
        os.write(self._wake, b".")

    def step(self) -> None:
        """Do one round: record ended jobs, update the homes, check due jobs, begin waiting ones."""
        for ended in self._pool.ended():
            self._note(ended)
        if time.monotonic() - self._looked > HOMES_SECONDS:
            self._looked = time.monotonic()
            self._look_around()
        now = self._clock()
        self._rounds.go_on(now, self.tables)
        while self._heap and self._heap[0][0] <= now and not self._stopping:
            self._ask_home(now)
        while self._waiting and self._pool.has_room and (whose := self._next()) is not None:
            self._begin(whose, self._waiting.take(whose))
        self._measure(now)
        self._board.show(Jobs(len(self._pool.busy), len(self._waiting), self._done, self._failed))

    def _seconds(self) -> float:
        if self._heap:
            return min(LOOK_SECONDS, max(0.0, (self._heap[0][0] - self._clock()).total_seconds()))
        return LOOK_SECONDS

    # -- the list of homes --

    def _look_around(self) -> None:
        try:
            every = homes.every(self._root)
        except (FuroshikiError, OSError) as error:  # the known homes go on
            log.error("which homes there are cannot be read: %s", error)
            return
        there = {home.name: home for home in every if home.paused_at is None}
        for name in self.tables.keys() - there.keys():
            del self.tables[name]
            self._waiting.drop(name)
        for name, home in there.items():
            own = home.data / "memory" / "schedules.json"
            seen = (stamp_of(job_file.SHIPPED), stamp_of(own), *map(stamp_of, paths.settings_files(home.data)))
            table = self.tables.get(name)
            if table is None or table.seen != seen:
                try:
                    self._take_in(home, own, seen)
                except Exception as error:  # a damaged home must not stop the others
                    self._complain(home, f"its schedules cannot be used: {type(error).__name__}: {error}")

    def _take_in(self, home: Home, own: Path, seen: object) -> None:
        """Add a home, or read its schedules again."""
        now, before = self._clock(), self.tables.get(home.name)
        entries, settings = self._entries(own), settings_of(home)
        with self._open_read_only(home) as db:
            chosen, states = kv.get(db, ZONE_KEY), runs.jobs(db)
        where = ZoneInfo(chosen) if chosen else settings.zone
        table = Table(home, entries, where, seen, self._number, settings.secrets())
        for name, state in states.items():
            if state.last_started_at is not None:
                table.runs[name] = deque([state.last_started_at], REMEMBERED_RUNS)
        if before is None:
            with closing(_database(home)) as database, database.write() as db:
                runs.close_interrupted(db, now)
        self.tables[home.name] = table
        for entry in entries.values():
            if entry.enabled:
                since = states[entry.name].due_at if entry.name in states else None
                known, zone = table.runs.get(entry.name, ()), entry.zone_of(table.zone)
                due = staggering.first_due(entry.timing, home.name, now, zone, known, since or now)
                self._push(due, home.name, entry.name)

    def _entries(self, own: Path) -> Mapping[str, Entry]:
        if own.exists():
            return schedule_file.read(own)
        shipped = stamp_of(job_file.SHIPPED)
        if self._shipped[0] != shipped:
            self._shipped = (shipped, schedule_file.read(own))
        return self._shipped[1]

    def _open_read_only(self, home: Home) -> closing[sqlite3.Connection]:
        with explained(home.database, BUSY_SECONDS):
            return closing(connect(home.database, "ro", busy_seconds=BUSY_SECONDS))

    # -- due jobs --

    def _push(self, due: datetime | None, home: str, job: str) -> None:
        if due is not None:
            self._number += 1
            heapq.heappush(self._heap, (due, self._number, home, job))

    def _ask_home(self, now: datetime) -> None:
        """Check all jobs that are due now of the home at the front of the heap."""
        first = self._heap[0]
        table = self.tables.get(first[2])
        asking = None if table is None else Asking(table.home.data, table.home.database, BUSY_SECONDS)
        with asking or nullcontext():
            while self._heap and self._heap[0][0] <= now and self._heap[0][2] == first[2]:
                due, number, _, job = heapq.heappop(self._heap)
                if table is not None and asking is not None and number > table.after:
                    self._ask(table, asking, due, table.entries[job], now)

    def _ask(self, table: Table, asking: Asking, due: datetime, entry: Entry, now: datetime) -> None:
        """Queue a due job if there is a reason for it, and schedule its next check."""
        home, job = table.home.name, entry.name
        try:
            called = self._is_called_for(table, asking, entry, now)
        except Exception as error:  # a failing home must not stop the others
            self._complain(table.home, f"{job}: {type(error).__name__}: {error}")
            called = False
        if called and (home, job) not in self._pool.busy and (home, job) not in self._waiting:
            self._waiting.add(home, job)
        elif entry.rare and not called:
            self._remember(table, entry, now, 0)
        known = table.runs.get(job, ())
        self._push(staggering.next_due(entry.timing, home, due, now, entry.zone_of(table.zone), known), home, job)

    def _is_called_for(self, table: Table, asking: Asking, entry: Entry, now: datetime) -> bool:
        data = table.home.data
        if isinstance(entry.timing.when, Idle):
            last = asking.last_activity()
            if last is None or (now - last).total_seconds() < entry.timing.when.seconds:
                return False
            if entry.name in table.runs and table.runs[entry.name][-1] >= last:
                return False
        if entry.script.stem not in JOBS:
            return True
        job = JOBS[entry.script.stem].about(entry.args)
        with paths.living_in(data), about(data, table.secrets):
            return asking.reason_for(job, now) is not None

    def _measure(self, now: datetime) -> None:
        """Measure the disk use of the home whose turn it is."""
        name = self._disk.due(self.tables.keys())
        if name is not None:
            try:
                self._disk.look(self.tables[name].home, now)
            except (FuroshikiError, OSError) as error:
                self._complain(self.tables[name].home, f"its limit of disk cannot be judged: {error}")

    def _next(self) -> str | None:
        """Return the home whose job runs next; None when all are at their CPU limit."""
        return next((home for home in self._waiting.order(self._pool.homes) if not self._rests(home)), None)

    def _rests(self, home: str) -> bool:
        """Return whether a home has used its CPU for the hour; only its own jobs then wait."""
        table = self.tables.get(home)
        if table is None or self._resting.get(home, 0.0) > time.monotonic():
            return table is not None
        try:
            most = limit_file.of_home(self._root / HOST, home).cpu
            if most is None:
                return False
            with self._open_read_only(table.home) as db:
                used = runs.cpu_since(db, self._clock() - AN_HOUR)
        except (FuroshikiError, sqlite3.DatabaseError, OSError) as error:
            self._complain(table.home, f"its limit of CPU cannot be judged, and does not hold: {error}")
            return False
        if used < most:
            self._resting.pop(home, None)
            return False
        if home not in self._resting:
            with about(table.home.data):
                log.info("its jobs wait: in the last hour they used %.0f s of CPU, and may use %d", used, most)
        self._resting = {name: until for name, until in self._resting.items() if name in self._waiting.homes()}
        self._resting[home] = time.monotonic() + LOOK_SECONDS
        return True

    def _begin(self, home: str, job: str) -> None:
        table = self.tables.get(home)
        entry = table.entries.get(job) if table is not None else None
        if table is None or entry is None:
            return
        now = self._clock()
        table.runs.setdefault(job, deque(maxlen=REMEMBERED_RUNS)).append(now)
        if entry.rare:
            self._remember(table, entry, now, None)
        self._pool.begin(Asked(home, table.home.data, entry.script.stem, entry.args, entry.timeout_s))

    def _remember(self, table: Table, entry: Entry, now: datetime, exit_code: int | None) -> None:
        """Record that a job at a time of day has had its turn, for the case of a restart."""
        table.runs.setdefault(entry.name, deque(maxlen=REMEMBERED_RUNS)).append(now)
        try:
            with closing(_database(table.home)) as database, database.write() as db:
                ended = None if exit_code is None else now
                runs.note_run(db, entry.name, now, ended, exit_code, due_at=now)
        except StorageUnavailable as error:
            self._complain(table.home, f"what ran cannot be written down: {error}")

    def _note(self, ended: Ended) -> None:
        """Count an ended job; a job that died or failed wrote no row, so record it here."""
        table = self.tables.get(ended.asked.home)
        self._done += 1
        self._failed += ended.exit_code != 0
        if table is None or ended.exit_code == 0:
            return
        self._complain(table.home, f"{ended.asked.job} ended with {ended.exit_code}")
        now = self._clock()
        summary = Redacting(table.secrets).clean(ended.summary)
        try:
            with closing(_database(table.home)) as database, database.write() as db:
                began = table.runs[ended.asked.job][-1] if ended.asked.job in table.runs else now
                runs.note_run(db, ended.asked.job, began, now, ended.exit_code)
                row = runs.find_unfinished(db, ended.asked.job, began)
                if row is not None:
                    code, cpu_s = ended.exit_code, ended.cpu_s
                    runs.finish(db, row, now, code, cpu_s=cpu_s, peak_mb=None, did_work=False, summary=summary)
        except StorageUnavailable:
            log.warning("%s: what failed cannot be written down", table.home.name)

    def _complain(self, home: Home, words: str) -> None:
        """Log the words to the home's own log; the host's log names only the home."""
        log.warning("%s: a job has trouble; its own log says more", home.name)
        table = self.tables.get(home.name)
        with about(home.data, table.secrets if table is not None else secrets_of(home)):
            log.warning("%s", words)


def _database(home: Home) -> Database:
    """Open a home's database with a short timeout, so that a locked one delays no other."""
    return Database(home.database, busy_seconds=BUSY_SECONDS)
