"""`/api/v1/memories`: lists, search, one with all it rests on; putting right, pinning, and forgetting in two steps."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, Field

from furoshiki.core import refs
from furoshiki.dashboard.access.current import admin, viewer
from furoshiki.dashboard.addresses import Listed, Number
from furoshiki.dashboard.errors import Conflict
from furoshiki.dashboard.etag import answered
from furoshiki.dashboard.pages.memory import asked, no_such
from furoshiki.memory import correction, overview
from furoshiki.memory.store import memories
from furoshiki.overview import memory as gathering
from furoshiki.overview.memory import Asked
from furoshiki.overview.store import memory_lists
from furoshiki.world import World

router = APIRouter(prefix="/api/v1/memories", tags=["memories"], dependencies=[Depends(viewer)])

Limit = Annotated[int, Query(ge=1, le=200)]


class Memory(BaseModel):
    """A memory in a line. `weight`, in (0, 1), is alpha / (alpha + beta): what speaks for it, of all that was seen."""

    id: str
    type: str
    text: str
    at: datetime
    status: str
    weight: float
    alpha: float
    beta: float
    pinned: bool
    hits: int
    last_used: datetime | None
    turn_ids: list[int]


class Memories(Listed):
    """A page of them; `next` is the cursor of the page after it. A page may be short and have a next
    one: then it looked back to `looked_to`."""

    items: list[Memory]
    looked_to: datetime | None


class Found(BaseModel):
    """Something a search found: a memory, something said ("turn") or a whole conversation ("session")."""

    id: str
    kind: str
    text: str
    at: datetime
    who: str
    score: float
    past: bool


class Search(Listed):
    """What was found, best first; `by_meaning` is false where memoryd did not answer and words alone found it."""

    by_meaning: bool
    items: list[Found]


class Whole(Memory):
    """A memory with everything that is known of it: the words it rests on, links, history, what surrounds it."""

    model_config = {"extra": "allow"}

    came: str = Field(description="told, read, concluded or corrected")
    came_in_words: str
    in_words: str
    importance: float
    charge: float
    turns: list[dict[str, Any]]
    links: list[dict[str, Any]]
    history: list[dict[str, Any]]
    around: dict[str, Any]


class Change(BaseModel):
    """What to change. With `text` a new memory takes its place, and is what is answered."""

    text: str | None = Field(None, min_length=1, max_length=4000)
    object: str | None = Field(None, description="The new value of a fact, where it cannot be told from the words")
    changed: bool = Field(False, description="The old words were true until now; without it they were wrong")
    pinned: bool | None = None


class Preview(BaseModel):
    """What would be forgotten with a memory; `token` names exactly this."""

    model_config = {"extra": "allow"}

    token: str
    turns: list[dict[str, Any]]
    memories: list[dict[str, Any]]


class Forgotten(BaseModel):
    """What went. `left` are steps that somebody else holds up, and that are finished later."""

    turns: int
    memories: int
    traces: dict[str, int]
    files: list[str]
    left: list[str]


@router.get("")
def listed(request: Request, looked: Annotated[Asked, Depends(asked)], cursor: str = "", limit: Limit = 30) -> Memories:
    """The newest first; `type`, `status`, `about` (a subject, or words), `since` (a day), `concept` narrow it."""
    world: World = request.app.state.world()
    wanted = gathering.wanted(world, looked)
    with world.database.read() as db:
        found = memory_lists.newest(db, wanted, cursor, limit)
    items = [Memory(**overview.brief(one)) for one in found.memories]
    return Memories(items=items, next=found.next or None, looked_to=found.looked_to)


@router.get("/search")
def search(request: Request, q: Annotated[str, Query(min_length=1, max_length=400)], limit: Limit = 30) -> Search:
    """The recall that answers draw on."""
    done = gathering.searched(request.app.state.world(), q, limit)
    return Search(by_meaning=done["by_meaning"], items=[Found(**one) for one in done["items"]])


@router.get("/{memory_id:row}", response_model=Whole)
def one(request: Request, memory_id: Number) -> Response:
    """One memory, whole."""
    return answered(request, Whole(**_held(request.app.state.world(), memory_id)))


@router.patch("/{memory_id:row}", dependencies=[Depends(admin)])
def change(request: Request, memory_id: Number, change: Change) -> Memory:
    """Put it right, pin it, let it go again."""
    world: World = request.app.state.world()
    with world.database.read() as db:
        if memories.get(db, memory_id) is None:
            raise no_such(memory_id)
    if change.text is not None:
        memory_id = correction.edit(world, memory_id, change.text, change.object, change.changed).new.id
    if change.pinned is not None:
        correction.pin(world, memory_id, change.pinned)
    with world.database.read() as db:
        held = correction.current(db, memory_id)
    return Memory(**overview.brief(held))


@router.get("/{memory_id:row}/forgetting")
def preview(request: Request, memory_id: Number) -> Preview:
    """What would go with it. Changes nothing."""
    from furoshiki.forgetting import forgetting

    world: World = request.app.state.world()
    _held(world, memory_id)
    return Preview(**forgetting.as_data(forgetting.look(world, refs.name("memory", memory_id))))


@router.delete("/{memory_id:row}", dependencies=[Depends(admin)])
def forget(request: Request, memory_id: Number, token: str = "") -> Forgotten:
    """Forget it with all that was shown: `token` is that of `GET …/forgetting`. 409 when that has changed since."""
    from furoshiki.forgetting import everywhere

    world: World = request.app.state.world()
    _held(world, memory_id)
    done = everywhere.forget(world, refs.name("memory", memory_id), token)
    if done is None:
        raise Conflict(
            "Nothing was forgotten: this token does not name what would go now.",
            f"Look at GET /api/v1/memories/{memory_id}/forgetting, and give its token.",
        )
    return Forgotten(
        turns=done.turns, memories=done.memories, traces=dict(done.traces), files=list(done.files), left=list(done.left)
    )


def _held(world: World, memory_id: int) -> dict[str, Any]:
    found = gathering.gathered(world, memory_id)
    if found is None:
        raise no_such(memory_id)
    return {name: value for name, value in found.items() if name != "graph"}
