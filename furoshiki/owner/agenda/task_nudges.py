"""Nudges for tasks without a time: p1 every day, p2 every three days, p3 every week."""

import sqlite3
from datetime import datetime, tzinfo

from furoshiki.core import refs
from furoshiki.core.timestamps import local
from furoshiki.language.humanize import plural
from furoshiki.language.list_names import list_name
from furoshiki.owner.agenda.rules import cadence
from furoshiki.owner.agenda.store import mind_queue, tasks
from furoshiki.owner.agenda.store.tasks import Task
from furoshiki.owner.user_model import user
from furoshiki.world import Report, World

KIND = "reminder"
KEY = "task_nudge"


def bring_up(world: World) -> Report:
    """Queue nudges that are due now."""
    with world.database.write() as db:
        queued = enqueue(db, world.now, user.zone(world, db))
    summary = f"{plural(len(queued), 'task')} came to mind" if queued else "no task comes to mind"
    return Report(bool(queued), summary, {"queued": queued})


def enqueue(db: sqlite3.Connection, now: datetime, zone: tzinfo) -> list[int]:
    """Add due nudges to the mind queue and record them on the tasks; return the queue's rows.

    In the caller's transaction. Tasks that are queued already are left out.
    """
    queued = []
    for task in tasks.to_bring_up(db):
        if not cadence.wants_nudge(task.list_id, task.priority, task.created_at, task.spoken_of_at, now):
            continue
        row = mind_queue.add(
            db,
            KIND,
            _words(task, now, zone),
            f"{KEY}:{task.id}:{task.nudges + 1}",
            now,
            priority=task.priority,
            source=refs.name("tasks", task.id),
            by_key_alone=True,  # the same task in a week counts as a new thought
        )
        tasks.record_nudge(db, task.id, now)
        queued += [] if row is None else [row]
    return queued


def _words(task: Task, now: datetime, zone: tzinfo) -> str:
    since, today = local(task.created_at, zone), local(now, zone)
    year = "" if since.year == today.year else f" {since.year}"
    return (
        f"Still to be done, on the {list_name(task.list_id)} list since {since.strftime('%-d %B')}{year}: {task.title}"
    )
