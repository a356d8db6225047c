"""`/api/v1/series`: values over time, from a day to a year, in equal intervals."""

import json
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Depends, Request, Response

from furoshiki.core.catalogue import ENGLISH, get_language, speaking
from furoshiki.faces.dashboard.access.current import CurrentWorld, viewer
from furoshiki.faces.dashboard.etag import respond
from furoshiki.faces.dashboard.shared import Shared
from furoshiki.faces.overview import over_time
from furoshiki.faces.overview.over_time import KINDS, Kind, Name
from furoshiki.faces.overview.rules.series import Span

router = APIRouter(prefix="/api/v1/series", dependencies=[Depends(viewer)])


@router.get("")
def every() -> dict[str, Any]:
    """Return the available series, all on one page."""
    return {"next": None, "items": list(map(_describe, KINDS.values()))}


@router.get("/{name}")
def series(name: Name, request: Request, world: CurrentWorld, span: Span = "7d", language: str = ENGLISH) -> Response:
    """Return a series over 24 hours, 7 days, 30 days or a year, as far as there is data. `language`
    is that of the names of its lines."""
    held: Shared = request.app.state.shared
    with speaking(language):
        key = ("series", name, span, get_language())
        text = held.get(world, key, lambda: json.dumps(_build_series(over_time.gather(world, name, span))))
    return respond(request, text)


def _describe(kind: Kind) -> dict[str, Any]:
    return {"name": kind.name, "label": kind.label, "about": kind.about, "unit": kind.unit}


def _build_series(found: over_time.OverTime) -> dict[str, Any]:
    """Return a series for JSON. `times` are the starts of the intervals in Unix seconds, the last ends at
    `end`; days begin at midnight of `zone`. A line's value is null where there is no data."""
    return {
        **_describe(found.kind),
        "bars": found.kind.bars,
        "span": found.span,
        "zone": str(found.zone),
        "start": found.bounds[0].isoformat().replace("+00:00", "Z"),
        "end": found.bounds[-1].isoformat().replace("+00:00", "Z"),
        "step_seconds": int(found.step.total_seconds()),
        "times": [int(at.timestamp()) for at in found.bounds[:-1]],
        "lines": list(map(asdict, found.lines)),
    }
