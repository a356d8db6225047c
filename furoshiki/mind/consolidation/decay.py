"""Decay of unused memories: a little daily, more after a season, until dormant; never deleted.

A pass runs in small transactions and stores its progress; an interrupted pass is continued with the
same time span.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from furoshiki.core.database import kv
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import parse, stamp
from furoshiki.memory import weighing
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.rules import decay
from furoshiki.mind.consolidation.store import consolidation
from furoshiki.mind.consolidation.store.consolidation import DECAYED_TO, Used
from furoshiki.world import World

PASS = "decay.pass"  # the `kv` key of an unfinished pass's progress
AT_ONCE = 500  # memories per transaction

FADED, FORGOTTEN = "decay", "forgotten"  # the operation names in the log

COLD_AFTER = timedelta(days=14)
FEW_HITS = 3  # a fact unused for `COLD_AFTER` with fewer hits than this becomes cold
PLAN_OVER_AFTER = timedelta(days=1)  # a plan ends this long after its time

COOLED_EVERY = timedelta(days=7)
COOLED_AT = "hot_and_cold.at"  # the `kv` key of the last weekly run


def fade(world: World, cycle: Cycle) -> dict[str, Any]:
    """Apply the decay due since the last pass to every memory. Returns how many lost weight."""
    lost = 0
    while True:
        with world.database.write() as db:
            going = kv.get(db, PASS) or {"from": kv.get(db, DECAYED_TO), "to": stamp(cycle.now), "after": 0}
            since, until = None if going["from"] is None else parse(going["from"]), parse(going["to"])
            rows = consolidation.read_fading(db, going["after"], AT_ONCE)
            # A memory is in one part only, so each part may be a cycle: the ceilings read a cycle's
            # whole log.
            part = replace(cycle, id=f"{cycle.id}:{going['after']}")
            for amount, ids in _by_amount(rows, since, until).items():
                lost += weighing.bulk_decay(db, part, ids, amount, FADED, {"until": going["to"]})
            if not rows:
                kv.put(db, DECAYED_TO, max(going["to"], going["from"] or ""), cycle.now)
                kv.drop(db, PASS)
                return {"faded": lost}
            kv.put(db, PASS, {**going, "after": rows[-1].id}, cycle.now)
        point("decay.batch")


def forget(world: World, cycle: Cycle) -> dict[str, Any]:
    """Take more weight from rarely used memories for each unused season, over several nights if too
    much for one. Returns how many lost weight."""
    after, moved = 0, 0
    since = cycle.now - decay.FORGOTTEN_AFTER
    while True:
        with world.database.write() as db:
            rows = consolidation.read_untouched(db, since, decay.SELDOM, FORGOTTEN, after, AT_ONCE)
            for row in rows:
                seasons = decay.times_forgotten(row.last_used, cycle.now)
                evidence = {"untouched_days": (cycle.now - row.last_used).days}
                owed = seasons * decay.FORGOTTEN - row.forgotten
                if owed > consolidation.ROUNDING:
                    weighing.contradict(db, cycle, row.id, owed, FORGOTTEN, evidence)
                    moved += 1
        if not rows:
            return {"forgotten": moved}
        after = rows[-1].id
        point("decay.forgotten")


def sleep(world: World, cycle: Cycle) -> dict[str, Any]:
    """Make faint memories dormant, and wake those that were used. Returns the number of each."""
    with world.database.write() as db:
        awake = consolidation.wake_up(db, cycle.id, cycle.now)
        since = cycle.now - decay.FORGOTTEN_AFTER
        asleep = consolidation.put_to_sleep(db, cycle.id, decay.DORMANT_BELOW, since, cycle.now)
    return {"dormant": len(asleep), "awake": len(awake)}


def _by_amount(rows: Sequence[Used], since: datetime | None, until: datetime) -> dict[float, list[int]]:
    ids_of: dict[float, list[int]] = {}
    for row in rows:
        amount = decay.due(row.last_used, since, until)
        if amount > 0:
            ids_of.setdefault(amount, []).append(row.id)
    return ids_of


def warm_and_cool(world: World, cycle: Cycle) -> dict[str, Any]:
    """Once a week, mark unused facts as cold. On each call, end past plans and warm used facts.

    Returns the number of each.
    """
    with world.database.write() as db:
        over = consolidation.plans_over(db, cycle.now - PLAN_OVER_AFTER)
        warmed = consolidation.warm_used(db)
        last = kv.get(db, COOLED_AT)
        if last is not None and cycle.now - parse(last) < COOLED_EVERY:
            return {"cold": 0, "hot": warmed, "plans_over": over}
        cold = consolidation.cool(db, cycle.now - COLD_AFTER, FEW_HITS, cycle.now)
        kv.put(db, COOLED_AT, stamp(cycle.now), cycle.now)
    return {"cold": cold, "hot": warmed, "plans_over": over}
