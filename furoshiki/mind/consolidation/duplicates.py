"""Merge duplicate memories, and find clusters of similar ones that an insight may summarise.

Only new memories are compared with the rest, so that the cost depends on the day's additions.
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
"""The `kv` key of the last compared memory and the encoder's id."""

DUPLICATE = "duplicate"
"""The operation name in the log."""

NEWEST = 4000
"""Number of newest memories searched for clusters: comparing all of them takes a second."""


def remove_duplicates(world: World, cycle: Cycle) -> dict[str, Any]:
    """Merge newer memories into older ones that say the same. Returns their number.

    Each pair is a transaction; memories without a vector are compared once they have one.
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
        newest = max((memory.id for memory in memories.newest(db, 1)), default=0)
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
    """Return groups of two or more active memories, each with a cosine above 0.85 to its oldest.

    Ids are in order, groups by their first id; a memory is in one group at most. Conclusions and
    immutable memories are left out. Returns [] without vectors.
    """
    model = vectors.model(db)
    if model is None:
        return []
    ids, rows = duplicate_store.newest_told(db, model, newest)
    taken: set[int] = set()
    all_clusters = []
    for first in range(len(ids)):
        if first in taken:
            continue
        near = (rows[first + 1 :] @ rows[first] > ALIKE).nonzero()[0] + first + 1
        group = [first, *(one for one in near.tolist() if one not in taken)]
        if len(group) > 1:
            taken.update(group)
            all_clusters.append([ids[one] for one in group])
    return all_clusters


def _merge(db: sqlite3.Connection, cycle: Cycle, newer: int, older: list[int]) -> bool:
    """Merge a memory into the oldest of `older` that says the same; return whether any does."""
    memory_of = {memory.id: memory for memory in memories.of_ids(db, [newer, *older])}
    if newer not in memory_of:
        return False
    twin = memory_of[newer]
    for keeper in (memory_of[one] for one in older if one in memory_of):
        if not duplicates.same(_build_told(keeper), _build_told(twin)) or not duplicate_store.inherit(
            db, keeper.id, twin.id, cycle.now
        ):
            continue
        evidence = {"duplicate": twin.id}
        cycle = replace(cycle, stages=cycle.stages - {"B"})  # without ceiling B: the total weight stays the same
        weighing.reinforce(db, cycle, keeper.id, max(twin.alpha - NEW.alpha, 0.0), DUPLICATE, evidence)
        weighing.contradict(db, cycle, keeper.id, max(twin.beta - NEW.beta, 0.0), DUPLICATE, evidence)
        return True
    return False


def _build_told(memory: Memory) -> Told:
    return Told(memory.content, memory.subject, memory.predicate, memory.object, memory.event_time)
