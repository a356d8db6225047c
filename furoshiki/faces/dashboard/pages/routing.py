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
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, viewer
from furoshiki.faces.dashboard.addresses import Cursor
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER
from furoshiki.owner.routing import overview
from furoshiki.owner.routing.rules import telling
from furoshiki.owner.routing.rules.telling import BROKE, TAKEN
from furoshiki.owner.routing.store import decisions, topics, turn_topics
from furoshiki.owner.routing.store.decisions import Decision
from furoshiki.owner.routing.values import MODES

PAGE = ("Routing", "Which way messages were answered, one by one", "Over time", 70)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

Days = Annotated[Literal[1, 7, 30], BeforeValidator(int)]  # the selectable periods in days

SHOWN = 20
LAST_CHECKED = 5
MOST_TOPICS = 12
# the wording of decisions
WORDS: Mapping[str, Any] = {
    "taken_for": TAKEN,
    "broke": BROKE,
    "why_subject": telling.NEW_TOPIC,
    "why_again": confidence.OWN_REASONS,
}


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


def _take(db: sqlite3.Connection, decision: Decision) -> Taken:
    said = [turn.text for turn in turns.of_key(db, decision.turn_key) if turn.speaker == USER]
    topic = None if decision.topic_id is None else topics.get(db, decision.topic_id, "")
    return Taken(decision, said[-1] if said else "", topic.name if topic is not None else "")
