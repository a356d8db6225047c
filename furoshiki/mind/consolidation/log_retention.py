"""Retention of memory logs, so that old databases contain messages rather than logs.

`core.database.retention` defines each table's period. Some records are pruned elsewhere: feelings,
incoming messages and answer drafts after a week (soul engine), judged scratch entries after 30 days
(flush), script runs after 30 days (brain).
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from furoshiki.core.database import kv, retention
from furoshiki.core.database.retention import span
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import day_start, parse, stamp
from furoshiki.memory.store import weights
from furoshiki.mind.consolidation.store import consolidation
from furoshiki.models.llm.store import costs
from furoshiki.owner.agenda.store import asked_settings, proposals
from furoshiki.world import World

# older weight changes are summed up; the sum still gives the weight
WEIGHTS_KEPT = span("consolidation_log")

CALLS_KEPT = span("llm_calls")  # older model calls are summed up

# an unanswered message is stored nowhere else, so it is kept this long
UNANSWERED_KEPT = timedelta(days=90)

# Frequent operations, which are summed up. Others are rare, or prevent repeated work.
ROUTINE = ("retrieved", "near_miss", "decay", "confirmed", "said again")

EVERY = timedelta(days=1)
PRUNED_TO = "retention.pruned"  # the `kv` key of the last complete run

AT_ONCE = 2_000
MEMORIES_AT_ONCE = 25
DAYS_AT_ONCE = 30  # rows, memories with all old rows, or days of model calls per transaction
TRANSACTIONS = 40  # transactions per call; the rest waits for the next call, 15 minutes later


def prune(world: World) -> dict[str, int]:
    """Once a day, delete or sum up expired rows. Returns the number by table; {} if already done.

    An interrupted or unfinished run continues at the next call.
    """
    now = world.now
    with world.database.read() as db:
        last = kv.get(db, PRUNED_TO)
    if last is not None and now - parse(last) < EVERY:
        return {}
    removed: dict[str, int] = {}
    left = TRANSACTIONS
    for name, part in _PARTS:
        while left > 0:
            left -= 1
            went = part(world, now)
            if went == 0:
                break
            removed[name] = removed.get(name, 0) + went
            point("retention.part")
        else:
            return removed
    with world.database.write() as db:
        kv.put(db, PRUNED_TO, stamp(now), now)
    return removed


def _steps(world: World, now: datetime) -> int:
    with world.database.write() as db:
        return consolidation.forget_steps(db, now - WEIGHTS_KEPT, AT_ONCE)


def _movements(world: World, now: datetime) -> int:
    """Sum up the old weight changes of some memories, each into one row."""
    before = now - WEIGHTS_KEPT
    with world.database.write() as db:
        ids = weights.to_fold(db, ROUTINE, before, MEMORIES_AT_ONCE)
        return sum(weights.fold(db, memory_id, ROUTINE, before) for memory_id in ids)


def _movements_of_many(world: World, now: datetime) -> int:
    """Sum up the oldest month of changes to many memories at once, if the whole month is expired.

    The sums are computed before the transaction: it may take a while, and old rows never change.
    """
    with world.database.read() as db:
        oldest = weights.oldest_of_many(db, ROUTINE)
        if oldest is None:
            return 0
        end = _next_month(oldest)
        if end > now - WEIGHTS_KEPT:
            return 0
        changes = weights.of_many(db, ROUTINE, end)
    sums = weights.sums_of(changes)
    with world.database.write() as db:
        return len(changes) if weights.replace_many(db, changes, sums) else 0


def _next_month(moment: datetime) -> datetime:
    first = moment.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return (first + timedelta(days=32)).replace(day=1)


def _proposals(world: World, now: datetime) -> int:
    with world.database.write() as db:
        return proposals.prune(db, now) + asked_settings.prune(db, now)


def _calls(world: World, now: datetime) -> int:
    """Sum up the model calls of whole days."""
    before = day_start(now - CALLS_KEPT)
    with world.database.write() as db:
        return sum(costs.sum_day(db, day) for day in costs.days_to_sum(db, before, DAYS_AT_ONCE))


def _older(table: str, world: World, now: datetime) -> int:
    with world.database.write() as db:
        return retention.older(db, table, now - span(table), AT_ONCE)


def _prune_unanswered(world: World, now: datetime) -> int:
    with world.database.write() as db:
        return retention.remove_unanswered(db, now - UNANSWERED_KEPT, AT_ONCE)


_PARTS: tuple[tuple[str, Callable[[World, datetime], int]], ...] = (
    *((table, partial(_older, table)) for table in retention.BY_AGE),
    ("proposals", _proposals),
    ("steps", _steps),
    ("weights", _movements),
    ("weights of many", _movements_of_many),
    ("llm_calls", _calls),
    ("inbox", _prune_unanswered),
)
