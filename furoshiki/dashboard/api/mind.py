"""What is on its mind: `/api/v1/mind-queue`, `/questions`, `/commitments`, `/journal`, `/self`."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel

from furoshiki.conversation.commands.look import promises, self_description
from furoshiki.dashboard.access.current import admin, viewer
from furoshiki.dashboard.addresses import Cursor, Listed, Number
from furoshiki.dashboard.errors import NotThere
from furoshiki.dashboard.etag import answered
from furoshiki.dashboard.pages.mind import paged
from furoshiki.inner_life import views
from furoshiki.inner_life.self_model import description
from furoshiki.inner_life.store import commitments, drift, monologue, self_questions
from furoshiki.overview import mind as gathering
from furoshiki.world import World

router = APIRouter(prefix="/api/v1", tags=["mind"], dependencies=[Depends(viewer)])

Limit = Annotated[int, Query(ge=1, le=200)]


class Thought(BaseModel):
    """Something that waits to be said. `held_by` is the gate that holds it, null when nothing does; `priority` 1
    presses most."""

    id: int
    kind: str
    text: str
    priority: int
    source: str
    held_by: str | None
    why: str
    not_before: datetime | None
    expires_at: datetime | None


class Queue(Listed):
    """All that waits."""

    items: list[Thought]


class Question(BaseModel):
    """Something it asks itself; `asked` is how often it came up, `asked_you` whether it was put to you."""

    id: int
    kind: str
    question: str
    source: str
    state: str
    asked: int
    tried: int
    asked_you: bool
    answer: str | None
    memory_id: int | None
    created_at: datetime


class Questions(Listed):
    """A page of them; `next` is the cursor of the page after it."""

    items: list[Question]


class Promise(BaseModel):
    """Something it promised itself, what it came of, and how it was kept conversation by conversation."""

    id: int
    text: str
    sign: str
    state: str
    honoured: int
    broken: int
    failures_in_row: int
    created_at: datetime
    changed_at: datetime
    questions: list[dict[str, Any]]
    judgements: list[dict[str, Any]]


class Promises(Listed):
    """A page of them; `next` is the cursor of the page after it."""

    items: list[Promise]


class Passage(BaseModel):
    """A thought, and the turns it rests on."""

    text: str
    turns: list[int]


class Entry(BaseModel):
    """Something written in the journal; `by_rule` when no model wrote it."""

    id: int
    kind: str
    day: date
    at: datetime
    by_rule: bool
    passages: list[Passage]


class Journal(Listed):
    """A page of whole days, the newest day first; `next` is the cursor of the page after it."""

    items: list[Entry]


class Look(BaseModel):
    """A look at itself: the text before and after, the difference, and why."""

    id: int
    at: datetime
    state: str
    before: str
    text: str
    diff: str
    similarity: float
    changed_share: float
    themes: list[dict[str, Any]]
    reasons: list[dict[str, Any]]
    by_rule: bool
    decided_at: datetime | None


class Looks(Listed):
    """A page of them; `next` is the cursor of the page after it."""

    items: list[Look]


class Self(BaseModel):
    """What it says of itself, since when, and what it proposes to change."""

    text: str
    since: datetime | None
    edited_by_hand: bool
    proposed: Look | None


@router.get("/mind-queue")
def queue(request: Request) -> Queue:
    """What waits to be said, in the order in which it would be."""
    return Queue(items=[Thought(**one) for one in gathering.waiting(request.app.state.world())])


@router.delete("/mind-queue/{item_id}", dependencies=[Depends(admin)], status_code=204)
def dismiss(request: Request, item_id: Number) -> Response:
    """It need not be said any more."""
    if not gathering.let_go(request.app.state.world(), item_id):
        raise NotThere("Nothing waits under that id.", "GET /api/v1/mind-queue lists what does.")
    return Response(status_code=204)


@router.get("/questions")
def questions(
    request: Request, state: Literal["open", "all"] = "open", cursor: Cursor = None, limit: Limit = 50
) -> Questions:
    """What it asks itself: what is open, oldest first; or all there was, newest first and page by page."""
    world: World = request.app.state.world()
    with world.database.read() as db:
        asked = self_questions.put_to_user(db)
        if state == "open":
            shown, after = self_questions.pending(db), None
        else:
            shown, after = paged(self_questions.every(db, limit + 1, cursor), limit, lambda one: one.id)
    items = [Question(**views.question(one, one.id in asked)) for one in shown]
    return Questions(items=items, next=None if after is None else str(after))


@router.get("/commitments")
def promised(
    request: Request, state: Literal["active", "all"] = "active", cursor: Cursor = None, limit: Limit = 50
) -> Promises:
    """What it promised itself and holds to; or all there was, newest first and page by page."""
    world: World = request.app.state.world()
    with world.database.read() as db:
        if state == "active":
            shown, after = commitments.active(db), None
        else:
            shown, after = paged(commitments.every(db, limit + 1, cursor), limit, lambda one: one.id)
        items = [Promise(**views.promise(db, one)) for one in shown]
    return Promises(items=items, next=None if after is None else str(after))


@router.delete("/commitments/{promise}", dependencies=[Depends(admin)], status_code=204)
def let_go(request: Request, promise: Number) -> Response:
    """It is promised no longer."""
    if promises.decide(request.app.state.world(), promise, drop=True) is None:
        raise NotThere(promises.OVER, "GET /api/v1/commitments lists those that hold.")
    return Response(status_code=204)


@router.get("/journal")
def journal(request: Request, cursor: Cursor = None, day: date | None = None) -> Journal:
    """What it wrote for itself: of one day, or whole days page by page."""
    world: World = request.app.state.world()
    if day is not None:
        with world.database.read() as db:
            return Journal(
                items=[Entry(**views.entry(one)) for one in monologue.of_day(db, day.isoformat())], next=None
            )
    days, after = gathering.days_of(world, cursor)
    items = [Entry(**one) for _, entries in days for one in entries]
    return Journal(items=items, next=None if after is None else str(after))


@router.get("/self", response_model=Self)
def who(request: Request) -> Response:
    """What it says of itself."""
    world: World = request.app.state.world()
    text = description.text(world)
    with world.database.read() as db:
        last, proposed = drift.last_change(db), drift.proposal(db)
    return answered(
        request,
        Self(
            text=text,
            since=None if last is None else last.decided_at or last.at,
            edited_by_hand=description.edited_by_hand(world),
            proposed=None if proposed is None else _look(proposed),
        ),
    )


@router.get("/self/looks")
def looks(request: Request, cursor: Cursor = None, limit: Limit = 20) -> Looks:
    """Every look at itself, the newest first: the drift log."""
    world: World = request.app.state.world()
    with world.database.read() as db:
        shown, after = paged(drift.newest(db, limit + 1, cursor), limit, lambda one: one.id)
    return Looks(items=[_look(one) for one in shown], next=None if after is None else str(after))


@router.post("/self/{answer}", dependencies=[Depends(admin)])
def decide(request: Request, answer: Literal["accept", "decline"]) -> Look:
    """Accept or decline what it proposes."""
    world: World = request.app.state.world()
    found = description.accept(world) if answer == "accept" else description.decline(world)
    with world.database.read() as db:
        decided = drift.get(db, found.id)
    assert decided is not None
    return _look(decided)


def _look(one: drift.Drift) -> Look:
    return Look(**self_description.as_data(one))
