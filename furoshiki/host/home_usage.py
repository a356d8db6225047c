"""What a home has used of what it may use, for the operator of the machine: figures, and no word of anybody."""

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
    """What a home has used, by the name of the limit, of those that are counted; empty when it cannot be read."""
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
