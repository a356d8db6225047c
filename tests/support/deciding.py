"""Decisions about writing first on record, in as few words as tests can."""

from __future__ import annotations

from datetime import timedelta

from furoshiki.messages.values import COMPANION
from furoshiki.mind.outreach.store import decisions
from furoshiki.mind.outreach.store.decisions import NewDecision, Verdict
from furoshiki.world import World
from tests.support.commands import said
from tests.support.unasked import thinks

GATES = (
    {"gate": "quiet", "passed": True, "value": "20:58", "limit": "23:00-08:00", "until": None},
    {"gate": "cooldown", "passed": False, "value": "2 h 5 min", "limit": "8 h 0 min", "until": None},
)


def decided(world: World, about: str, verdict: Verdict = "held", hours: int = 0, kind: str = "question") -> int:
    item = thinks(world, about, kind)
    gate = "cooldown" if verdict == "held" else None
    turn = said(world, f"Said of {about}", COMPANION) if verdict == "sent" else None
    with world.database.write() as db:
        new = NewDecision(kind, 3, verdict, "in the words of local:reflex", item, "turn:1", gate, GATES, turn)
        return decisions.record(db, new, world.now - timedelta(hours=hours))
