"""`/api/v1/series`: values over time, from a day to a year, in equal intervals."""

from datetime import datetime

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel

from furoshiki.core.catalogue import ENGLISH, get_language, speaking
from furoshiki.faces.dashboard.access.current import CurrentWorld, viewer
from furoshiki.faces.dashboard.addresses import Listed
from furoshiki.faces.dashboard.etag import respond
from furoshiki.faces.dashboard.shared import Shared
from furoshiki.faces.overview import over_time
from furoshiki.faces.overview.over_time import KINDS, Name, Unit
from furoshiki.faces.overview.rules.series import Line, Span

router = APIRouter(prefix="/api/v1/series", dependencies=[Depends(viewer)])


class Known(BaseModel):
    """The description of an available series."""

    name: Name
    label: str
    about: str
    unit: Unit


class SeriesOut(Known):
    """One series. `times` are the starts of the intervals in Unix seconds; the last ends at `end`;
    days begin at midnight of `zone`. A line's value is null where there is no data."""

    bars: bool
    span: Span
    zone: str
    start: datetime
    end: datetime
    step_seconds: int
    times: list[int]
    lines: tuple[Line, ...]


class AllKnown(Listed):
    """All available series."""

    items: list[Known]


@router.get("")
def every() -> AllKnown:
    """Return the available series."""
    known = [Known(name=kind.name, label=kind.label, about=kind.about, unit=kind.unit) for kind in KINDS.values()]
    return AllKnown(items=known)


@router.get("/{name}", response_model=SeriesOut)
def series(name: Name, request: Request, world: CurrentWorld, span: Span = "7d", language: str = ENGLISH) -> Response:
    """Return a series over 24 hours, 7 days, 30 days or a year, as far as there is data. `language`
    is that of the names of its lines."""
    held: Shared = request.app.state.shared
    with speaking(language):
        key = ("series", name, span, get_language())
        found = held.get(world, key, lambda: _build_series(over_time.gather(world, name, span)).model_dump_json())
    return respond(request, found)


def _build_series(found: over_time.OverTime) -> SeriesOut:
    kind = found.kind
    return SeriesOut(
        name=kind.name,
        label=kind.label,
        about=kind.about,
        unit=kind.unit,
        bars=kind.bars,
        span=found.span,
        zone=str(found.zone),
        start=found.bounds[0],
        end=found.bounds[-1],
        step_seconds=int(found.step.total_seconds()),
        times=[int(at.timestamp()) for at in found.bounds[:-1]],
        lines=found.lines,
    )
