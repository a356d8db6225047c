"""Tasks without a time come to mind by their priority: p1 every day, p2 every three days, p3 every week."""

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
    """Queue what wants a nudge now."""
    with world.database.write() as db:
        queued = enqueue(db, world.now, user.zone(world, db))
    told = f"{plural(len(queued), 'task')} came to mind" if queued else "no task comes to mind"
    return Report(bool(queued), told, {"queued": queued})


def enqueue(db: sqlite3.Connection, now: datetime, zone: tzinfo) -> list[int]:
    """Put what wants a nudge now into the mind queue, and note on each task that it was; returns the queue's rows.

    In the caller's transaction. One that waits to be said already is not queued a second time.
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
            by_key_alone=True,  # the same task again in a week is not the same thought
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
