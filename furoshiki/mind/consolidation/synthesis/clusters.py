"""Memories that lie close together (cosine above 0.85), as far as they are evidence."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence

from furoshiki.memory.values import Memory
from furoshiki.mind.consolidation.store import synthesis
from furoshiki.world import World

Clusters = Callable[[sqlite3.Connection], Iterable[Sequence[int]]]
"""Finds which memories lie close together, by their ids."""

MOST_MEMBERS = 20
"""A cluster is looked at by its newest members: one question shows no more."""


def of_evidence(world: World, clusters: Clusters | None = None, least: int = 2) -> list[tuple[Memory, ...]]:
    """Clusters with at least `least` members that are evidence, largest first; members oldest first.

    What consolidation concluded itself lies close to what it concluded it from, and is left out.
    """
    if clusters is None:
        from furoshiki.mind.consolidation import duplicates

        clusters = duplicates.clusters
    with world.database.read() as db:
        found = [tuple(synthesis.evidence_among(db, list(cluster))[-MOST_MEMBERS:]) for cluster in clusters(db)]
    return sorted((one for one in found if len(one) >= least), key=lambda one: (-len(one), one[0].id))
