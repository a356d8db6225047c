"""The page Costs: the models' cost by day, purpose, tier and model, against the budget."""

import re
from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse

from furoshiki.conversation.commands import cost
from furoshiki.core.catalogue import later
from furoshiki.core.timestamps import day_start
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, viewer
from furoshiki.models.llm.rules import budget
from furoshiki.models.llm.rules.budget import BudgetLimits
from furoshiki.models.llm.store import costs
from furoshiki.models.llm.store.costs import Call
from furoshiki.world import World

PAGE = ("Costs", "What models cost, by day, purpose and model", "Over time", 80)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

Days = Annotated[int, Query(ge=1, le=366)]
SPANS = (7, 30, 90)  # the selectable numbers of days, ending today

DEAREST = 10
NARROW = 400.0  # width of the picture on a phone, for legible text

LABELS = later({"kind": "What for", "tier": "Tier", "model": "Model", "day": "Day (UTC)"})


@router.get("/costs")
def page(request: Request, world: CurrentWorld, days: Days = 30) -> HTMLResponse:
    return rendering.page(request, "costs", spans=SPANS, **_gather(world, days))


@router.get("/parts/costs")
def part(request: Request, days: Days = 30) -> HTMLResponse:
    """Show the present figures as a fragment."""
    return rendering.render_shared(request, "costs_shown", lambda world: _gather(world, days))


@router.get("/costs/days.svg")
def picture(request: Request, world: CurrentWorld, days: Days = 30, narrow: bool = False) -> Response:
    """Draw a bar for each day, in the theme of the page."""
    from furoshiki.faces.overview import cost_picture

    chart = cost_picture.of_days(cost.gather(world, "day", days), world.now, **({"width": NARROW} if narrow else {}))
    return rendering.picture(request, chart)


def _name_call(call: Call) -> str:
    return cost.name_purpose(re.split("[.:]", call.purpose, maxsplit=1)[0])


def _gather(world: World, days: int) -> dict[str, Any]:
    """Gather the values of the last `days`. `found` is the data of `/cost`; an answer is one that used
    a model."""
    found = cost.gather(world, "day", days)
    since = day_start(world.now) - timedelta(days=days - 1)
    with world.database.read() as db:
        grouped_by = {by: costs.breakdown(db, since, by) for by in LABELS}
        dearest = [(call, _name_call(call)) for call in costs.dearest(db, since, DEAREST)]
        answers, usd, seconds = costs.of_answers(db, since)
    for row in grouped_by["kind"]:
        row["kind"] = cost.name_purpose(row["kind"])
    grouped_by["day"].sort(key=lambda row: str(row["day"]), reverse=True)
    limits = BudgetLimits(found["limits"]["soft_usd"], found["limits"]["hard_usd"])
    guessed = found["price_guessed"]
    return {
        "days": days,
        "found": found,
        "standing": budget.judge_spending(found["today_usd"], limits),
        "grouped_by": grouped_by,
        "dearest": dearest,
        "answers": answers,
        "usd_per_answer": usd / answers if answers else None,
        "seconds_per_answer": seconds / answers if answers else None,
        "guesses": cost.guesses(guessed) if guessed else "",
        "labels": LABELS,
    }
