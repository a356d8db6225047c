"""`/api/v1/outreach-decisions`: why it wrote first and why it did not, with what every gate saw."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, cast

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel

from furoshiki.core.timestamps import stamp
from furoshiki.dashboard.access.current import viewer
from furoshiki.dashboard.addresses import Listed
from furoshiki.outreach import explanation
from furoshiki.outreach.explanation import Decided
from furoshiki.outreach.rules import explaining
from furoshiki.overview.rules import cursors
from furoshiki.overview.rules.outreach_words import Verdict
from furoshiki.world import World

router = APIRouter(prefix="/api/v1/outreach-decisions", tags=["outreach"], dependencies=[Depends(viewer)])


class Decision(BaseModel):
    """One decision: from `at` to `last_at` it was come to `passes` times. `gate` held it; `gates` is what each saw, its
    value beside its limit; `why` says it in words; `text` what was said by it, and `outcome` how that was received."""

    id: int
    at: datetime
    last_at: datetime
    passes: int
    kind: str
    priority: int
    verdict: Verdict
    gate: str | None
    why: str
    about: str
    source: str | None
    gates: list[dict[str, Any]]
    text: str
    outcome: str | None
    outcome_at: datetime | None


class Decisions(Listed):
    """A page of them, what was come to last first; `next` leads to earlier ones."""

    items: list[Decision]


@router.get("")
def every(
    request: Request,
    verdict: Verdict | None = None,
    kind: str | None = None,
    cursor: str = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Decisions:
    """Decisions of a verdict and a kind, or of all."""
    world: World = request.app.state.world()
    before = cast("tuple[str, int] | None", cursors.read(cursor, (str, int)))
    found = explanation.decided(world, limit + 1, verdict, kind, before)
    last = found[limit - 1].decision if len(found) > limit else None
    return Decisions(
        items=[_told(one) for one in found[:limit]],
        next=None if last is None else cursors.written(stamp(last.last_at), last.id),
    )


def _told(one: Decided) -> Decision:
    made = one.decision
    sent = made.verdict == "sent"
    return Decision(
        id=made.id,
        at=made.at,
        last_at=made.last_at,
        passes=made.passes,
        kind=made.kind,
        priority=made.priority,
        verdict=made.verdict,
        gate=made.gate,
        why=made.reason if sent else explaining.held_by(made.gate, made.reason, made.gates),
        about=one.about,
        source=made.source,
        gates=[dict(seen) for seen in made.gates],
        text=one.text,
        outcome=made.outcome,
        outcome_at=made.outcome_at,
    )
