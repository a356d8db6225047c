"""Check whether to look for milestones. Imports only the standard library and stores."""

import sqlite3
from datetime import datetime

from furoshiki.mind.readiness.rules import NAMES
from furoshiki.mind.readiness.store import reached


def milestones(db: sqlite3.Connection, now: datetime) -> str | None:
    """Report a reason once an hour, until all milestones are reached."""
    if reached.rests(db, now) or len(reached.read_all(db)) >= len(NAMES):
        return None
    return "milestones were not looked for in this hour"
