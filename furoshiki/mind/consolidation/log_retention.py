"""How long it stays on record what memory did, so that a database of many years is one of what was said, not of logs.

How long each table keeps what is in it is written down in `core.database.retention`. Some records have their own
keeper: feelings, messages that came in and drafts of answers go after a week (the soul engine), what was said and
judged leaves the scratch buffer after 30 days (the flush), runs of scripts go after 30 days (the brain).
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from furoshiki.core.database import kv, retention
from furoshiki.core.database.retention import span
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import parse, stamp
from furoshiki.memory.store import weights
from furoshiki.mind.consolidation.store import consolidation
from furoshiki.models.llm.store import costs
from furoshiki.owner.agenda.store import asked_settings, proposals
from furoshiki.world import World

WEIGHTS_KEPT = span("consolidation_log")
"""Older movements are folded, and together still give the weight."""

CALLS_KEPT = span("llm_calls")
"""Older calls are summed."""

UNANSWERED_KEPT = timedelta(days=90)
"""A message that could not be answered has no other place where it could be looked at."""

ROUTINE = ("retrieved", "near_miss", "decay", "confirmed", "said again")
"""Movements of every day. Others are few, or stand for work that must not be done twice, and stay as they are."""

EVERY = timedelta(days=1)
PRUNED_TO = "retention.pruned"
"""Where it is kept when this was last done."""

AT_ONCE = 2_000
MEMORIES_AT_ONCE = 25
DAYS_AT_ONCE = 30
"""Rows, memories with all their old rows, or days of model calls a transaction deals with."""

TRANSACTIONS = 40
"""After so many the rest is left to the next quarter of an hour."""


def prune(world: World) -> dict[str, int]:
    """Once a day: drop or fold what is past its time. Returns how many rows went, by table; nothing when it is done.

    Killed anywhere, or with more to do than is good at once, it goes on at the next call.
    """
    now = world.now
    with world.database.read() as db:
        last = kv.get(db, PRUNED_TO)
    if last is not None and now - parse(last) < EVERY:
        return {}
    gone: dict[str, int] = {}
    left = TRANSACTIONS
    for name, part in _PARTS:
        while left > 0:
            left -= 1
            went = part(world, now)
            if went == 0:
                break
            gone[name] = gone.get(name, 0) + went
            point("retention.part")
        else:
            return gone
    with world.database.write() as db:
        kv.put(db, PRUNED_TO, stamp(now), now)
    return gone


def _steps(world: World, now: datetime) -> int:
    with world.database.write() as db:
        return consolidation.forget_steps(db, now - WEIGHTS_KEPT, AT_ONCE)


def _movements(world: World, now: datetime) -> int:
    """Fold the old movements of some memories, each into one row."""
    before = now - WEIGHTS_KEPT
    with world.database.write() as db:
        ids = weights.to_fold(db, ROUTINE, before, MEMORIES_AT_ONCE)
        return sum(weights.fold(db, memory_id, ROUTINE, before) for memory_id in ids)


def _movements_of_many(world: World, now: datetime) -> int:
    """Fold the oldest month of movements of many memories at once; a month is folded when all of it is old.

    Summing goes before the transaction: it may take a while, and nothing changes what was long ago.
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
    """Sum the model calls of whole days."""
    before = (now - CALLS_KEPT).replace(hour=0, minute=0, second=0, microsecond=0)
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
