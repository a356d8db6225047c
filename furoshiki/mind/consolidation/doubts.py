"""What is in doubt, by night: what nobody settled is let go, and one question comes to mind for the next talk."""

from typing import Any

from furoshiki.memory.weighing import Cycle
from furoshiki.owner.agenda import doubts
from furoshiki.world import World


def step(world: World, cycle: Cycle) -> dict[str, Any]:
    """Returns how many were let go, and how many (one at most) are to be asked about."""
    with world.database.write() as db:
        return {"faded": doubts.fade(db, cycle.now), "asked": int(doubts.ask(db, cycle.now))}
