"""Check for waiting thoughts to weigh, or a long task to work on.

Each function returns the reason to run, or None. Imports only the standard library and storage.
"""

import sqlite3
from datetime import datetime

from furoshiki.owner.agenda.store import mind_queue, persistent_task_work


def attend(db: sqlite3.Connection, _now: datetime) -> str | None:
    """Report waiting thoughts."""
    return "something is on its mind" if mind_queue.count_pending(db) else None


def persistent_tasks(db: sqlite3.Connection, now: datetime) -> str | None:
    """Report a long task that is overdue, needs a plan, or can be continued."""
    if persistent_task_work.overdue(db, now):
        return "a long task has run out of time"
    if persistent_task_work.find_unplanned(db, now) is not None:
        return "a long task wants a plan"
    return "a long task can be worked on" if persistent_task_work.next_task(db, now) is not None else None
