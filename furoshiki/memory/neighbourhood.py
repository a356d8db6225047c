"""The neighbourhood of a memory: linked memories, its concepts, others that share them."""

import sqlite3
from dataclasses import dataclass

from furoshiki.core.catalogue import say
from furoshiki.memory import overview
from furoshiki.memory.store import concepts, links, memories
from furoshiki.memory.store.concepts import Concept
from furoshiki.memory.values import Memory

MOST_LINKED = 14
MOST_CONCEPTS = 10
MOST_BESIDE = 14

RARE = 500  # other memories are not looked up for concepts with more memories than this
OF_EACH = 3  # other memories shown for one concept


@dataclass(frozen=True)
class Neighbourhood:
    """A memory and its surroundings. `linked` come with the relation, read from the centre;
    `beside` with the id of the shared concept. `more` counts links that were left out."""

    centre: Memory
    linked: tuple[tuple[str, Memory], ...]
    concepts: tuple[Concept, ...]
    beside: tuple[tuple[int, Memory], ...]
    more: int = 0


def around(db: sqlite3.Connection, centre: Memory) -> Neighbourhood:
    """Return a memory's newest links, rarest concepts, and newest memories with those."""
    relations = _find_relations(db, centre.id)
    order = list(relations)
    linked = sorted(memories.of_ids(db, order[:MOST_LINKED]), key=lambda one: order.index(one.id))
    about = sorted(concepts.of_memories(db, [centre.id]).get(centre.id, []), key=lambda one: (one.seen, one.id))
    about = about[:MOST_CONCEPTS]
    beside = _find_beside(db, {centre.id, *relations}, about)
    others = {memory.id: memory for memory in memories.of_ids(db, list(beside)[:MOST_BESIDE])}
    return Neighbourhood(
        centre,
        tuple((relations[memory.id], memory) for memory in linked),
        tuple(about),
        tuple((concept, others[i]) for i, concept in beside.items() if i in others),
        max(0, len(relations) - MOST_LINKED),
    )


def _find_relations(db: sqlite3.Connection, memory_id: int) -> dict[int, str]:
    """Return the linked memories' ids with the relation in words, newest link first."""
    found: dict[int, str] = {}
    for link in reversed(links.links_of(db, memory_id)):
        if link.from_id == memory_id:
            other, direction = link.to_id, "to"
        else:
            other, direction = link.from_id, "from"
        words = overview.relation_in_words({"relation": link.relation, "direction": direction})
        found.setdefault(other, say(words))
    return found


def _find_beside(db: sqlite3.Connection, shown: set[int], about: list[Concept]) -> dict[int, int]:
    """Return ids of memories that are not shown yet, each with the id of a rare concept it shares."""
    found: dict[int, int] = {}
    for concept in about:
        if concept.seen > RARE:
            continue
        holders = concepts.holders(db, concept.id, OF_EACH + len(shown))
        for memory_id in [i for i in holders if i not in shown][:OF_EACH]:
            found.setdefault(memory_id, concept.id)
    return found
