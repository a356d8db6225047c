"""The page Tasks: lists, reminders, long tasks, and background work from conversations."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import HTMLResponse

from furoshiki.conversation.skills import persistent_task
from furoshiki.core.catalogue import Sentence, later, say, say_sentence, words
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, admin, viewer
from furoshiki.faces.dashboard.addresses import Number
from furoshiki.faces.dashboard.flash import back
from furoshiki.faces.overview import owner_tasks
from furoshiki.faces.overview.errors import NotThere
from furoshiki.faces.overview.owner_tasks import CannotPlan, NoSuchTask
from furoshiki.language.dates.recurrence_words import add_rhythm
from furoshiki.language.humanize import clock
from furoshiki.language.list_names import list_said
from furoshiki.owner.agenda.rules import long_tasks
from furoshiki.owner.agenda.rules.long_tasks import OPEN, LongTask
from furoshiki.owner.agenda.store import operations, persistent_tasks, tasks
from furoshiki.owner.agenda.store.tasks import Task
from furoshiki.owner.user_model import user
from furoshiki.world import World

PAGE = ("Tasks", "Lists, reminders, longer work", "", 90)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

SHOWN = 30  # tasks shown of one list on the common page

SHOWN_ALONE = 1000
DONE_SHOWN = 30
OPERATIONS_SHOWN = 10
# how long a finished long task stays on the page; the shell shows it longer
JUST_OVER = timedelta(days=30)

_OPERATION_IN_WORDS = words("operations")

LONGEST_TITLE = 500  # characters of a task's title

GONE = later("That is no longer on any list.")
_LONG_DONE = later(
    {
        "accept": "It starts within half an hour, and this page shows how far along it is.",
        "pause": "Paused: what is running will finish, nothing new starts.",
        "resume": "It resumes where it was.",
        "cancel": "Cancelled. Anything found so far is kept.",
        "decline": "Dropped; it won't bring it up again.",
    }
)
_START, _PAUSE, _GO_ON = ("accept", later("Start")), ("pause", later("Pause")), ("resume", later("Go on"))
_CANCEL, _DECLINE = ("cancel", later("Cancel the task")), ("decline", later("Don't do it"))
# what may be decided about a long task in a state: the verb, and its button
_DECISIONS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "proposed": (_START, _DECLINE),
    "accepted": (_PAUSE, _CANCEL),
    "in_progress": (_PAUSE, _CANCEL),
    "paused": (_GO_ON, _CANCEL),
}


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


@router.get("/tasks")
def page(request: Request) -> HTMLResponse:
    return _page(request)


@router.get("/tasks/list/{name}")
def one_list(request: Request, world: CurrentWorld, name: str) -> HTMLResponse:
    """Show one list in full."""
    found = _gather(world, name)
    if not found["lists"]:
        raise NotThere(
            Sentence("Nothing is open on a list “{list}”.", list=list_said(name)),
            later("The Tasks page has every list."),
        )
    return rendering.page(request, "task_list", shown=found)


@router.get("/parts/tasks")
def part(request: Request, world: CurrentWorld) -> HTMLResponse:
    """Show the present tasks as a fragment."""
    found = request.app.state.shared.get(world, "tasks", lambda: _gather(world))
    return rendering.part(request, "tasks_shown", shown=found)


@router.post("/tasks", dependencies=[Depends(admin)])
def add(
    request: Request,
    world: CurrentWorld,
    title: Annotated[str, Form()] = "",
    when: Annotated[str, Form()] = "",
    list_: Annotated[str, Form(alias="list")] = "",
) -> Response:
    """Add a task. Invalid input is shown again with what to write instead."""
    typed = {"title": title.strip()[:LONGEST_TITLE], "when": when.strip(), "list": list_.strip()}
    if not typed["title"]:
        return _page(request, typed, ("title", say("Write what needs to be done.")))
    try:
        task = owner_tasks.add(world, typed["title"], due=typed["when"] or None, list_=typed["list"] or None)
    except CannotPlan as error:
        return _page(request, typed, ("when", say_sentence(error)))
    with world.database.read() as db:
        said = owner_tasks.when_said(task, user.zone(world, db), world.now)
    return back("/tasks", _describe_place(later("On the list {list}: {title}."), task, said))


@router.post("/tasks/{number}/done", dependencies=[Depends(admin)])
def tick_off(world: CurrentWorld, number: Number) -> Response:
    """Complete a task; a recurring one waits for its next time."""
    try:
        with world.database.write() as db:
            task = owner_tasks.tick_off(world, db, owner_tasks.open_task(db, number))
            said = owner_tasks.when_said(task, user.zone(world, db), world.now)
    except NoSuchTask:
        return back("/tasks", say(GONE), "failed")
    done, again = later("Done: {title}."), later("Done: {title}. It comes again {when}.")
    return back("/tasks", say(again if task.state == "open" else done, title=task.title, when=said))


@router.post("/tasks/{number}/open", dependencies=[Depends(admin)])
def reopen(world: CurrentWorld, number: Number) -> Response:
    with world.database.write() as db:
        task = tasks.get(db, number)
        if task is None:
            return back("/tasks", say(GONE), "failed")
        tasks.set_state(db, number, "open", world.now)
    return back("/tasks", say("Open again: {title}.", title=task.title))


@router.post("/tasks/{number}/remove", dependencies=[Depends(admin)])
def remove(world: CurrentWorld, number: Number) -> Response:
    try:
        with world.database.write() as db:
            task = owner_tasks.remove(world, db, owner_tasks.open_task(db, number))
    except NoSuchTask:
        return back("/tasks", say(GONE), "failed")
    return back("/tasks", say("Taken off the list {list}: {title}.", list=list_said(task.list_id), title=task.title))


@router.post("/tasks/{number}/change", dependencies=[Depends(admin)])
def change(
    request: Request,
    world: CurrentWorld,
    number: Number,
    title: Annotated[str, Form()] = "",
    when: Annotated[str, Form()] = "",
    list_: Annotated[str, Form(alias="list")] = "",
) -> Response:
    """Change words, time or list; empty fields stay unchanged. Invalid input is shown again."""
    given = title.strip()[:LONGEST_TITLE] or None
    try:
        task = owner_tasks.change(world, number, given, when.strip() or None, list_.strip() or None)
    except CannotPlan as error:
        typed = {"title": title.strip(), "when": when.strip(), "list": list_.strip()}
        return _page(request, changing={"number": number, "wrong": say("Not changed: {error}", error=error), **typed})
    except NoSuchTask:
        return back("/tasks", say(GONE), "failed")
    with world.database.read() as db:
        said = owner_tasks.when_said(task, user.zone(world, db), world.now)
    return back("/tasks", _describe_place(later("Now on the list {list}: {title}."), task, said))


@router.post("/tasks/long/{number}/{verb}", dependencies=[Depends(admin)])
def decide(world: CurrentWorld, number: Number, verb: str) -> Response:
    """Start, decline, pause, resume or cancel a long task."""
    if verb not in _LONG_DONE:
        raise NotThere
    with world.database.write() as db:
        task = persistent_tasks.get(db, number)
        done, words = (False, GONE) if task is None else persistent_task.decide(db, task, verb, world.now)
    return back("/tasks", _LONG_DONE[verb]) if done else back("/tasks", words, "failed")


def _gather(world: World, only: str | None = None) -> dict[str, Any]:
    """Gather the values of the page, or of one list in full, with times in the owner's zone."""
    now = world.now
    with world.database.read() as db:
        zone, many = user.zone(world, db), tasks.lists(db)
        names = [name for name in sorted(many, key=_place) if only in (None, name)]
        lists = [_list(db, name, many[name], zone, now, SHOWN if only is None else SHOWN_ALONE) for name in names]
        if only is not None:
            return {"lists": lists, "zone": str(zone)}
        long = (*persistent_tasks.of_states(db, OPEN), *persistent_tasks.just_over(db, now - JUST_OVER))
        return {
            "lists": lists,
            "done": [_item(task, zone, now) for task in tasks.list_completed(db, DONE_SHOWN)],
            "long": [_describe_long(db, task) for task in long],
            "operations": [
                (operation, say(_OPERATION_IN_WORDS.get(operation.state, operation.state)))
                for operation in operations.latest(db, OPERATIONS_SHOWN)
            ],
            "names": [list_said(name) for name in names if name != tasks.REMINDERS],
            "zone": str(zone),
        }


def _describe_long(db: sqlite3.Connection, task: LongTask) -> dict[str, Any]:
    """Return a long task with its plan, state in words, and possible decisions."""
    return {
        "task": task,
        "steps": persistent_tasks.steps(db, task.id),
        "standing": long_tasks.describe(task),
        "decisions": _DECISIONS.get(task.state, ()),
    }


def _place(list_id: str) -> tuple[bool, str]:
    return list_id != tasks.REMINDERS, list_id


def _list(db: sqlite3.Connection, name: str, many: int, zone: tzinfo, now: datetime, most: int) -> List:
    return List(
        name, list_said(name).capitalize(), many, [_item(task, zone, now) for task in tasks.in_list(db, name)[:most]]
    )


def _item(task: Task, zone: tzinfo, now: datetime) -> Item:
    late = task.state == "open" and task.due_at is not None and task.due_at < now
    return Item(task, _when(task, zone, now), late)


def _when(task: Task, zone: tzinfo, now: datetime) -> str:
    """Format a time as briefly as `/tasks` does."""
    if task.due_at is None:
        return ""
    return add_rhythm(clock(task.due_at, zone, now), task.recurrence, task.due_at, zone)


def _describe_place(words: str, task: Task, when: str) -> str:
    """Name a task's list and, if it has one, its time."""
    return say(words, list=list_said(task.list_id), title=f"{task.title}, {when}" if when else task.title)


def _page(
    request: Request,
    typed: dict[str, str] | None = None,
    wrong: tuple[str, str] | None = None,
    changing: dict[str, str | int] | None = None,
) -> HTMLResponse:
    found = _gather(request.app.state.world())
    return rendering.page(
        request,
        "tasks",
        status=422 if wrong or changing else 200,
        shown=found,
        typed=typed or {"title": "", "when": "", "list": ""},
        wrong=wrong,
        changing=changing,
    )
