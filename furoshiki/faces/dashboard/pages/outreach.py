"""The page Writing first: the reasons of each decision to write or not, gate by gate."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from furoshiki.core.catalogue import later
from furoshiki.core.timestamps import stamp
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, viewer
from furoshiki.faces.overview.rules import cursors
from furoshiki.mind.outreach import explanation
from furoshiki.mind.outreach.rules import explaining
from furoshiki.mind.outreach.store import decisions, kinds
from furoshiki.world import World

PAGE = ("Writing first", "Why it wrote, and why it did not", "Over time", 60)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

SHOWN = 40  # decisions on one page


@router.get("/outreach")
def page(request: Request, world: CurrentWorld, verdict: str = "", kind: str = "", cursor: str = "") -> HTMLResponse:
    """Show the timeline, filtered."""
    return rendering.page(request, "outreach", **{**_gather(world, verdict, kind, cursor), **_kinds(world)})


@router.get("/parts/outreach")
def part(request: Request, verdict: str = "", kind: str = "", cursor: str = "") -> HTMLResponse:
    """Show the filtered timeline as a fragment."""
    return rendering.render_shared(request, "outreach_timeline", lambda world: _gather(world, verdict, kind, cursor))


@router.get("/parts/outreach/kinds")
def kinds_part(request: Request) -> HTMLResponse:
    """Show what was learned about each kind as a fragment."""
    return rendering.render_shared(request, "outreach_kinds", _kinds)


def _gather(world: World, verdict: str, kind: str, cursor: str) -> dict[str, Any]:
    wanted = cast("Verdict | None", verdict if verdict in VERDICTS else None)
    before = cast("tuple[str, int] | None", cursors.read(cursor, (str, int)))
    found = explanation.list_decisions(world, SHOWN + 1, wanted, kind or None, before)
    filters = {name: value for name, value in (("verdict", wanted), ("kind", kind)) if value}
    more = None
    if len(found) > SHOWN:
        last = found[SHOWN - 1].decision
        more = "/outreach?" + urlencode({**filters, "cursor": cursors.make(stamp(last.last_at), last.id)})
    return {
        "runs": runs(found[:SHOWN]),
        "more": more,
        "first": not before,
        "filters": filters,
        "query": urlencode({**filters, "cursor": cursor} if before else filters),
        "verdicts": VERDICTS,
        "gate_called": explaining.name_gate,
        "figure_shown": figure,
        "explaining": explaining,
    }


def _kinds(world: World) -> dict[str, Any]:
    with world.database.read() as db:
        return {"learned": list(kinds.every(db).values()), "known": decisions.kinds(db), "explaining": explaining}


Verdict = Literal["sent", "held", "dropped", "failed"]

# the label of each verdict, and the colour of its badge
VERDICTS: Mapping[Verdict, tuple[str, str]] = {
    "sent": (later("It wrote"), "good"),
    "held": (later("Not now"), "amber"),
    "dropped": (later("Dropped"), ""),
    "failed": (later("Not delivered"), "rose"),
}


def figure(value: object) -> str:
    """Format what a gate measured, or its limit."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def runs(found: Sequence[Any]) -> list[list[Any]]:
    """Group consecutive decisions held by the same gate; each item has a `decision`."""
    grouped: list[list[Any]] = []
    for one in found:
        last = grouped[-1][-1].decision if grouped else None
        here = one.decision
        if last is not None and here.verdict == last.verdict == "held" and here.gate == last.gate:
            grouped[-1].append(one)
        else:
            grouped.append([one])
    return grouped
