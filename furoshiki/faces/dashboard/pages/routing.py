"""The page Routing: how each message was answered, the shares of the ways, and topics."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse
from pydantic import BeforeValidator

from furoshiki.conversation.acting.rules import confidence
from furoshiki.conversation.acting.store import second_thoughts
from furoshiki.core.catalogue import later
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, viewer
from furoshiki.faces.dashboard.addresses import Cursor, Number
from furoshiki.faces.overview.errors import NotThere
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER
from furoshiki.owner.routing import overview, routing
from furoshiki.owner.routing.rules import telling
from furoshiki.owner.routing.rules.telling import BROKE, SAW, TAKEN, describe_choice
from furoshiki.owner.routing.store import decisions, topics, turn_topics
from furoshiki.owner.routing.store.decisions import Decision
from furoshiki.owner.routing.values import MODES, Knowing

PAGE = ("Routing", "Which way messages were answered, one by one", "Over time", 70)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

Days = Annotated[Literal[1, 7, 30], BeforeValidator(int)]
"""The selectable periods in days."""

SHOWN = 20
LAST_CHECKED = 5
MOST_TOPICS = 12
WORDS: Mapping[str, Any] = {
    "taken_for": TAKEN,
    "saw": SAW,
    "broke": BROKE,
    "why_subject": telling.NEW_TOPIC,
    "why_again": confidence.OWN_REASONS,
}
"""The wording of decisions."""


@dataclass(frozen=True)
class Taken:
    """A decision with the words of its message; "" if they were forgotten or are no message."""

    decision: Decision
    words: str
    topic: str


@router.get("/routing")
def show_page(
    request: Request, world: CurrentWorld, days: Days = 7, mode: str = "", close: bool = False, before: Cursor = None
) -> HTMLResponse:
    """Show the decisions, filtered by mode or only close ones, and what else is known of routing."""
    wanted = mode if mode in MODES else ""
    with world.database.read() as db:
        found = [_take(db, one) for one in decisions.before(db, before, SHOWN + 1, mode=wanted, close=close)]
        values: dict[str, Any] = {
            "known": [one for _channel, one in topics.everywhere(db, MOST_TOPICS)],
            "subjects": [one for one in turn_topics.newest(db, SHOWN) if one[0].boundary],
            "checked": second_thoughts.newest(db, LAST_CHECKED),
            "checked_in_a_week": second_thoughts.count_since(db, world.now - timedelta(days=7)),
        }
    asked = {"days": days, "mode": wanted, "close": "true" if close else ""}
    return rendering.page(
        request,
        "routing",
        found=found[:SHOWN],
        older=found[SHOWN - 1].decision.id if len(found) > SHOWN else None,
        paging=before is not None,
        same=urlencode({name: value for name, value in asked.items() if value}),
        wanted=wanted,
        close=close,
        days=days,
        seen=overview.of(world, days),
        **WORDS,
        **values,
    )


@router.get("/parts/routing/{days}")
def part(days: Days, request: Request, world: CurrentWorld) -> HTMLResponse:
    """Show the present shares as a fragment."""
    return rendering.part(request, "routing_shares", **WORDS, seen=overview.of(world, days))


@router.get("/routing/decisions/{decision_id}")
def one(decision_id: Number, request: Request, world: CurrentWorld) -> HTMLResponse:
    """Show one decision with all that led to it: the contribution of each number."""
    with world.database.read() as db:
        decision = decisions.get(db, decision_id)
        if decision is None:
            raise NotThere(later("This decision doesn't exist."), later("The message may have been forgotten."))
        taken = _take(db, decision)
        before = decisions.in_chat_before(db, decision)
    signals = decision.signals
    explained = telling.explain(
        signals,
        Knowing(decision.warmth, decision.knowing or 0.0, signals.get("density", 0.0), signals.get("sure", 0.0)),
        routing.current_weights(world),
        decision.scores,
        decision.previous_mode,
        productive=None if before is None else before.acted,
    )
    return rendering.page(
        request,
        "routing_decision",
        **WORDS,
        taken=taken,
        explained=explained,
        told=describe_choice(decision.mode, decision.scores, signals, decision.tie_break, decision.warmth),
        best_first=sorted(decision.scores, key=lambda mode: -decision.scores[mode]),
    )


def _take(db: sqlite3.Connection, decision: Decision) -> Taken:
    said = [turn.text for turn in turns.of_key(db, decision.turn_key) if turn.speaker == USER]
    topic = None if decision.topic_id is None else topics.get(db, decision.topic_id, "")
    return Taken(decision, said[-1] if said else "", topic.name if topic is not None else "")
