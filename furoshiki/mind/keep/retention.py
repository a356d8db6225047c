"""How long it stays on record what memory did, so that a database of many years is one of what was said, not of logs.

Other records have their own keeper: feelings, messages that came in and drafts of answers go after a week (the soul
engine), what was said and judged leaves the scratch buffer after 30 days (the flush), gut feeling keeps its newest
5,000 turns (deep consolidation).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from furoshiki.crash import point
from furoshiki.domain.when import parse, stamp
from furoshiki.storage import consolidation, kv, proposals, retrievals, safety, weights
from furoshiki.world import World

RETRIEVALS_KEPT = timedelta(days=180)
"""What came to mind in a turn. Voices learn from the last night, promotions ask for months."""

SAFETY_KEPT = timedelta(days=90)
"""What a ceiling held back; the owner is shown 30 days of it."""

WEIGHTS_KEPT = timedelta(days=180)
"""Each single movement of a weight; older ones are folded, and together still give the weight."""

ROUTINE = ("retrieved", "near_miss", "decay", "confirmed", "said again")
"""Movements of every day. Others are few, or stand for work that must not be done twice, and stay as they are."""

EVERY = timedelta(days=1)
PRUNED_TO = "retention.pruned"
"""Where it is kept when this was last done."""

AT_ONCE = 2_000
MEMORIES_AT_ONCE = 25
"""Rows, or memories with all their old rows, a transaction deals with."""

TRANSACTIONS = 40
"""After so many the rest is left to the next quarter of an hour."""


def prune(world: World) -> dict[str, int]:
    """Once a day: drop or fold what is past its time. Answers how many rows went, by table; nothing when it is done.

    Killed anywhere, or with more to do than is good at once, it goes on at the next call.
    """
    now = world.now
    with world.store.read() as db:
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
    with world.store.write() as db:
        kv.put(db, PRUNED_TO, stamp(now), now)
    return gone


def _retrievals(world: World, now: datetime) -> int:
    with world.store.write() as db:
        return retrievals.prune(db, now - RETRIEVALS_KEPT, AT_ONCE)


def _safety(world: World, now: datetime) -> int:
    with world.store.write() as db:
        return safety.prune(db, now - SAFETY_KEPT, AT_ONCE)


def _steps(world: World, now: datetime) -> int:
    with world.store.write() as db:
        return consolidation.forget_steps(db, now - WEIGHTS_KEPT, AT_ONCE)


def _movements(world: World, now: datetime) -> int:
    """Fold the old movements of some memories, each into one row."""
    before = now - WEIGHTS_KEPT
    with world.store.write() as db:
        ids = weights.to_fold(db, ROUTINE, before, MEMORIES_AT_ONCE)
        return sum(weights.fold(db, memory_id, ROUTINE, before) for memory_id in ids)


def _movements_of_many(world: World, now: datetime) -> int:
    """Fold the oldest month of movements of many memories at once; a month is folded when all of it is old.

    Summing goes before the transaction: it may take a while, and nothing changes what was long ago.
    """
    with world.store.read() as db:
        oldest = weights.oldest_of_many(db, ROUTINE)
        if oldest is None:
            return 0
        end = _next_month(oldest)
        if end > now - WEIGHTS_KEPT:
            return 0
        changes = weights.of_many(db, ROUTINE, end)
    sums = weights.sums_of(changes)
    with world.store.write() as db:
        return len(changes) if weights.replace_many(db, changes, sums) else 0


def _next_month(moment: datetime) -> datetime:
    first = moment.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return (first + timedelta(days=32)).replace(day=1)


def _proposals(world: World, now: datetime) -> int:
    with world.store.write() as db:
        return proposals.prune(db, now)


_PARTS: tuple[tuple[str, Callable[[World, datetime], int]], ...] = (
    ("retrievals", _retrievals),
    ("proposals", _proposals),
    ("safety_events", _safety),
    ("steps", _steps),
    ("weights", _movements),
    ("weights of many", _movements_of_many),
)
