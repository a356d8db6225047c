"""The owner's changes to their tasks, in the shell or on a page.

Times are parsed as in the chat: "tomorrow at 9", "in 20 minutes", "every monday at 18:00", or ISO.
"""

import sqlite3
from datetime import UTC, datetime, tzinfo
from typing import Any, Literal

from furoshiki.conversation.skills import rescheduling
from furoshiki.core.catalogue import Sentence, later
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.json_values import pick
from furoshiki.core.timestamps import local, stamp
from furoshiki.language.dates import recurrence, time_changes
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import FURTHEST, Unclear, When
from furoshiki.language.dates.time_changes import parse_time
from furoshiki.language.list_names import TODO, list_id
from furoshiki.language.reflex.wording import describe_moment, rhythm
from furoshiki.owner.agenda.rules.cadence import ORDINARY
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.agenda.store.tasks import Task
from furoshiki.owner.user_model import user
from furoshiki.world import World

TIMES = later("use an ISO time like 2026-11-22T18:00, or words like “sunday at six” or “in 20 minutes”")
RHYTHMS = later("use words like “every monday at 9” or “daily”, or a rule like FREQ=WEEKLY;BYDAY=MO with {due}")

Field = Literal["due", "repeat"]


class CannotPlan(FuroshikiError):
    """A time or rhythm cannot be parsed. `field` is where it was typed, `problem` the cause,
    `instead` what to type; "{due}" in it stands for the name of the time field."""

    exit_code = 2

    def __init__(self, field: Field, words: str, problem: str, instead: str) -> None:
        wrong = later("“{words}” {problem}; {instead}.")
        super().__init__(
            Sentence(wrong, words=words, problem=problem, instead=Sentence(instead, due=Sentence("a time")))
        )
        self.field, self.words, self.problem, self.instead = field, words, problem, instead


class NoSuchTask(FuroshikiError):
    """Nothing open is called that."""


def plan_time(due: str | None, repeat: str | None, now: datetime, habits: Habits, title: str = "") -> When | None:
    """Parse the time and rhythm, relative to `now` in the owner's zone; None without them. `title`
    is the task, which may contain a time. Raises CannotPlan."""
    when = None if due is None else _read(due, now, habits, "due", TIMES, title)
    if repeat is not None:
        when = _plan_repeat(repeat, when, now, habits, title)
    if when is None:
        return None
    if when.rule is not None and when.past:
        coming = recurrence.find_next(when.rule, when.at, now, now.tzinfo or UTC)
        when = when if coming is None else When(coming, when.start, when.end, when.rule, zone=when.zone)
    if when.past:
        raise CannotPlan("due", due or repeat or "", Sentence("has gone by"), TIMES)
    if when.at - now > FURTHEST:
        raise CannotPlan("due", due or repeat or "", Sentence("is more than ten years away"), TIMES)
    return when


def add(
    world: World,
    title: str,
    due: str | None = None,
    repeat: str | None = None,
    list_: str | None = None,
    priority: int = ORDINARY,
) -> Task:
    """Add a task: to the named list, else to the reminders if it has a time, else to the to-do
    list. Raises CannotPlan."""
    with world.database.read() as db:
        zone, habits = user.zone(world, db), user.habits(world, db)
    when = plan_time(due, repeat, local(world.now, zone), habits, title)
    timing: dict[str, Any] = {}
    name = TODO
    if when is not None:
        name = tasks.REMINDERS
        timing = {"due_at": when.at.astimezone(UTC), "due_zone": when.zone or str(zone), "recurrence": when.rule}
    if list_:
        name = list_id(list_)
    with world.database.write() as db:
        number = tasks.add(
            db,
            name,
            title,
            world.now,
            priority=priority,
            **timing,
        )
        return open_task(db, number)


def change(
    world: World, number: int, title: str | None = None, due: str | None = None, list_: str | None = None
) -> Task:
    """Change title, time (a rhythm stays unless a new one is given) or list of an open task. Raises
    CannotPlan, NoSuchTask."""
    now = world.now
    with world.database.read() as db:
        zone, habits = user.zone(world, db), user.habits(world, db)
    when = None if due is None else plan_time(due, None, local(now, zone), habits)
    with world.database.write() as db:
        task = open_task(db, number)
        rule = None if when is None else when.rule
        if when is not None and task.recurrence and rule is None:
            rule = time_changes.fit_rule(task.recurrence, when.at.astimezone(zone))
            if rule is None:
                raise CannotPlan("due", due or "", Sentence("doesn't match how it repeats"), RHYTHMS)
        if title is not None or when is not None:
            at = None if when is None else when.at.astimezone(UTC)
            tasks.change(db, task, now, f"tasks change {stamp(now)}", title=title, due_at=at, recurrence=rule)
        if list_ is not None:
            tasks.move(db, number, list_id(list_), now)
        return open_task(db, number)


def tick_off(world: World, db: sqlite3.Connection, task: Task) -> Task:
    """Tick off a task, of a recurring one this occurrence. Returns its new state."""
    now = world.now
    following = rescheduling.again(task, max(now, task.due_at or now), user.zone(world, db))
    tasks.tick_off(db, task, now, f"tasks done {stamp(now)}", following)
    return tasks.get(db, task.id) or task


def remove(world: World, db: sqlite3.Connection, task: Task) -> Task:
    """Cancel a task. Returns its new state."""
    tasks.set_state(db, task.id, "cancelled", world.now)
    return tasks.get(db, task.id) or task


def open_task(db: sqlite3.Connection, number: int) -> Task:
    """Return the open task with this number. Raises NoSuchTask."""
    task = tasks.get(db, number)
    if task is None or task.state != "open":
        none, over = later("there is no task {number}"), later("task {number} is {state} already")
        why = (
            Sentence(none, number=number) if task is None else Sentence(over, number=number, state=Sentence(task.state))
        )
        raise NoSuchTask(Sentence("{why}; `furoshiki tasks list` shows what is open", why=why))
    return task


def when_said(task: Task, zone: tzinfo, now: datetime) -> str:
    """Say when a task is due and how it repeats; empty without a time."""
    if task.due_at is None:
        return ""
    there = task.due_zone if task.due_zone and task.due_zone != str(zone) else ""
    again = f", {rhythm(task.recurrence, task.due_at.astimezone(zone), there)}" if task.recurrence else ""
    return describe_moment(task.due_at, local(now, zone), there) + again


# the fields of a task in `--json`, besides those under other names
_FIELDS = ("id", "title", "notes", "priority", "due_at", "recurrence", "state", "created_at")


def plain(task: Task, zone: tzinfo) -> dict[str, Any]:
    """Return a task as data for `--json`."""
    local_due = None if task.due_at is None else task.due_at.astimezone(zone).isoformat()
    return pick(task, *_FIELDS) | {"list": task.list_id, "due_local": local_due, "zone": task.due_zone}


def _plan_repeat(repeat: str, when: When | None, now: datetime, habits: Habits, title: str) -> When:
    """Add the rhythm to the time, by default its first one. Raises CannotPlan."""
    if "FREQ=" in repeat.upper():
        if when is None:
            raise CannotPlan("repeat", repeat, Sentence("doesn't say when it starts"), later("add {due} as well"))
        try:
            recurrence.find_next(repeat, when.at, now, now.tzinfo or UTC)
        except ValueError:
            raise CannotPlan("repeat", repeat, Sentence("isn't a rule that works"), RHYTHMS) from None
        return When(when.at, 0, 0, repeat, past=when.past, zone=when.zone)
    time = _read(repeat, now, habits, "repeat", RHYTHMS, title)
    if time.rule is None:
        raise CannotPlan("repeat", repeat, Sentence("doesn't say how often"), RHYTHMS)
    return time if when is None else When(when.at, 0, 0, time.rule, past=when.past, zone=time.zone or when.zone)


def _read(text: str, now: datetime, habits: Habits, field: Field, instead: str, title: str) -> When:
    found = parse_time(text, now, habits, deed=title)
    if isinstance(found, When):
        return found
    why = f"({found.asks})" if isinstance(found, Unclear) else Sentence("isn't a time I understand")
    raise CannotPlan(field, text, why, instead)
