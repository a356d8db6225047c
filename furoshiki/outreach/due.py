"""Is there anything to say unasked?

Each question returns the reason to run, or None. Only the standard library and the storage are imported here.
"""

from __future__ import annotations

import sqlite3
from datetime import datetime

from furoshiki.agenda.store import tasks


def reminders(db: sqlite3.Connection, now: datetime) -> str | None:
    """Reminders whose time has come."""
    due = len(tasks.due(db, now))
    return f"{due} reminders are due" if due else None
