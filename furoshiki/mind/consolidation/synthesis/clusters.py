"""Clusters of similar memories (cosine above 0.85) that can be evidence.

The vectors are of the English encoder, to which any two texts of another language are alike:
such memories belong to no cluster.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from furoshiki.memory.values import Memory
from furoshiki.mind.consolidation.store import synthesis
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World

# a function that returns clusters of memory ids
Clusters = Callable[[sqlite3.Connection], Iterable[Sequence[int]]]

MOST_MEMBERS = 20  # maximum members of a cluster in one question: the newest


def of_evidence(world: World, clusters: Clusters | None = None, least: int = 2) -> list[tuple[Memory, ...]]:
    """Return clusters with at least `least` members of evidence, largest first, members by age.

    Conclusions are similar to their own evidence, so they are left out.
    """
    if clusters is None:
        from furoshiki.mind.consolidation import duplicates

        clusters = duplicates.clusters
    with world.database.read() as db:
        groups = [
            tuple(filter(partial(_is_readable, world), synthesis.evidence_among(db, list(cluster))))[-MOST_MEMBERS:]
            for cluster in clusters(db)
        ]
    return sorted(
        (memories for memories in groups if len(memories) >= least),
        key=lambda memories: (-len(memories), memories[0].id),
    )


def _is_readable(world: World, memory: Memory) -> bool:
    """Whether a memory is English, a quotation (They said: “…”) by the words in it."""
    quoted = memory.content.partition("\u201c")[2].rstrip("\u201d")
    return load_languages(world.config).of(quoted or memory.content) is None
