"""Whether any task needs a nudge.

The question returns the reason to run, or None. Only the standard library and the storage are
imported here.
"""

import sqlite3
from datetime import datetime

from furoshiki.owner.agenda.rules import cadence
from furoshiki.owner.agenda.store import tasks


def task_nudges(db: sqlite3.Connection, now: datetime) -> str | None:
    """Return a reason if tasks without a time are due for a nudge."""
    wanting = sum(
        cadence.wants_nudge(task.list_id, task.priority, task.created_at, task.spoken_of_at, now)
        for task in tasks.to_bring_up(db)
    )
    return f"{wanting} tasks want to be brought up" if wanting else None
