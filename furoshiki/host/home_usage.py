"""How much a home has used of its limits, for the operator of the machine: figures only."""

import sqlite3
from datetime import UTC, datetime, timedelta

from furoshiki.app.scheduler.store import runs
from furoshiki.core.database.connection import connect
from furoshiki.core.errors import StorageUnavailable
from furoshiki.host.homes import Home
from furoshiki.models.limits import room
from furoshiki.models.llm.store import costs

AN_HOUR = timedelta(hours=1)


def today(home: Home, now: datetime) -> dict[str, float]:
    """Return what the home has used, by limit (empty: unreadable): dollars and calls since midnight
    UTC, bytes of disk, seconds of CPU in the last hour."""
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    try:
        db = connect(home.data / "memory" / "longmemory.sqlite", "ro", busy_seconds=2.0)
        try:
            return {
                "money": round(costs.spent_since(db, midnight), 6),
                "calls": costs.calls_since(db, midnight),
                "disk": room.measure(home.data),
                "cpu": round(runs.cpu_since(db, now - AN_HOUR), 1),
            }
        finally:
            db.close()
    except (sqlite3.Error, StorageUnavailable, OSError):
        return {}
