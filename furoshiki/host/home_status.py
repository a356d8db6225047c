"""The state of a home in figures: size, cost, load, kinds of trouble; no word of a message."""

import sqlite3
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from furoshiki.app.scheduler.store import runs
from furoshiki.core.database import migrate, troubles
from furoshiki.core.database.connection import connect
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.timestamps import day_start
from furoshiki.host import store
from furoshiki.host.homes import Home
from furoshiki.models.limits import room
from furoshiki.models.llm.store import costs

DAYS = 30  # days over which costs and load are counted

AN_HOUR = timedelta(hours=1)
BUSY_SECONDS = 2.0


@dataclass(frozen=True)
class Look:
    """A home in figures: megabytes on disk, dollars and messages of thirty days, waiting messages,
    and its kind of trouble (None: none)."""

    name: str
    megabytes: float
    cost_30_days: float
    messages_30_days: int
    waiting: int
    last_message_at: str | None
    trouble: str | None
    unreadable: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the figures for `--json`."""
        return {name: value for name, value in asdict(self).items() if name != "unreadable"}


def at(home: Home, now: datetime) -> Look:
    """Measure a home, running or not; an unreadable database is reported as its trouble."""
    size = round(room.measure(home.data) / 1e6, 1)
    try:
        if migrate.current(home.database) != migrate.HEAD:
            return Look(home.name, size, 0.0, 0, 0, None, "its database has another schema: `furoshiki migrate`", True)
        with closing(connect(home.database, "ro", busy_seconds=BUSY_SECONDS)) as db:
            return _measure(db, home.name, size, now)
    except (sqlite3.Error, StorageUnavailable, OSError) as error:
        return Look(home.name, size, 0.0, 0, 0, None, f"its database cannot be read ({type(error).__name__})", True)


def _measure(db: sqlite3.Connection, name: str, size: float, now: datetime) -> Look:
    since = now - timedelta(days=DAYS)
    load = store.load(db, since)
    met = ", ".join(sorted({trouble.what.partition(":")[0] for trouble in troubles.read_all(db)}))
    spent = round(costs.spent_since(db, since), 4)
    return Look(name, size, spent, load.messages, load.waiting, load.last_message_at, met or None)


def measure_use(home: Home, now: datetime) -> dict[str, float]:
    """Return what the home has used, by limit (empty: unreadable): dollars and calls since midnight
    UTC, bytes of disk, seconds of CPU in the last hour."""
    midnight = day_start(now)
    try:
        with closing(connect(home.database, "ro", busy_seconds=BUSY_SECONDS)) as db:
            return {
                "money": round(costs.spent_since(db, midnight), 6),
                "calls": costs.calls_since(db, midnight),
                "disk": room.measure(home.data),
                "cpu": round(runs.cpu_since(db, now - AN_HOUR), 1),
            }
    except (sqlite3.Error, StorageUnavailable, OSError):
        return {}
