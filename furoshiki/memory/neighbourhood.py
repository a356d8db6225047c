"""The neighbourhood of a memory: linked memories, its concepts, others that share them."""

import sqlite3
from dataclasses import dataclass

from furoshiki.core import refs
from furoshiki.core.catalogue import say
from furoshiki.memory import overview
from furoshiki.memory.store import concepts, links, memories
from furoshiki.memory.store.concepts import Concept
from furoshiki.memory.values import Memory

MOST_LINKED = 14
MOST_CONCEPTS = 10
MOST_BESIDE = 14

RARE = 500
"""Other memories are not looked up for concepts with more memories than this."""

OF_EACH = 3
"""Other memories shown for one concept."""


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
    neighbours: dict[int, str] = {}
    for link in reversed(links.links_of(db, centre.id)):
        outward = link.from_id == centre.id
        relation = {"relation": link.relation, "direction": "to" if outward else "from"}
        neighbours.setdefault(link.to_id if outward else link.from_id, say(overview.relation_in_words(relation)))
    linked = memories.of_ids(db, list(neighbours)[:MOST_LINKED])
    about = sorted(concepts.of_memories(db, [centre.id]).get(centre.id, []), key=lambda one: (one.seen, one.id))
    about = about[:MOST_CONCEPTS]
    beside: dict[int, int] = {}
    for near_concept in about:
        if near_concept.seen <= RARE:
            holder_ids = [
                i for i in concepts.holders(db, near_concept.id, OF_EACH + 1 + len(neighbours)) if i != centre.id
            ]
            for memory_id in [i for i in holder_ids if i not in neighbours][:OF_EACH]:
                beside.setdefault(memory_id, near_concept.id)
    others = {memory.id: memory for memory in memories.of_ids(db, list(beside)[:MOST_BESIDE])}
    return Neighbourhood(
        centre,
        tuple(
            (neighbours[memory.id], memory) for memory in sorted(linked, key=lambda one: list(neighbours).index(one.id))
        ),
        tuple(about),
        tuple((concept, others[i]) for i, concept in beside.items() if i in others),
        max(0, len(neighbours) - MOST_LINKED),
    )


def as_data(neighbourhood: Neighbourhood) -> dict[str, object]:
    """Return the same as plain values."""
    return {
        "linked": [{"relation": words, **_describe_memory(one)} for words, one in neighbourhood.linked],
        "concepts": [
            {"id": concept.id, "name": concept.name, "memories": concept.seen} for concept in neighbourhood.concepts
        ],
        "beside": [{"concept": concept, **_describe_memory(one)} for concept, one in neighbourhood.beside],
    }


def _describe_memory(memory: Memory) -> dict[str, str]:
    return {"id": refs.name("memory", memory.id), "text": memory.content}
