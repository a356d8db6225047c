"""The same thing kept twice becomes one memory, and things of one kind are found that an insight may sum up.

Only what is new since the last time is compared with what was there, so that a night costs what the day brought.
"""

import sqlite3
from dataclasses import replace
from typing import Any

from furoshiki.core.database import kv
from furoshiki.core.process.crash_points import point
from furoshiki.memory import weighing
from furoshiki.memory.rules.weights import NEW
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.rules import duplicates
from furoshiki.mind.consolidation.rules.duplicates import ALIKE, Told
from furoshiki.mind.consolidation.store import duplicates as duplicate_store
from furoshiki.recall.retrieval.store import vectors
from furoshiki.world import World

COMPARED_TO = "merging.to"
"""Where it is kept, with the encoder's id, up to which memory all have been compared."""

DUPLICATE = "duplicate"
"""The name in the log."""

NEWEST = 4000
"""Memories among which clusters are sought: comparing all of them takes a second."""


def remove_duplicates(world: World, cycle: Cycle) -> dict[str, Any]:
    """Let the older of two memories that say the same inherit from the newer. Returns how many were merged.

    Each pair is one transaction; memories without a vector are compared once they have one.
    """
    with world.database.read() as db:
        model = vectors.model(db)
        if model is None:
            return {"merged": 0}
        before = kv.get(db, COMPARED_TO) or {}
        after = int(before.get("after", 0)) if before.get("model") == model else 0
        missing = duplicate_store.first_without_vector(db, model)
        kinds = duplicate_store.types(db)
        pairs = [pair for kind in kinds for pair in duplicate_store.near_older(db, kind, model, after, ALIKE)]
        newest = max((one.id for one in memories.newest(db, 1)), default=0)
    merged = 0
    for newer, older in sorted(pairs):
        with world.database.write() as db:
            merged += _merge(db, cycle, newer, older)
        point("merging.pair")
    with world.database.write() as db:
        compared = newest if missing is None else min(newest, missing - 1)
        kv.put(db, COMPARED_TO, {"model": model, "after": max(compared, after)}, cycle.now)
    return {"merged": merged}


def clusters(db: sqlite3.Connection, newest: int = NEWEST) -> list[list[int]]:
    """Groups of two and more active memories that all lie near (cosine above 0.85) the oldest of their group.

    Ids in order, groups by their first; each memory is in one group at most. What was concluded from others and what
    is immutable are left out. Nothing when there are no vectors.
    """
    model = vectors.model(db)
    if model is None:
        return []
    ids, rows = duplicate_store.newest_told(db, model, newest)
    taken: set[int] = set()
    found = []
    for first in range(len(ids)):
        if first in taken:
            continue
        near = (rows[first + 1 :] @ rows[first] > ALIKE).nonzero()[0] + first + 1
        group = [first, *(one for one in near.tolist() if one not in taken)]
        if len(group) > 1:
            taken.update(group)
            found.append([ids[one] for one in group])
    return found


def _merge(db: sqlite3.Connection, cycle: Cycle, newer: int, older: list[int]) -> bool:
    """Into the oldest of these that says the same, if one does."""
    held = {one.id: one for one in memories.of_ids(db, [newer, *older])}
    if newer not in held:
        return False
    twin = held[newer]
    for keeper in (held[one] for one in older if one in held):
        if not duplicates.same(_build_told(keeper), _build_told(twin)) or not duplicate_store.inherit(
            db, keeper.id, twin.id, cycle.now
        ):
            continue
        evidence = {"duplicate": twin.id}
        cycle = replace(cycle, stages=cycle.stages - {"B"})  # what two held, one holds: nothing weighs more by it
        weighing.reinforce(db, cycle, keeper.id, max(twin.alpha - NEW.alpha, 0.0), DUPLICATE, evidence)
        weighing.contradict(db, cycle, keeper.id, max(twin.beta - NEW.beta, 0.0), DUPLICATE, evidence)
        return True
    return False


def _build_told(memory: Memory) -> Told:
    return Told(memory.content, memory.subject, memory.predicate, memory.object, memory.event_time)
