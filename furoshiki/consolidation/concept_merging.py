"""Two names for one thing become one concept: the same stem, or a cosine that says the same ("sea", "ocean")."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from furoshiki.consolidation.store import concepts
from furoshiki.core.process.crash_points import point
from furoshiki.language.grounding.words import stems_of
from furoshiki.memory.weighing import Cycle
from furoshiki.retrieval.client import VectorsAway
from furoshiki.retrieval.store import vectors
from furoshiki.world import World

if TYPE_CHECKING:
    from furoshiki.retrieval.store.vectors import Floats

SAME_COSINE = 0.85
"""Two names this near in meaning are one; by the shipped encoder "sea" and "ocean" have 0.86, "dog" and "cat" 0.71."""

AT_ONCE = 200
"""Names that get their vectors in one night."""

_NUMBER = re.compile(r"\d")
"""Names with a number are what they are: 2024 is not 2025."""


def step(world: World, cycle: Cycle) -> dict[str, Any]:
    """Give new names their vectors, and join what is one; each pair is one transaction."""
    new: frozenset[int] = frozenset()
    with contextlib.suppress(VectorsAway):  # then stems alone tell, and what is new waits for the next night
        new = _embed(world)
    with world.database.read() as db:
        named = {one: (name, seen) for one, name, seen in concepts.names(db)}
        model = vectors.model(db)
        held = [] if model is None or not new else concepts.vectors(db, model)
    plain = {one: told for one, told in named.items() if not _NUMBER.search(told[0])}
    pairs = {*_of_one_stem(plain), *_near([one for one in held if one[0] in plain], new)}
    joined = 0
    for pair in sorted(pairs):
        staying, going = sorted(pair, key=lambda one: (-named[one][1], one))
        with world.database.write() as db:
            joined += concepts.join(db, going, staying, cycle.now)
        point("concept_merging.pair")
    return {"joined": joined}


def _embed(world: World) -> frozenset[int]:
    """Give names their vectors; the ids of those that got one."""
    with world.database.read() as db:
        model = vectors.model(db)
        new = [] if model is None else concepts.without_vector(db, model, AT_ONCE)
    if model is None or not new:
        return frozenset()
    made = world.vectors.embed([name for _, name in new])
    with world.database.write() as db:
        if vectors.model(db) == model:
            blobs = [vectors.pack(_floats(vector)) for vector in made]
            concepts.keep_vectors(db, model, list(zip((one for one, _ in new), blobs, strict=True)))
    return frozenset(one for one, _ in new)


def _floats(vector: list[float]) -> Floats:
    import numpy as np  # only where there is something to compare

    return np.asarray(vector, np.float32)


def _of_one_stem(named: Mapping[int, tuple[str, int]]) -> list[tuple[int, int]]:
    """Names that are one but for their endings; the first of each with the others."""
    first: dict[frozenset[str], int] = {}
    found = []
    for one, (name, _) in sorted(named.items()):
        stems = stems_of(name)
        if stems and (before := first.setdefault(stems, one)) != one:
            found.append((before, one))
    return found


def _near(held: Sequence[tuple[int, bytes]], new: Collection[int]) -> list[tuple[int, int]]:
    """Each new name with the nearest of all others, where it is that near."""
    if len(held) < 2:
        return []
    import numpy as np

    rows = vectors.unpack([blob for _, blob in held])
    found = []
    for number, (one, _) in enumerate(held):
        if one in new:
            cosines = rows @ rows[number]
            cosines[number] = -1.0
            best = int(np.argmax(cosines))
            if cosines[best] >= SAME_COSINE:
                found.append((min(one, held[best][0]), max(one, held[best][0])))
    return found
