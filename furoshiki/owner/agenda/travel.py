"""Adjust reminders when their owner's time zone changes.

Recurring ones move along: "every day at nine" is nine in the new zone. Single ones keep their time,
as do those in another zone ("9am New York time"), and those that count hours or minutes.
"""

import sqlite3
from datetime import UTC, datetime, tzinfo

from furoshiki.language.dates import recurrence
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.agenda.store.tasks import Task

_BY_THE_CLOCK = ("FREQ=DAILY", "FREQ=WEEKLY", "FREQ=MONTHLY", "FREQ=YEARLY")


def follow(db: sqlite3.Connection, home: tzinfo, there: tzinfo, now: datetime) -> list[Task]:
    """Move recurring reminders from the zone `home` to `there`; return the moved ones.

    Each keeps its hour and its next day, so that no day has it twice. In the caller's transaction.
    """
    recurring = [task for task in tasks.list_recurring(db) if task.due_zone == str(home) and _by_the_clock(task)]
    for task in recurring:
        assert task.due_at is not None and task.first_due is not None and task.recurrence is not None
        first, due = _same_wall(task.first_due, home, there), _same_wall(task.due_at, home, there)
        if due <= now:
            due = recurrence.find_next(task.recurrence, first, now, there) or due
        tasks.move_zone(db, task.id, first, due, str(there), now)
    return recurring


def _by_the_clock(task: Task) -> bool:
    return any(name in (task.recurrence or "") for name in _BY_THE_CLOCK)


def _same_wall(at: datetime, home: tzinfo, there: tzinfo) -> datetime:
    """Return the time with the same wall clock reading there."""
    return at.astimezone(home).replace(tzinfo=there).astimezone(UTC)
