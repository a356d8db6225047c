"""What became of things teaches: the exit gate how much to keep, and relevance which of its voices to trust."""

from datetime import timedelta
from typing import Any

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp
from furoshiki.memory import relevance_learning
from furoshiki.memory.exit_gate import MATURITY, maturity
from furoshiki.memory.rules.relevance import Outcome
from furoshiki.memory.store import retrievals
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.rules.tuning import adjust_maturity
from furoshiki.mind.consolidation.store import consolidation
from furoshiki.world import World

TUNED_TO = "tuning.to"
"""Where it is kept up to when the gate learned: each outcome teaches once."""

LEARNED_TO = "relevance.to"
"""The same of relevance, which waits until there are enough of them."""

A_CHANCE = timedelta(days=30)
"""A memory that was of no use to any answer for so long was kept for nothing."""


def step(world: World, cycle: Cycle) -> dict[str, Any]:
    """Learn from what happened since the last time. Returns what was needed, what was not, and what moved."""
    with world.database.write() as db:
        last = kv.get(db, TUNED_TO)
        since = cycle.now - A_CHANCE if last is None else parse(last)
        if since >= cycle.now:
            return {"needed": 0, "unused": 0, "learned": 0}
        needed = consolidation.count_needed_drops(db, since, cycle.now)
        unused = consolidation.count_unused(db, since - A_CHANCE, cycle.now - A_CHANCE)
        before = maturity(world, db)
        after = adjust_maturity(before, needed, unused)
        if after != before:
            kv.put(db, MATURITY, after, cycle.now)
        learned_to = kv.get(db, LEARNED_TO)
        fresh = retrievals.outcomes(db, since if learned_to is None else parse(learned_to))
        found = [Outcome(one.retrieval.voices, one.retrieval.used) for one in fresh]
        learned = False
        if len(found) >= relevance_learning.ENOUGH:
            learned = relevance_learning.learn(db, cycle.now, found, cycle)
            kv.put(db, LEARNED_TO, stamp(cycle.now), cycle.now)
        kv.put(db, TUNED_TO, stamp(cycle.now), cycle.now)
    return {"needed": needed, "unused": unused, "learned": int(learned), "maturity": round(after, 4)}
