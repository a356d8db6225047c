"""The concept graph: concepts extracted from new memories, and used to find associated memories."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from furoshiki.core.database import kv
from furoshiki.memory.rules.concepts import FADED, Drift, drift, key_nouns, rarity
from furoshiki.memory.store import concepts
from furoshiki.memory.store.concepts import READ_TO, Concept
from furoshiki.memory.weighing import Cycle
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World

# the `kv` key of the topic changes (rising and fading concepts) that the last night found
THEMES = "concepts.themes"

AT_ONCE = 300  # memories processed in one pass
HOP_FACTORS = (0.3, 0.1)  # the share of the activation that one hop and two hops carry
PARTNERS = 3  # new neighbours of a concept that a second hop follows
HOLDERS = 30  # newest memories of a concept that can be found

RECENT = timedelta(days=14)
EARLIER = timedelta(days=90)


def read_new(db: sqlite3.Connection, now: datetime) -> int:
    """Extract the concepts of unprocessed memories, by id; return the number processed."""
    rows = concepts.unread(db, int(kv.get(db, READ_TO, 0)), AT_ONCE)
    for memory_id, content, fact_object in rows:
        concepts.see(db, memory_id, find_key_nouns(f"{content} {_quote_object(fact_object)}"), now)
    if rows:
        kv.put(db, READ_TO, rows[-1][0], now)
    return len(rows)


def find_key_nouns(text: str) -> tuple[str, ...]:
    """Return the concepts (key nouns) of a text, in any supported language."""
    return key_nouns(text, languages=load_languages().find_all(text))


def tidy(world: World, cycle: Cycle) -> dict[str, Any]:
    """Nightly step: delete concepts without memories, and store how topics of the last 14 days
    differ from the 90 days before."""
    recent = cycle.now - RECENT
    with world.database.write() as db:
        unheld = concepts.drop_unheld(db)
        moved = drift(concepts.counts(db, recent - EARLIER, recent), concepts.counts(db, recent, cycle.now))
        change = {"drift": round(moved.distance, 3), "rising": list(moved.rising), "fading": list(moved.fading)}
        if change != kv.get(db, THEMES):
            kv.put(db, THEMES, change, cycle.now)
    return {"unheld": unheld, **change}


def themes(db: sqlite3.Connection) -> Drift:
    """Return the topic changes that the last night found."""
    change = kv.get(db, THEMES) or {"drift": 0.0, "rising": (), "fading": ()}
    return Drift(float(change["drift"]), tuple(change["rising"]), tuple(change["fading"]))


def find_associated(
    db: sqlite3.Connection, memory_ids: Sequence[int], hops: int = 1, *, now: datetime, limit: int = 20
) -> list[tuple[int, float]]:
    """Return active memories that share concepts with these, strongest first, without these.

    One hop follows shared concepts; two hops also follow concepts that often occur together with
    those. Weights are above 0; a rare concept carries more than a common one, a faded concept
    nothing.
    """
    of_memory = concepts.of_memories(db, list(dict.fromkeys(memory_ids)))
    near: dict[int, tuple[Concept, float]] = {}
    for concept in (one for found in of_memory.values() for one in found):
        near[concept.id] = (concept, near.get(concept.id, (concept, 0.0))[1] + 1.0 / len(of_memory))
    scores: dict[int, float] = {}
    _spread(db, near, HOP_FACTORS[0], scores, now)
    if hops > 1:
        _spread(db, _one_further(db, near, now), HOP_FACTORS[1], scores, now)
    for memory_id in memory_ids:
        scores.pop(memory_id, None)
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]


def _one_further(
    db: sqlite3.Connection, near: dict[int, tuple[Concept, float]], now: datetime
) -> dict[int, tuple[Concept, float]]:
    further: dict[int, tuple[Concept, float]] = {}
    for concept, strength in near.values():
        company = concepts.neighbours(db, concept.id, now, PARTNERS + len(near))
        others = [(other, weight) for other, weight in company if other.id not in near and weight > 0][:PARTNERS]
        total = sum(weight for _, weight in others)
        for other, weight in others:
            before = further.get(other.id, (other, 0.0))[1]
            further[other.id] = (other, before + strength * weight / total)
    return further


def _spread(
    db: sqlite3.Connection,
    active: dict[int, tuple[Concept, float]],
    factor: float,
    scores: dict[int, float],
    now: datetime,
) -> None:
    for concept, strength in active.values():
        if concept.strength_at(now) < FADED:
            continue
        for memory_id in concepts.holders(db, concept.id, HOLDERS):
            scores[memory_id] = scores.get(memory_id, 0.0) + factor * strength * rarity(concept.seen)


def _quote_object(fact_object: str | None) -> str:
    """Return the object of a fact, not at the start of a sentence, so that a name is recognised."""
    return "" if fact_object is None else f"is {fact_object}"
