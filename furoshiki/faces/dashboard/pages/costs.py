"""The page Costs: the models' cost by day, purpose, tier and model, against the budget."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any, Literal, get_args

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse

from furoshiki.conversation.commands import cost
from furoshiki.conversation.commands.status import day_start
from furoshiki.core.catalogue import later
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, viewer
from furoshiki.models.llm.rules import budget
from furoshiki.models.llm.rules.budget import BudgetLimits
from furoshiki.models.llm.store import costs
from furoshiki.models.llm.values import Cell
from furoshiki.world import World

PAGE = ("Costs", "What models cost, by day, purpose and model", "Over time", 80)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

Days = Annotated[int, Query(ge=1, le=366)]
SPANS = (7, 30, 90)  # the selectable numbers of days, ending today

DEAREST = 10
NARROW = 400.0  # width of the picture on a phone, for legible text

By = Literal["day", "purpose", "tier", "model"]
LABELS = later({"purpose": "What for", "tier": "Tier", "model": "Model", "day": "Day (UTC)"})


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


def _gather(world: World, days: int) -> dict[str, Any]:
    """Gather the values of the last `days`. `found` is the data of `/cost`; an answer is one that used
    a model."""
    found = cost.gather(world, "day", days)
    since = day_start(world.now) - timedelta(days=days - 1)
    with world.database.read() as db:
        cells = costs.cells(db, since)
        dearest = costs.dearest(db, since, DEAREST)
        answers, usd, seconds = costs.of_answers(db, since)
    limits = BudgetLimits(found["limits"]["soft_usd"], found["limits"]["hard_usd"])
    guessed = found["price_guessed"]
    return {
        "days": days,
        "found": found,
        "standing": budget.judge_spending(found["today_usd"], limits),
        "grouped_by": {by: group(cells, by) for by in get_args(By)},
        "dearest": dearest,
        "answers": answers,
        "usd_per_answer": usd / answers if answers else None,
        "seconds_per_answer": seconds / answers if answers else None,
        "guesses": cost.guesses(guessed) if guessed else "",
        "labels": LABELS,
    }


@dataclass(frozen=True)
class Group:
    """One group: name, calls (failed ones, and those in batches at half the price), tokens in and
    out, share of input tokens from a cache, US dollars, and its share of all dollars, in [0, 1]."""

    name: str
    calls: int
    failed: int
    in_batches: int
    tokens_in: int
    tokens_out: int
    cached_share: float
    usd: float
    share: float


def group(cells: Iterable[Cell], by: By) -> list[Group]:
    """Return a group for each value; dearest first, days newest first."""
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        found.setdefault(getattr(cell, by), []).append(cell)
    whole = sum(cell.usd for held in found.values() for cell in held)
    lines = [_line(name, held, whole) for name, held in found.items()]
    if by == "day":
        return sorted(lines, key=lambda line: line.name, reverse=True)
    return sorted(lines, key=lambda line: (-line.usd, -line.calls, line.name))


def _line(name: str, cells: list[Cell], whole: float) -> Group:
    tokens_in, usd = sum(cell.tokens_in for cell in cells), sum(cell.usd for cell in cells)
    return Group(
        name=name,
        calls=sum(cell.calls for cell in cells),
        failed=sum(cell.failed for cell in cells),
        in_batches=sum(cell.in_batches for cell in cells),
        tokens_in=tokens_in,
        tokens_out=sum(cell.tokens_out for cell in cells),
        cached_share=sum(cell.tokens_cached for cell in cells) / tokens_in if tokens_in else 0.0,
        usd=usd,
        share=usd / whole if whole else 0.0,
    )
