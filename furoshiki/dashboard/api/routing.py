"""`/api/v1/routing`: how messages were taken, one by one and over days, and what was learned of it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, Field

from furoshiki.dashboard.access.current import admin, viewer
from furoshiki.dashboard.addresses import Cursor, Listed, Number
from furoshiki.dashboard.errors import Conflict, NotThere
from furoshiki.dashboard.etag import answered
from furoshiki.overview import routed
from furoshiki.overview.routed import Days, Filter
from furoshiki.routing import overview, regulator
from furoshiki.routing.rules import change_words
from furoshiki.routing.rules.changes import Change as Made
from furoshiki.routing.rules.healthy import Verdict
from furoshiki.routing.rules.telling import SAID
from furoshiki.routing.values import Mode
from furoshiki.world import World

router = APIRouter(prefix="/api/v1/routing", tags=["routing"], dependencies=[Depends(viewer)])

Limit = Annotated[int, Query(ge=1, le=200)]


class Share(BaseModel):
    """How many messages were taken one way. A healthy `share` lies between `low` and `high`; all three in [0, 1]."""

    mode: Mode
    count: int
    share: float
    low: float
    high: float
    verdict: Verdict


class Moved(BaseModel):
    """A number that was learned: as it was shipped, and as it is."""

    shipped: float
    now: float


class Watched(BaseModel):
    """What is looked at once a day; `value` and `excess` are null where a week held too little to say."""

    name: str
    about: str
    words: str
    value: float | None
    excess: float | None = Field(description="How far it lies above what is well; it presses above 0.")


class Routing(BaseModel):
    """How messages were taken over `days`, by which numbers, and what presses on them."""

    days: int
    messages: int
    shares: list[Share]
    tie_breaks: dict[str, float] = Field(description="Of all messages: what decided between close ones; none: nothing.")
    decides: str
    version: int
    pinned: bool
    moved: dict[str, Moved]
    watched: list[Watched]


class Decision(BaseModel):
    """One message and how it was taken. All figures lie in [0, 1] but for the scores, and `ms` milliseconds."""

    id: int
    at: datetime
    words: str
    topic: str
    mode: Mode
    previous_mode: Mode | None
    scores: dict[str, float]
    signals: dict[str, Any]
    warmth: float
    knowing: float | None
    confidence: float
    margin: float
    tie_break: str
    tie_confidence: float | None
    path: str
    weights_version: int
    ms: float
    feedback: str | None
    feedback_from: str | None
    reflection: dict[str, Any] | None


class Decisions(Listed):
    """A page of them, the newest first; `next` is the cursor of the page after it."""

    items: list[Decision]


class Part(BaseModel):
    """A number of the router and what it added to a score."""

    name: str
    value: float


class Explained(Decision):
    """A decision with what added to each score. `exact`: by the numbers that held then."""

    parts: dict[str, list[Part]]
    exact: bool


class Change(BaseModel):
    """A number that was moved: why, from what to what, and what became of it."""

    id: int
    at: datetime
    parameter: str
    value_before: float
    value_after: float
    pressure: str
    pressure_before: float
    pressure_after: float | None
    state: str
    version: int
    measured_at: datetime | None
    what: str
    why: str
    became: str


class Changes(Listed):
    """All of them, the newest first."""

    items: list[Change]


class Topic(BaseModel):
    """A subject that was spoken of."""

    id: int
    name: str
    messages: int
    last_at: datetime


class Turned(BaseModel):
    """A message with which a conversation turned to a subject, and what said so."""

    turn_id: int
    at: datetime
    words: str
    topic: str
    kind: str


class Topics(BaseModel):
    """The subjects spoken of last, and the messages among the last `limit` with which a conversation turned."""

    topics: list[Topic]
    turned: list[Turned]


class Pinned(BaseModel):
    """Whether the numbers are left as they are."""

    pinned: bool


@router.get("", response_model=Routing)
def shown(request: Request, days: Days = 7) -> Response:
    """How messages were taken over the last days, against what is healthy."""
    world: World = request.app.state.world()
    seen = overview.of(world, days)
    watched = [
        Watched(
            name=one.name,
            about=change_words.WATCHED[one.name],
            words=one.words,
            value=None if one.pressure is None else one.pressure.value,
            excess=None if one.pressure is None else one.pressure.excess,
        )
        for one in overview.watched(world)
    ]
    found = Routing(
        days=days,
        messages=seen.messages,
        shares=[Share(**vars(one)) for one in seen.shares],
        tie_breaks=dict(seen.tie_breaks),
        decides=seen.decides,
        version=seen.version,
        pinned=seen.pinned,
        moved={name: Moved(shipped=was, now=now) for name, (was, now) in seen.moved.items()},
        watched=watched,
    )
    return answered(request, found)


@router.get("/decisions")
def decisions(
    request: Request,
    cursor: Cursor = None,
    limit: Limit = 50,
    mode: Mode | None = None,
    close: Annotated[bool, Query(description="Only those where two ways were close.")] = False,
    said: Annotated[str, Query(description=f"any, or one of {', '.join(SAID)}")] = "",
) -> Decisions:
    """Decisions, the newest first."""
    found = routed.taken(request.app.state.world(), cursor, limit + 1, Filter(mode or "", close, said))
    shown_ = found[:limit]
    following = str(shown_[-1].decision.id) if len(found) > limit else None
    return Decisions(items=[Decision(**_plain(one)) for one in shown_], next=following)


@router.get("/decisions/{decision_id}")
def one(decision_id: Number, request: Request) -> Explained:
    """One decision, with what each number added to each score."""
    taken, explained = routed.one(request.app.state.world(), decision_id)
    parts = {
        mode: [Part(name=each.name, value=each.value) for each in found] for mode, found in explained.parts.items()
    }
    return Explained(**_plain(taken), parts=parts, exact=explained.exact)


@router.get("/changes")
def changes(request: Request) -> Changes:
    """Every number of the router that was moved, and what became of it."""
    return Changes(items=[_change(one) for one in routed.made(request.app.state.world())])


@router.delete("/changes/{change_id}", dependencies=[Depends(admin)])
def take_back(change_id: Number, request: Request) -> Change:
    """Put back what a change moved. 409 when it is back already."""
    world: World = request.app.state.world()
    if not any(each.id == change_id for each in routed.made(world)):
        raise NotThere(f"There is no change {change_id}.", "GET /api/v1/routing/changes lists them.")
    if not regulator.take_back(world, [change_id]):
        raise Conflict(
            f"Change {change_id} does not hold any more.", "GET /api/v1/routing/changes says what became of it."
        )
    return next(_change(each) for each in routed.made(world) if each.id == change_id)


@router.put("/pinned", dependencies=[Depends(admin)])
def pin(pinned: Pinned, request: Request) -> Pinned:
    """Leave the numbers as they are from now on, or have them regulated again."""
    regulator.pin(request.app.state.world(), pinned.pinned)
    return pinned


@router.get("/topics")
def topics(request: Request, limit: Limit = 50) -> Topics:
    """What was spoken of, and where conversations turned."""
    known, seen = routed.subjects(request.app.state.world(), limit)
    return Topics(
        topics=[Topic(id=each.id, name=each.name, messages=each.messages, last_at=each.last_at) for each in known],
        turned=[
            Turned(turn_id=each.row.turn_id, at=each.row.at, words=each.words, topic=each.name, kind=each.row.kind)
            for each in seen
            if each.row.boundary
        ],
    )


def _plain(found: routed.Taken) -> dict[str, Any]:
    kept = {name: getattr(found.decision, name) for name in Decision.model_fields if hasattr(found.decision, name)}
    return {**kept, "words": found.words, "topic": found.topic}


def _change(made: Made) -> Change:
    told = {"what": change_words.done(made), "why": change_words.why(made), "became": change_words.fate(made)}
    return Change(**vars(made), **told)
