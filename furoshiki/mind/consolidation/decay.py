"""What nobody needs loses weight: a little every day, more after a season, until it sleeps. Nothing is ever deleted.

A pass over many memories goes in small transactions and notes how far it came; killed between two of them, the next
run goes on there with the same span of time.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
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

PASS = "decay.pass"
"""Where it is kept how far a pass came that is not finished."""

AT_ONCE = 500
"""Memories a transaction looks at."""

FADED, FORGOTTEN = "decay", "forgotten"
"""The names of both in the log."""


def fade(world: World, cycle: Cycle) -> dict[str, Any]:
    """Give every memory what is due for the days it was not used since the last pass. Returns how many lost weight."""
    lost = 0
    while True:
        with world.database.write() as db:
            going = kv.get(db, PASS) or {"from": kv.get(db, DECAYED_TO), "to": stamp(cycle.now), "after": 0}
            since, until = None if going["from"] is None else parse(going["from"]), parse(going["to"])
            rows = consolidation.read_fading(db, going["after"], AT_ONCE)
            # A memory is in one part only, so each may be a cycle of its own: the ceilings read a cycle's whole log.
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
    """Each season without use takes more from what was seldom used, over nights where one would take too much.

    Returns how many lost weight."""
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
    """What has become faint goes dormant, and what a strong cue woke is active again. Returns how many of each."""
    with world.database.write() as db:
        awake = consolidation.wake_up(db, cycle.id, cycle.now)
        since = cycle.now - decay.FORGOTTEN_AFTER
        asleep = consolidation.put_to_sleep(db, cycle.id, decay.DORMANT_BELOW, since, cycle.now)
    return {"dormant": len(asleep), "awake": len(awake)}


def _by_amount(rows: Sequence[Used], since: datetime | None, until: datetime) -> dict[float, list[int]]:
    found: dict[float, list[int]] = {}
    for row in rows:
        amount = decay.due(row.last_used, since, until)
        if amount > 0:
            found.setdefault(amount, []).append(row.id)
    return found
