"""Learn from outcomes: tune the exit gate, and the weights of the relevance scores."""

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
"""The `kv` key of the time up to which the gate has learned: each outcome counts once."""

LEARNED_TO = "relevance.to"
"""The `kv` key of the time up to which relevance has learned, which needs enough outcomes."""

A_CHANCE = timedelta(days=30)
"""A memory that no answer used for this long was kept in vain."""


def step(world: World, cycle: Cycle) -> dict[str, Any]:
    """Learn from outcomes since the last run. Returns the counts and the gate's new maturity."""
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
        outcomes = [Outcome(outcome.retrieval.voices, outcome.retrieval.used) for outcome in fresh]
        learned = False
        if len(outcomes) >= relevance_learning.ENOUGH:
            learned = relevance_learning.learn(db, cycle.now, outcomes, cycle)
            kv.put(db, LEARNED_TO, stamp(cycle.now), cycle.now)
        kv.put(db, TUNED_TO, stamp(cycle.now), cycle.now)
    return {"needed": needed, "unused": unused, "learned": int(learned), "maturity": round(after, 4)}
