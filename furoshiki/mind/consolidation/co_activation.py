"""Strengthen links of memories used together; let other links decay, in closed form."""

from datetime import timedelta
from typing import Any

from furoshiki.core.database import kv
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import parse, stamp
from furoshiki.memory.store import accesses
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.rules.decay import decay_count
from furoshiki.world import World

# the gain of a pair of memories that were both used in one turn; joint retrieval gave 1
STRENGTHENED = 0.5

STRENGTHENED_TO = "company.strengthened"
DRIFTED_TO = "company.drifted"  # the `kv` keys of the time up to which each is done
PASS = "company.pass"  # the `kv` key of an unfinished pass's progress

EVERY = timedelta(days=7)
LEAST = 0.1  # a pair with a lower count is deleted

AT_ONCE = 2000


def strengthen(world: World, cycle: Cycle) -> int:
    """Strengthen the pairs that were used together since the last call; return their number."""
    with world.database.write() as db:
        since = kv.get(db, STRENGTHENED_TO)
        kv.put(db, STRENGTHENED_TO, stamp(cycle.now), cycle.now)
        begin = cycle.now - EVERY if since is None else parse(since)
        return accesses.strengthen_pairs(db, begin, cycle.now, STRENGTHENED)


def drift(world: World, cycle: Cycle) -> dict[str, Any]:
    """Once a week, weaken the pairs that have not met since. Returns their number."""
    weakened = 0
    while True:
        with world.database.write() as db:
            last = kv.get(db, DRIFTED_TO)
            going = kv.get(db, PASS)
            if going is None and last is not None and cycle.now - parse(last) < EVERY:
                return {"drifted": weakened}
            going = going or {"from": last, "to": stamp(cycle.now), "after": [0, 0]}
            since, until = None if going["from"] is None else parse(going["from"]), parse(going["to"])
            rows = accesses.pairs(db, (going["after"][0], going["after"][1]), until, AT_ONCE)
            counts = [(a, b, decay_count(count, met, since, until)) for a, b, count, met in rows]
            accesses.weaken(db, counts, LEAST)
            if not rows:
                kv.put(db, DRIFTED_TO, going["to"], cycle.now)
                kv.drop(db, PASS)
                return {"drifted": weakened}
            weakened += len(rows)
            kv.put(db, PASS, {**going, "after": [rows[-1][0], rows[-1][1]]}, cycle.now)
        point("company.batch")
