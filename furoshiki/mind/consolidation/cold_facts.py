"""Mark unused facts as cold, which removes them from the list of known facts, until used again."""

from datetime import timedelta
from typing import Any

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.store import consolidation
from furoshiki.world import World

COLD_AFTER = timedelta(days=14)
FEW_HITS = 3
"""A fact unused for `COLD_AFTER` with fewer hits than this becomes cold."""

A_DAY = timedelta(days=1)
"""A plan ends this long after its time."""

EVERY = timedelta(days=7)
AT = "hot_and_cold.at"
"""The `kv` key of the last weekly run."""


def step(world: World, cycle: Cycle) -> dict[str, Any]:
    """Once a week, mark unused facts as cold. On each call, end past plans and warm used facts.

    Returns the number of each.
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
