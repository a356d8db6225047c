"""The page Routing: how each message was answered, and the shares of the ways."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from furoshiki.conversation.acting.rules import confidence
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, viewer
from furoshiki.faces.dashboard.addresses import Cursor, Number
from furoshiki.faces.overview import routing_log
from furoshiki.faces.overview.routing_log import Days, Filter
from furoshiki.owner.routing import overview
from furoshiki.owner.routing.rules import telling
from furoshiki.owner.routing.rules.telling import BROKE, SAW, TAKEN, describe_choice
from furoshiki.owner.routing.values import MODES
from furoshiki.world import World

PAGE = ("Routing", "Which way messages were answered, one by one", "Over time", 70)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

SHOWN = 20
WORDS: Mapping[str, Any] = {
    "taken_for": TAKEN,
    "saw": SAW,
    "broke": BROKE,
    "why_subject": telling.NEW_TOPIC,
    "why_again": confidence.OWN_REASONS,
}
"""The wording of decisions."""


@router.get("/routing")
def show_page(
    request: Request, world: CurrentWorld, days: Days = 7, mode: str = "", close: bool = False, before: Cursor = None
) -> HTMLResponse:
    wanted = Filter(mode if mode in MODES else "", close)
    topics, subjects = routing_log.subjects(world, SHOWN)
    values = {
        **_decisions(world, wanted, before, days),
        "seen": overview.of(world, days),
        "known": topics,
        "subjects": [subject for subject in subjects if subject.row.boundary],
        "minding": routing_log.gather_attention(world),
    }
    return rendering.page(request, "routing", **WORDS, **values)


@router.get("/parts/routing/{days}")
def part(days: Days, request: Request, world: CurrentWorld) -> HTMLResponse:
    """Show the present shares as a fragment."""
    return rendering.part(request, "routing_shares", **WORDS, seen=overview.of(world, days))


@router.get("/routing/decisions/{decision_id}")
def one(decision_id: Number, request: Request, world: CurrentWorld) -> HTMLResponse:
    """Show one decision with all that led to it."""
    taken, explained = routing_log.one(world, decision_id)
    decision = taken.decision
    in_words = describe_choice(decision.mode, decision.scores, decision.signals, decision.tie_break, decision.warmth)
    return rendering.page(
        request,
        "routing_decision",
        **WORDS,
        taken=taken,
        explained=explained,
        told=in_words,
        best_first=sorted(decision.scores, key=lambda mode: -decision.scores[mode]),
    )


def _decisions(world: World, wanted: Filter, before: int | None, days: int) -> dict[str, Any]:
    found = routing_log.list_decisions(world, before, SHOWN + 1, wanted)
    older = found[SHOWN - 1].decision.id if len(found) > SHOWN else None
    asked = {"days": days, "mode": wanted.mode, "close": "true" if wanted.close else ""}
    return {
        "found": found[:SHOWN],
        "wanted": wanted,
        "paging": before is not None,
        "days": days,
        "same": urlencode({name: value for name, value in asked.items() if value}),
        "older": older,
    }
