"""The page Time: feelings, needs, messages, answers and cost over hours to a year."""

from collections.abc import Iterable
from typing import Any, TypeVar

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import HTMLResponse

from furoshiki.core.catalogue import Sentence, later
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, viewer
from furoshiki.faces.overview import over_time
from furoshiki.faces.overview.errors import NotThere
from furoshiki.faces.overview.over_time import KINDS, Name
from furoshiki.faces.overview.rules.series import LABELS, Span
from furoshiki.world import World

PAGE = ("Time", "Feelings, needs, messages, cost and speed over hours to months", "Over time", 50)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

T = TypeVar("T", bound=str)


@router.get("/time")
def page(request: Request, world: CurrentWorld, span: str = "7d") -> HTMLResponse:
    """Show every chart over one span; charts and tables load when they come into view."""
    chosen = _span(span)
    marks = over_time.marks(world)
    return rendering.page(request, "time", span=chosen, spans=LABELS, kinds=KINDS.values(), marks=marks)


@router.get("/parts/time/{name}")
def table(name: str, request: Request, span: str = "7d") -> HTMLResponse:
    """Show one chart's figures as a table."""
    kind, chosen = _name(name), _span(span)

    def gather(world: World) -> dict[str, Any]:
        return {"chart": over_time.gather(world, kind, chosen)}

    return rendering.render_shared(request, "time_table", gather)


@router.get("/time/{name}.svg")
def picture(name: str, request: Request, world: CurrentWorld, span: str = "7d") -> Response:
    """Draw one chart as a picture, for browsers without scripts."""
    return rendering.picture(request, over_time.picture(world, over_time.gather(world, _name(name), _span(span))))


@router.get("/time/{name}")
def one(name: str, request: Request, world: CurrentWorld, span: str = "7d") -> HTMLResponse:
    """Show the table of one chart on its own page."""
    found = over_time.gather(world, _name(name), _span(span))
    return rendering.page(request, "time_table", chart=found, spans=LABELS)


def _span(text: str) -> Span:
    return _choose(text, LABELS, later("There is no span {text!r}."))


def _name(text: str) -> Name:
    return _choose(text, KINDS, later("There is no chart {text!r}."))


def _choose(text: str, known: Iterable[T], missing: str) -> T:
    for name in known:
        if name == text:
            return name
    raise NotThere(Sentence(missing, text=text), Sentence("Available: {names}.", names=", ".join(known)))
