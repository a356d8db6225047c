"""`/api/v1/loops` and `/api/v1/simulate`: how each feedback loop stands, and what would follow from nine emotions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, Field

from furoshiki.dashboard import loops, simulator
from furoshiki.dashboard.access.current import viewer
from furoshiki.dashboard.addresses import Listed
from furoshiki.dashboard.errors import NotThere
from furoshiki.dashboard.loops import Loop
from furoshiki.world import World

router = APIRouter(prefix="/api/v1", dependencies=[Depends(viewer)])

Share = Annotated[float, Field(ge=0.0, le=1.0)]


class LoopTold(BaseModel):
    """A feedback loop: what is measured, what that changes, and when it last did (null: not yet)."""

    name: str
    label: str
    group: str
    measured: str
    changes: str
    about: str
    files: list[str]
    tests: list[str]
    last_effect: datetime | None


class Held(BaseModel):
    """Something a loop holds now; `share` in [0, 1] where it is one."""

    label: str
    share: float | None
    words: str


class LoopState(LoopTold):
    """A loop with its figures and what it holds now."""

    note: str
    figures: dict[str, float | None]
    values: list[Held]


class Feelings(BaseModel):
    """Emotions in [0, 1]; what is left out is as the preset has it."""

    model_config = {"extra": "forbid"}

    preset: Literal["now", "silence", "good-news", "quarrel", "rest"] = "now"
    hours: Annotated[float, Field(ge=0.0, le=24.0)] = 0.0
    loneliness: Share | None = None
    joy: Share | None = None
    curiosity: Share | None = None
    contentment: Share | None = None
    excitement: Share | None = None
    affection: Share | None = None
    worry: Share | None = None
    pride: Share | None = None
    anger: Share | None = None


class NeedTold(BaseModel):
    """A need in [0, 1]: calm, amber or rose, and what it would do."""

    value: float
    mark: str
    does: str


class Simulated(BaseModel):
    """What would follow, `hours` from now: feelings, the word for them, needs, and what the mind would be told."""

    hours: float
    emotions: dict[str, float]
    mood: str
    tone: str
    needs: dict[str, NeedTold]


class Loops(Listed):
    """All of them."""

    items: list[LoopTold]


@router.get("/loops", tags=["loops"])
def every_loop(request: Request) -> Loops:
    """Every feedback loop."""
    last = loops.last_effects(_world(request))
    return Loops(items=[LoopTold(**_described(one), last_effect=last[one.name]) for one in loops.described().all])


@router.get("/loops/{name}", tags=["loops"])
def one_loop(name: str, request: Request) -> LoopState:
    """One of them, with its figures."""
    found = loops.described().get(name)
    if found is None:
        raise NotThere(f"There is no loop {name!r}.", "GET /api/v1/loops lists them.")
    state = loops.state(_world(request), name)
    held = [Held(**vars(one)) for one in state.values]
    figures = dict(state.figures)
    return LoopState(**_described(found), last_effect=state.last, note=state.note, figures=figures, values=held)


@router.get("/simulate", tags=["simulate"])
def simulate(request: Request, feelings: Annotated[Feelings, Query()]) -> Simulated:
    """What would follow from these feelings, by the rules it lives by. Nothing is changed."""
    given = {name: value for name, value in feelings if isinstance(value, float) and name != "hours"}
    shown = simulator.run(_world(request), feelings.preset, given, feelings.hours)
    return Simulated(
        hours=shown.result.hours,
        emotions=shown.result.emotions.as_mapping(),
        mood=shown.result.mood,
        tone=shown.tone,
        needs={one.name: NeedTold(value=one.value, mark=one.mark, does=one.does) for one in shown.needs},
    )


def _described(one: Loop) -> dict[str, object]:
    names = ("name", "label", "group", "measured", "changes", "about", "files", "tests")
    return {name: getattr(one, name) for name in names}


def _world(request: Request) -> World:
    world: World = request.app.state.world()
    return world
