"""`/api/v1/tasks`: what stands on the lists; adding, changing, ticking off, taking away. `/tasks/long`: long tasks."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, Field

from furoshiki.agenda.rules import long_tasks
from furoshiki.agenda.rules.cadence import ORDINARY
from furoshiki.agenda.store import persistent_tasks
from furoshiki.agenda.store import tasks as store
from furoshiki.core.timestamps import stamp
from furoshiki.dashboard.access.current import admin, viewer
from furoshiki.dashboard.addresses import MOST, Cursor, Listed, Number
from furoshiki.dashboard.errors import Conflict, NotThere
from furoshiki.language.list_names import list_id
from furoshiki.overview import owner_tasks
from furoshiki.overview.owner_tasks import NoSuchTask
from furoshiki.overview.rules import cursors
from furoshiki.skills import persistent_task
from furoshiki.user_model import user
from furoshiki.world import World

router = APIRouter(prefix="/api/v1/tasks", tags=["tasks"])

Title = Annotated[str, Field(min_length=1, max_length=500)]
Words = Annotated[str, Field(max_length=200)]
Limit = Annotated[int, Query(ge=1, le=200)]


class Task(BaseModel):
    """Something to do. `due_at` is UTC, `due_local` the owner's clock; `recurrence` an RRULE."""

    id: int
    list: str
    title: str
    notes: str | None
    priority: int
    due_at: str | None
    due_local: str | None
    zone: str | None
    recurrence: str | None
    state: Literal["open", "done", "cancelled"]
    created_at: str


class Tasks(Listed):
    """A page of them, newest first; `next` leads to older ones."""

    items: list[Task]


class NewTask(BaseModel):
    """What to add. `when` is read as in the chat: "tomorrow at 9", "every monday at 18:00", or an ISO time."""

    title: Title
    when: Words | None = None
    repeat: Words | None = None
    list: Words | None = None
    priority: Annotated[int, Field(ge=1, le=5)] = ORDINARY


class Changed(BaseModel):
    """What to change; what is not named stays as it is."""

    title: Title | None = None
    when: Words | None = None
    list: Words | None = None
    state: Literal["open", "done"] | None = None


class LongTask(BaseModel):
    """A long task: `coverage` is the share of its steps that are done."""

    id: int
    title: str
    goal: str
    state: str
    standing: str
    coverage: float
    reason: str | None
    result: str | None
    expires_at: str
    steps: list[dict[str, str | int | None]]


class LongTasks(Listed):
    """A page of them, open ones first, then the newest; `next` leads to others."""

    items: list[LongTask]


class Decision(BaseModel):
    """What the owner decides about a long task."""

    do: Literal["accept", "decline", "pause", "resume", "cancel"]


@router.get("", dependencies=[Depends(viewer)])
def every(
    request: Request,
    state: Literal["open", "done", "cancelled"] = "open",
    list_: Annotated[str | None, Query(alias="list")] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Tasks:
    """Tasks of a state, of one list or of all."""
    world: World = request.app.state.world()
    with world.database.read() as db:
        zone = user.zone(world, db)
        found = store.page(db, state, list_id(list_) if list_ else None, cursor, limit + 1)
    more = len(found) > limit
    told = [Task(**owner_tasks.plain(one, zone)) for one in found[:limit]]
    return Tasks(items=told, next=str(told[-1].id) if more else None)


@router.post("", dependencies=[Depends(admin)], status_code=201)
def add(request: Request, new: NewTask) -> Task:
    """Put something on a list; 422 says what is wrong with a time."""
    world: World = request.app.state.world()
    return _told(world, owner_tasks.add(world, new.title, new.when, new.repeat, new.list, new.priority))


@router.get("/long", dependencies=[Depends(viewer)])
def long(request: Request, cursor: str = "", limit: Limit = 50) -> LongTasks:
    """Long tasks, open ones first."""
    world: World = request.app.state.world()
    after = cursors.read(cursor, (int, int))
    with world.database.read() as db:
        rest = [one for one in persistent_tasks.matching(db, "") if after is None or _place(one) > after]
        found = [(one, persistent_tasks.steps(db, one.id)) for one in rest[:limit]]
    told = [
        LongTask(
            id=one.id,
            title=one.title,
            goal=one.goal,
            state=one.state,
            standing=long_tasks.standing(one),
            coverage=one.coverage,
            reason=one.reason,
            result=one.result,
            expires_at=stamp(one.expires_at),
            steps=[
                {"number": step.number, "text": step.text, "state": step.state, "result": step.result} for step in steps
            ],
        )
        for one, steps in found
    ]
    return LongTasks(items=told, next=cursors.written(*_place(found[-1][0])) if len(rest) > limit else None)


@router.post("/long/{number}", dependencies=[Depends(admin)], status_code=204)
def decide(request: Request, number: Number, decision: Decision) -> Response:
    """Begin, leave, pause, go on with or call off one; 409 when it cannot be done as it stands."""
    world: World = request.app.state.world()
    with world.database.write() as db:
        task = persistent_tasks.get(db, number)
        done, words = (False, "") if task is None else persistent_task.decided(db, task, decision.do, world.now)
    if task is None:
        raise NotThere(f"There is no long task {number}.")
    if not done:
        raise Conflict(words)
    return Response(status_code=204)


@router.patch("/{number}", dependencies=[Depends(admin)])
def change(request: Request, number: Number, wanted: Changed) -> Task:
    """Change what is open; `state` "done" ticks it off, "open" takes that back."""
    world: World = request.app.state.world()
    try:
        if wanted.state == "open":
            with world.database.write() as db:
                store.set_state(db, number, "open", world.now)
        if wanted.title is not None or wanted.when is not None or wanted.list is not None:
            owner_tasks.change(world, number, wanted.title, wanted.when, wanted.list)
        with world.database.write() as db:
            task = owner_tasks.open_task(db, number)
            return _told(world, owner_tasks.tick_off(world, db, task) if wanted.state == "done" else task)
    except NoSuchTask as error:
        raise NotThere(str(error)) from error


@router.delete("/{number}", dependencies=[Depends(admin)], status_code=204)
def remove(request: Request, number: Number) -> Response:
    """Take it off its list."""
    world: World = request.app.state.world()
    try:
        with world.database.write() as db:
            owner_tasks.remove(world, db, owner_tasks.open_task(db, number))
    except NoSuchTask as error:
        raise NotThere(str(error)) from error
    return Response(status_code=204)


def _place(task: long_tasks.LongTask) -> tuple[int, int]:
    """Where it stands in the list: open ones first, then the newest."""
    return int(task.state not in long_tasks.OPEN), MOST - task.id


def _told(world: World, task: store.Task) -> Task:
    with world.database.read() as db:
        return Task(**owner_tasks.plain(task, user.zone(world, db)))
