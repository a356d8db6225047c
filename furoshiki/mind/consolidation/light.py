"""Light consolidation: frequent, cheap work without a model.

It applies the decay due, strengthens memories used together, checks one pair of recent memories for
a contradiction, and links new memories with concepts. Each part is a transaction.
"""

import random
import re
import sqlite3
from datetime import timedelta

from furoshiki.core.database import kv
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import parse, stamp
from furoshiki.language.facts.opposition import measure_by_rule
from furoshiki.language.humanize import plural
from furoshiki.memory import concepts, contradiction, weighing
from furoshiki.memory.deferred_checks import CONTEST, CONTESTED, SURE
from furoshiki.memory.store import concepts as concept_store
from furoshiki.memory.store import links, memories
from furoshiki.memory.values import Memory
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation import co_activation, decay
from furoshiki.mind.consolidation.store import consolidation
from furoshiki.mind.consolidation.store.consolidation import DECAYED_TO, LIGHT_AT
from furoshiki.recall.retrieval.store import vectors
from furoshiki.world import Report, World

LOOKED_BACK = timedelta(days=14)
NEWEST = 100  # number of newest memories within two weeks from which a pair is chosen


def run(world: World) -> Report:
    """Run one pass. The results do not depend on how often passes run."""
    cycle = weighing.cycle(world, "light")
    with world.database.read() as db:
        wait = consolidation.between_decays(consolidation.last_memory(db))
        decayed, going = kv.get(db, DECAYED_TO), kv.get(db, decay.PASS)
    faded = 0
    if decayed is None or cycle.now - parse(decayed) >= wait or going is not None:
        faded = int(decay.fade(world, cycle)["faded"])
    closer = co_activation.strengthen(world, cycle)
    point("light.strengthened")
    contested = _look_at_one_pair(world, cycle)
    point("light.looked")
    with world.database.write() as db:
        read_count = concepts.read_new(db, cycle.now)
        kv.put(db, LIGHT_AT, stamp(cycle.now), cycle.now)
    did = {"faded": faded, "closer": closer, "contested": contested, "read": read_count}
    summary = (
        f"{faded} faded, {plural(closer, 'pair')} closer, {plural(read_count, 'memory', 'memories')} read for concepts"
    )
    if contested:
        summary += f"; {contested[0]} and {contested[1]} contradict each other"
    return Report(any(did.values()), summary, did)


_SEVERAL = re.compile(r"[.!?;]\s")


def _look_at_one_pair(world: World, cycle: Cycle) -> list[int]:
    """Check whether a recent memory and a related one contradict each other; contest both if so.

    Returns their ids, or [].
    """
    with world.database.read() as db:
        pair = _pair(db, cycle, world.rng)
        model = vectors.model(db)
        blob_of = {} if model is None else vectors.of_ids(db, "memory", model, [memory.id for memory in pair])
    if len(pair) < 2:
        return []
    older, newer = sorted(pair, key=lambda one: one.id)
    first, second = contradiction.statement(older), contradiction.statement(newer)
    if len(blob_of) == 2:
        older_vector, newer_vector = vectors.unpack([blob_of[older.id], blob_of[newer.id]]).tolist()
        judged = contradiction.by_rule_and_direction(world, first, second, (older_vector, newer_vector))
        against = judged.contradict
    else:  # without vectors, rules decide: memoryd is not woken for one pair
        against = (measure_by_rule(first, second) or 0.0) >= contradiction.SURE
    if not against:
        return []
    with world.database.write() as db:
        if links.list_targets(db, older.id, "contradicts").count(newer.id):
            return []
        if not links.link(db, newer.id, older.id, "contradicts", SURE, cycle.now):
            return []
        for older_vector, newer_vector in ((older, newer), (newer, older)):
            weighing.contradict(db, cycle, older_vector.id, CONTEST, CONTESTED, {"with": newer_vector.id})
    return [older.id, newer.id]


def _pair(db: sqlite3.Connection, cycle: Cycle, rng: random.Random) -> list[Memory]:
    """Return a recent memory and preferably a related one; fewer than two if impossible.

    A message of several sentences is no single statement, and nobody contradicts themselves in one.
    """
    recent = consolidation.recent(db, cycle.now - LOOKED_BACK, NEWEST)
    if not recent:
        return []
    chosen = rng.choice(recent)
    related: list[int] = []
    for concept in concept_store.of_memories(db, [chosen]).get(chosen, []):
        related += [other for other in concept_store.holders(db, concept.id, NEWEST) if other != chosen]
    others = sorted(set(related)) or [other for other in recent if other != chosen]
    pair = memories.of_ids(db, [chosen, rng.choice(others)]) if others else []
    told_at_once = len(pair) == 2 and not set(pair[0].turn_ids).isdisjoint(pair[1].turn_ids)
    mixed = any(one.category == "moment" and _SEVERAL.search(contradiction.statement(one)) for one in pair)
    return [] if told_at_once or mixed else pair
