"""The state of a host and its homes for its operator: figures, days, kinds of trouble, never a word
of a message.

Of a message the operator sees the day, not the minute: when a person is awake and talks is private.
"""

import os
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from furoshiki.app.jobs import JOBS
from furoshiki.core.database.connection import connect
from furoshiki.core.errors import FuroshikiError, StorageUnavailable
from furoshiki.core.paths import HOST, stamp_of
from furoshiki.core.process.locks import locks_held
from furoshiki.core.timestamps import day_start
from furoshiki.host import bot_states, deferred_updates, home_status, homes, store
from furoshiki.host.homes import LOCK, Home
from furoshiki.maintenance import doctor
from furoshiki.models.limits import limit_file

FRESH_S = 300.0  # seconds for which the figures of a home without changes are cached

PROCESSES = ("listener", "brain", "dashboard", "memoryd")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class HomeFigures:
    """The figures of one home. Money in dollars, sizes in megabytes; a day is a UTC day. `limits`
    has the use (None: not counted here) and the limit of each limited resource."""

    name: str
    state: str
    paused_since: str | None
    trouble: str | None
    megabytes: float
    messages_today: int
    messages_30_days: int
    cost_today: float
    cost_30_days: float
    waiting: int
    outside: int
    last_day: str | None
    failed_jobs: dict[str, int] = field(default_factory=dict)
    limits: dict[str, tuple[float | None, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class HostFigures:
    """The figures of all homes and of the host. `processes` has the megabytes of each process, None
    where it does not run; `doctor` has its findings on the host itself: state and words."""

    at: datetime
    homes: list[HomeFigures]
    processes: dict[str, float | None]
    load: tuple[float, float, float]
    memory_free_mb: float
    memory_mb: float
    disk_free_gb: float
    disk_gb: float
    bots: dict[str, str]
    doctor_at: datetime | None
    doctor: list[tuple[str, str]]

    def as_json(self) -> dict[str, Any]:
        """Return the figures for `--json`."""
        found = asdict(self)
        found["at"], found["doctor_at"] = self.at.isoformat(), self.doctor_at and self.doctor_at.isoformat()
        found["doctor"] = [{"state": state, "words": words} for state, words in self.doctor]
        for home in found["homes"]:
            home["limits"] = {name: {"used": use, "limit": most} for name, (use, most) in home["limits"].items()}
        return found


class Figures:
    """The figures of one folder of homes, cached per home until it changes. Thread-safe."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._kept: dict[str, tuple[object, datetime, HomeFigures]] = {}

    def gather(self, now: datetime) -> HostFigures:
        host, report = self._root / HOST, doctor.last_report(self._root / HOST)
        known = homes.every(self._root)
        running = processes(host / "run")
        troubles = {
            finding.check.removeprefix("home."): finding.words.partition(": ")[2]
            for finding in (report.of("wrong") if report else [])
            if finding.check.startswith("home.")
        }
        names = {home.name for home in known}
        self._kept = {name: kept for name, kept in self._kept.items() if name in names}
        memory, disk = _memory(), shutil.disk_usage(self._root)
        return HostFigures(
            now,
            [self._home(home, troubles.get(home.name), running["listener"] is not None, now) for home in known],
            running,
            os.getloadavg(),
            *memory,
            round(disk.free / 1e9, 1),
            round(disk.total / 1e9, 1),
            bot_states.load_troubles(self._root),
            report.at if report else None,
            [
                (finding.state, finding.words)
                for finding in (report.findings if report else [])
                if not finding.check.startswith("home.")
            ],
        )

    def _home(self, home: Home, trouble: str | None, listened: bool, now: datetime) -> HomeFigures:
        rows = home.database
        host, outside = self._root / HOST, self._root / HOST / deferred_updates.FOLDER / home.name
        seen = (
            *(stamp_of(path) for path in (rows, Path(f"{rows}-wal"), host / limit_file.NAME, outside)),
            *(home.paused_at, trouble, _state(home, listened), now.date()),
        )
        kept = self._kept.get(home.name)
        if kept is not None and kept[0] == seen and abs((now - kept[1]).total_seconds()) < FRESH_S:
            return kept[2]
        figures = self._count_home(home, trouble, listened, now)
        self._kept[home.name] = (seen, now, figures)
        return figures

    def _count_home(self, home: Home, trouble: str | None, listened: bool, now: datetime) -> HomeFigures:
        look, today = home_status.at(home, now), day_start(now)
        outside = self._root / HOST / deferred_updates.FOLDER / home.name
        messages, failed = 0, {}
        try:
            with closing(connect(home.database, "ro", busy_seconds=2.0)) as db:
                messages, failed = store.load(db, today).messages, _of_ours(store.count_failed_jobs(db, today))
        except (sqlite3.Error, StorageUnavailable, OSError):
            pass  # the trouble that `look` reports says so
        counted = home_status.measure_use(home, now)
        return HomeFigures(
            home.name,
            _state(home, listened),
            None if home.paused_at is None else f"{home.paused_at:%Y-%m-%d}",
            trouble or (look.trouble if look.unreadable else None),
            look.megabytes,
            messages,
            look.messages_30_days,
            counted.get("money", 0.0),
            look.cost_30_days,
            look.waiting,
            sum(path.suffix == ".json" for path in outside.iterdir()) if outside.is_dir() else 0,
            look.last_message_at and look.last_message_at[:10],
            failed,
            self._limits(home, {**counted, "disk": look.megabytes * 1e6}),
        )

    def _limits(self, home: Home, counted: dict[str, float]) -> dict[str, tuple[float | None, float]]:
        try:
            limits = asdict(limit_file.of_home(self._root / HOST, home.name))
        except FuroshikiError:
            return {}  # the doctor and `furoshiki host limit` report a bad file
        return {name: (counted.get(name), most) for name, most in limits.items() if most is not None}


def _of_ours(failed: dict[str, int]) -> dict[str, int]:
    """Count failures by job; names of plugins' jobs are private and counted as "another job"."""
    found: Counter[str] = Counter()
    for name, count in failed.items():
        found[name if name in JOBS else "another job"] += count
    return dict(found)


def _state(home: Home, listened: bool) -> str:
    held = locks_held(home.data / "run")
    if home.paused_at is not None:
        return "rests"
    if LOCK in held:
        return "awake"
    if held & {"mind.lock", "up.lock", "brain.lock"}:
        return "runs by itself"
    return "asleep" if listened else "stands still"


def processes(run: Path) -> dict[str, float | None]:
    """Return the megabytes of each running process, None for the others."""
    found = dict.fromkeys(PROCESSES, None) | {name: _megabytes(_pid(run / f"{name}.alive")) for name in PROCESSES[:3]}
    if "memoryd.lock" in locks_held(run):
        found["memoryd"] = _megabytes(_holder(run / "memoryd.lock")) or 0.0
    return found


def _holder(lock: Path) -> int | None:
    """Return the id of the process that holds a lock file, or None."""
    try:
        mark = f":{lock.stat().st_ino}"
        fields = [line.split() for line in Path("/proc/locks").read_text(encoding="ascii").splitlines()]
        return next((int(one[4]) for one in fields if len(one) > 5 and one[5].endswith(mark)), None)
    except (OSError, ValueError):
        return None


def _pid(sign: Path) -> int | None:
    try:
        return int(sign.read_text(encoding="ascii").strip())
    except (OSError, ValueError):
        return None


def _megabytes(pid: int | None) -> float | None:
    """Return the memory of a furoshiki process in MB; None when it is gone."""
    if pid is None:
        return None
    try:
        if b"furoshiki" not in Path(f"/proc/{pid}/cmdline").read_bytes():
            return None
        return round(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE / 1e6, 1)
    except (OSError, ValueError, IndexError):
        return None


def _memory() -> tuple[float, float]:
    """Return the available and the total memory of this machine in megabytes."""
    lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    kilobytes = {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines)}
    return round(kilobytes["MemAvailable"] / 1e3), round(kilobytes["MemTotal"] / 1e3)
