"""`/api/v1/costs`: what models cost, against the budget, by day, purpose, tier and model."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel

from furoshiki.core.timestamps import stamp
from furoshiki.dashboard.access.current import viewer
from furoshiki.dashboard.etag import answered
from furoshiki.overview import costs as shown
from furoshiki.overview.rules import cost_groups
from furoshiki.world import World

router = APIRouter(prefix="/api/v1/costs", tags=["costs"])


class Group(BaseModel):
    """Calls that have something in common. `cached_share` is the share of tokens in that came from a cache."""

    name: str
    calls: int
    failed: int
    in_batches: int
    tokens_in: int
    tokens_out: int
    cached_share: float
    usd: float
    share: float


class Call(BaseModel):
    """One of the dearest calls."""

    id: int
    at: str
    purpose: str
    tier: str
    model: str
    tokens_in: int
    tokens_out: int
    usd: float
    latency_s: float


class Costs(BaseModel):
    """In US dollars; days are those of UTC. `standing` is how today stands against the budget: "free", "soft" (work in
    the background runs on the cheapest model) or "hard" (only answers to you). `month_forecast_usd` is null before the
    first whole day."""

    days: int
    today_usd: float
    week_usd: float
    session_usd: float
    total_usd: float
    month_usd: float
    month_forecast_usd: float | None
    soft_budget_usd: float
    hard_budget_usd: float
    standing: str
    answers: int
    usd_per_answer: float | None
    seconds_per_answer: float | None
    price_guessed: list[str]
    groups: dict[cost_groups.By, list[Group]]
    dearest: list[Call]


@router.get("", dependencies=[Depends(viewer)], response_model=Costs)
def costs(request: Request, days: Annotated[int, Query(ge=1, le=366)] = 30) -> Response:
    """The last days, today among them."""
    world: World = request.app.state.world()
    one = shown.gather(world, days)
    told = Costs(
        days=days,
        today_usd=one.found["today_usd"],
        week_usd=one.found["week_usd"],
        session_usd=one.found["session_usd"],
        total_usd=one.found["total_usd"],
        month_usd=one.found["month"]["spent_usd"],
        month_forecast_usd=one.found["month"]["forecast_usd"],
        soft_budget_usd=one.found["limits"]["soft_usd"],
        hard_budget_usd=one.found["limits"]["hard_usd"],
        standing=one.standing,
        answers=one.answers,
        usd_per_answer=one.usd_per_answer,
        seconds_per_answer=one.seconds_per_answer,
        price_guessed=one.found["price_guessed"],
        groups={by: [Group(**asdict(line)) for line in lines] for by, lines in one.groups.items()},
        dearest=[Call(**{**asdict(call), "at": stamp(call.at)}) for call in one.dearest],
    )
    return answered(request, told)
