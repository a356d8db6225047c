"""Nightly work on doubtful facts: drop unresolved ones, queue one question."""

from typing import Any

from furoshiki.memory.weighing import Cycle
from furoshiki.owner.agenda import doubts
from furoshiki.world import World


def step(world: World, cycle: Cycle) -> dict[str, Any]:
    """Return how many were dropped, and how many (at most one) are to be asked about."""
    with world.database.write() as db:
        return {"faded": doubts.fade(db, cycle.now), "asked": int(doubts.ask(db, cycle.now))}
