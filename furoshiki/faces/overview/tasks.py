"""Lists, reminders, long tasks and operations, with times in the owner's zone."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from furoshiki.core.catalogue import later, say
from furoshiki.language.dates.recurrence_words import add_rhythm
from furoshiki.language.humanize import clock
from furoshiki.language.list_names import list_name
from furoshiki.owner.agenda.rules import long_tasks
from furoshiki.owner.agenda.rules.long_tasks import OPEN, LongTask, Step
from furoshiki.owner.agenda.store import operations, persistent_tasks, tasks
from furoshiki.owner.agenda.store.operations import Operation
from furoshiki.owner.agenda.store.tasks import Task
from furoshiki.owner.user_model import user
from furoshiki.world import World

SHOWN = 30
"""Tasks shown of one list on the common page."""

SHOWN_ALONE = 1000
DONE_SHOWN = 30
OPERATIONS_SHOWN = 10
JUST_OVER = timedelta(days=30)
"""How long a finished long task stays on the page; the shell shows it longer."""

_OPERATION_IN_WORDS = later(
    {
        "pending": "in progress",
        "completed": "finished, not reported yet",
        "failed": "did not work out",
        "read": "finished",
        "harvested": "finished, and remembered",
        "archived": "put away",
    }
)


@dataclass(frozen=True)
class Item:
    """A task, its due time in words, and whether it is overdue."""

    task: Task
    when: str
    late: bool


@dataclass(frozen=True)
class List:
    """A list with its open tasks. `many` counts them; `items` are those shown."""

    id: str
    name: str
    many: int
    items: list[Item]


@dataclass(frozen=True)
class Long:
    """A long task with its plan, state in words, and possible decisions."""

    task: LongTask
    steps: list[Step]
    standing: str
    decisions: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Shown:
    """The values of the page."""

    lists: list[List]
    done: list[Item]
    long: list[Long]
    operations: list[tuple[Operation, str]]
    names: list[str]
    zone: str


def gather(world: World, only: str | None = None) -> Shown:
    """Gather the values of the page, or of one list in full."""
    now = world.now
    with world.database.read() as db:
        zone, many = user.zone(world, db), tasks.lists(db)
        names = [name for name in sorted(many, key=_place) if only in (None, name)]
        lists = [_list(db, name, many[name], zone, now, SHOWN if only is None else SHOWN_ALONE) for name in names]
        items = [] if only else [_item(task, zone, now) for task in tasks.list_completed(db, DONE_SHOWN)]
        unfinished = [] if only else persistent_tasks.of_states(db, OPEN)
        over = [] if only else persistent_tasks.just_over(db, now - JUST_OVER)
        long = [_long(db, task) for task in (*unfinished, *over)]
        begun = [] if only else operations.latest(db, OPERATIONS_SHOWN)
    return Shown(
        lists=lists,
        done=items,
        long=long,
        operations=[(operation, say(_OPERATION_IN_WORDS.get(operation.state, operation.state))) for operation in begun],
        names=[list_name(name) for name in sorted(many, key=_place) if name != tasks.REMINDERS],
        zone=str(zone),
    )


def _place(list_id: str) -> tuple[bool, str]:
    return list_id != tasks.REMINDERS, list_id


def _list(db: sqlite3.Connection, name: str, many: int, zone: tzinfo, now: datetime, most: int) -> List:
    said = "Reminders" if name == tasks.REMINDERS else list_name(name).capitalize()
    return List(name, said, many, [_item(task, zone, now) for task in tasks.in_list(db, name)[:most]])


def _item(task: Task, zone: tzinfo, now: datetime) -> Item:
    late = task.state == "open" and task.due_at is not None and task.due_at < now
    return Item(task, _when(task, zone, now), late)


def _when(task: Task, zone: tzinfo, now: datetime) -> str:
    """Format a time as briefly as `/tasks` does."""
    if task.due_at is None:
        return ""
    return add_rhythm(clock(task.due_at, zone, now), task.recurrence, task.due_at, zone)


def _long(db: sqlite3.Connection, task: LongTask) -> Long:
    decisions: tuple[tuple[str, str], ...] = ()
    if task.state == "proposed":
        decisions = (("accept", later("Start")), ("decline", later("Don't do it")))
    elif task.state in ("accepted", "in_progress"):
        decisions = (("pause", later("Pause")), ("cancel", later("Cancel the task")))
    elif task.state == "paused":
        decisions = (("resume", later("Go on")), ("cancel", later("Cancel the task")))
    return Long(task, persistent_tasks.steps(db, task.id), long_tasks.describe(task), decisions)
