"""`/api/v1/status`, `/emotions`, `/needs`: how it is now, as `furoshiki status --json` and the page Now have it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel

from furoshiki.conversation.commands import status as gathering
from furoshiki.dashboard.access.current import viewer
from furoshiki.dashboard.etag import answered
from furoshiki.overview import present
from furoshiki.world import World

router = APIRouter(prefix="/api/v1", tags=["status"], dependencies=[Depends(viewer)])


class Reading(BaseModel):
    """What the user seems to need: level and how sure of it one can be by now, both in [0, 1]."""

    level: float
    confidence: float


class Outreach(BaseModel):
    """How it stands with writing first. `held_by` is the gate that holds what would be said first."""

    last_at: datetime | None
    because: str | None
    kind: str | None
    waiting: int
    unanswered: int
    held_by: str | None
    quiet: str | None


class Health(BaseModel):
    """Whether everything works: what does not, each with its fix, and what is good to know."""

    ok: bool
    problems: list[str]
    notes: list[str]


class Status(BaseModel):
    """Everything that `furoshiki status --json` says. Emotions and needs lie in [0, 1]; money is in US dollars."""

    name: str
    mood: str
    mood_since: datetime
    emotions: dict[str, float]
    needs: dict[str, float]
    need_marks: dict[str, str]
    user_needs: dict[str, Reading]
    moved_by: str | None
    wants: str | None
    senses: list[str]
    on_mind: dict[str, int]
    commitments: int
    self_proposed_at: datetime | None
    last_reflection_at: datetime | None
    outreach: Outreach
    pending: dict[str, int]
    memory: dict[str, int]
    manifest: dict[str, Any]
    last_conversation_at: datetime | None
    last_tick_at: datetime | None
    cost_today_usd: float
    cost_session_usd: float
    price_guessed: list[str]
    models: dict[str, list[str]]
    running: dict[str, bool]
    health: Health


class Emotion(BaseModel):
    """One emotion in [0, 1], and where it comes to rest."""

    name: str
    value: float
    rests_at: float


class Emotions(BaseModel):
    """What it feels; `told` says it in words, `moved_by` what moved it most in the last days (empty when nothing)."""

    mood: str
    mood_since: datetime
    told: str
    moved_by: str
    emotions: list[Emotion]


class Need(BaseModel):
    """One need of its own in [0, 1]: `mark` is calm, amber or rose; `does` what it does at that mark, in words."""

    name: str
    value: float
    mark: str
    amber: float
    rose: float
    meaning: str
    does: str


class UserNeed(BaseModel):
    """What the user seems to need, in [0, 1]; how sure of it one can be by now; on how many messages it rests."""

    name: str
    level: float
    confidence: float
    sureness: str
    messages: int


class Needs(BaseModel):
    """Five needs of its own, and seven that it reads of the user."""

    needs: list[Need]
    user_needs: list[UserNeed]


@router.get("/status", response_model=Status)
def status(request: Request) -> Response:
    """How it is, and whether everything works."""
    return answered(request, Status(**gathering.gather(_world(request))))


@router.get("/emotions", response_model=Emotions)
def emotions(request: Request) -> Response:
    """Nine emotions, the mood, and why."""
    heart = present.heart(_world(request))
    return answered(
        request,
        Emotions(
            mood=heart.mood,
            mood_since=heart.since,
            told=heart.told,
            moved_by=heart.moved_by,
            emotions=[Emotion(**vars(one)) for one in heart.emotions],
        ),
    )


@router.get("/needs", response_model=Needs)
def needs(request: Request) -> Response:
    """Its needs with their marks, and the user's."""
    heart = present.heart(_world(request))
    return answered(
        request,
        Needs(
            needs=[Need(**vars(one)) for one in heart.needs],
            user_needs=[UserNeed(**vars(one)) for one in heart.user_needs],
        ),
    )


def _world(request: Request) -> World:
    world: World = request.app.state.world()
    return world
