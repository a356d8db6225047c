"""The page Costs: the models' cost by day, purpose, tier and model, against the budget."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse

from furoshiki.conversation.commands import cost
from furoshiki.core.catalogue import later
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, viewer
from furoshiki.faces.overview import costs as shown
from furoshiki.world import World

PAGE = ("Costs", "What models cost, by day, purpose and model", "Over time", 80)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

Days = Annotated[int, Query(ge=1, le=366)]
NARROW = 400.0
"""Width of the picture on a phone, for legible text."""

LABELS = later({"purpose": "What for", "tier": "Tier", "model": "Model", "day": "Day (UTC)"})


@router.get("/costs")
def page(request: Request, world: CurrentWorld, days: Days = 30) -> HTMLResponse:
    return rendering.page(request, "costs", spans=shown.SPANS, **_values(world, days))


@router.get("/parts/costs")
def part(request: Request, days: Days = 30) -> HTMLResponse:
    """Show the present figures as a fragment."""
    return rendering.render_shared(request, "costs_shown", lambda world: _values(world, days))


@router.get("/costs/days.svg")
def picture(request: Request, world: CurrentWorld, days: Days = 30, narrow: bool = False) -> Response:
    """Draw a bar for each day, in the theme of the page."""
    from furoshiki.faces.overview import cost_picture

    chart = cost_picture.of_days(cost.gather(world, "day", days), world.now, **({"width": NARROW} if narrow else {}))
    return rendering.picture(request, chart)


def _values(world: World, days: int) -> dict[str, Any]:
    return {"shown": shown.gather(world, days), "days": days, "labels": LABELS, "dollars": cost.dollars}
