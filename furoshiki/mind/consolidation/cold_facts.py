"""Facts nobody touches go cold and leave the list of what is known; one that is found again is hot again."""

from datetime import timedelta
from typing import Any

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.store import consolidation
from furoshiki.world import World

COLD_AFTER = timedelta(days=14)
FEW_HITS = 3
"""A fact untouched for `COLD_AFTER` with fewer hits than this goes cold."""

A_DAY = timedelta(days=1)
"""What was planned for a day is over a day later, at whatever hour it was."""

EVERY = timedelta(days=7)
AT = "hot_and_cold.at"
"""Where it is kept when this was last done."""


def step(world: World, cycle: Cycle) -> dict[str, Any]:
    """Once a week: let untouched facts go cold. Every time: end plans whose day is over, warm facts that were used.

    Returns how many of each.
    """
    with world.database.write() as db:
        over = consolidation.plans_over(db, cycle.now - A_DAY)
        warmed = consolidation.warm_used(db)
        last = kv.get(db, AT)
        if last is not None and cycle.now - parse(last) < EVERY:
            return {"cold": 0, "hot": warmed, "plans_over": over}
        cold = consolidation.cool(db, cycle.now - COLD_AFTER, FEW_HITS, cycle.now)
        kv.put(db, AT, stamp(cycle.now), cycle.now)
    return {"cold": cold, "hot": warmed, "plans_over": over}
