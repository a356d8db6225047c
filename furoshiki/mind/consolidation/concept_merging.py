"""Merge concepts with equivalent names: the same stem, or a high cosine ("sea", "ocean").

Names of people and words for relatives are never merged: they are similar, not equivalent.
"""

import contextlib
import re
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from furoshiki.core.arrays import Floats
from furoshiki.core.process.crash_points import point
from furoshiki.language.facts import relatives
from furoshiki.language.grounding.words import stems_of
from furoshiki.language.tables.calendar_names import NAMES
from furoshiki.language.words import SPELLED_HYPHENED
from furoshiki.memory.rules.concepts import opens_sentence
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.store import concepts
from furoshiki.recall.embeddings.models import MULTILINGUAL, identity
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.store import multilingual, vectors
from furoshiki.world import World

# minimum cosine of equivalent names (shipped encoder: "sea" and "ocean" 0.86, "dog", "cat" 0.71)
SAME_COSINE = 0.85

AT_ONCE = 200  # names embedded per night

_NUMBER = re.compile(r"\d")  # names with a number are never merged: 2024 is not 2025


def step(world: World, cycle: Cycle) -> dict[str, Any]:
    """Merge equivalent concepts, a transaction for each pair; then store the new vectors."""
    model, new = "", dict[int, bytes]()
    with contextlib.suppress(VectorsAway):  # then only stems are compared, and new names wait for the next night
        model, new = _embed(world)
    with world.database.read() as db:
        name_of = {one: (name, seen) for one, name, seen in concepts.names(db)}
        plain = {one: told for one, told in name_of.items() if not _NUMBER.search(told[0])}
        all_vectors = [*(concepts.vectors(db, model) if new else ()), *new.items()]

        @cache
        def somebody(concept_id: int) -> bool:
            return names_somebody(plain[concept_id][0], concepts.read_wordings(db, concept_id))

        def apart(concept_id: int) -> bool:
            return is_apart(plain[concept_id][0]) or somebody(concept_id)

        stems = [pair for pair in _of_one_stem(plain) if not any(map(somebody, pair))]
        pairs = {*stems, *_near([one for one in all_vectors if one[0] in plain], new.keys(), apart)}
    joined, again = 0, set[int]()
    for pair in sorted(pairs):
        staying, going = sorted(pair, key=lambda one: (-name_of[one][1], one))
        with world.database.write() as db:
            done = concepts.join(db, going, staying, cycle.now)
        joined += done
        again.update(() if done else pair)  # one of them was already merged
        point("concept_merging.pair")
    with world.database.write() as db:
        if new and _find_encoder(world, db)[0] == model:
            concepts.keep_vectors(db, model, [(one, blob) for one, blob in new.items() if one not in again])
    return {"joined": joined}


def _embed(world: World) -> tuple[str, dict[int, bytes]]:
    """Return the encoder and the vectors of new names, by id, to be stored after comparison."""
    with world.database.read() as db:
        model, embed = _find_encoder(world, db)
        new = [] if model is None else concepts.without_vector(db, model, AT_ONCE)
    if model is None or not new:
        return "", {}
    made = embed([name for _, name in new])
    return model, {one: vectors.pack(_floats(vector)) for (one, _), vector in zip(new, made, strict=True)}


def _find_encoder(world: World, db: sqlite3.Connection) -> tuple[str | None, Callable[[list[str]], list[list[float]]]]:
    """Return the encoder's id and its function: the multilingual encoder if another language than
    English is spoken. The English one takes "mother" and "work" for the same in Chinese."""
    if multilingual.is_spoken(db):
        return identity(MULTILINGUAL), world.vectors.compare
    return vectors.model(db), world.vectors.embed


def _floats(vector: list[float]) -> Floats:
    import numpy as np  # imported only if there is something to compare

    return np.asarray(vector, np.float32)


def _of_one_stem(name_of: Mapping[int, tuple[str, int]]) -> list[tuple[int, int]]:
    """Return pairs of names with equal stems: the first with each other one."""
    first: dict[frozenset[str], int] = {}
    pairs = []
    for concept_id, (name, _) in sorted(name_of.items()):
        stems = stems_of(name)
        if stems and (before := first.setdefault(stems, concept_id)) != concept_id:
            pairs.append((before, concept_id))
    return pairs


def _near(
    all_vectors: Sequence[tuple[int, bytes]], new: Collection[int], apart: Callable[[int], bool]
) -> list[tuple[int, int]]:
    """Pair each new name with its nearest mergeable name above SAME_COSINE."""
    if len(all_vectors) < 2:
        return []
    import numpy as np

    rows = vectors.unpack([blob for _, blob in all_vectors])
    pairs = []
    for number, (concept_id, _) in enumerate(all_vectors):
        if concept_id in new:
            cosines = rows @ rows[number]
            cosines[number] = -1.0
            near = [all_vectors[int(at)][0] for at in np.argsort(-cosines) if cosines[at] >= SAME_COSINE]
            best = next((other for other in near if not apart(other)), None) if near and not apart(concept_id) else None
            if best is not None:
                pairs.append((min(concept_id, best), max(concept_id, best)))
    return pairs


def is_apart(name: str) -> bool:
    """Return whether a name is a relation ("sister-in-law", "ex-husband"), day or month."""
    words = {name, *name.replace("-", " ").split()}
    return bool(words & (relatives.RELATIONS | NAMES))


def names_somebody(name: str, texts: Iterable[str]) -> bool:
    """Return whether a word is used as a person's name: capitalised within a sentence and never in
    lower case, or given for a relative ("my brother johann")."""
    wanted = set(name.split())
    large: set[str] = set()
    small: set[str] = set()
    for text in texts:
        related = relatives.find_related(text)
        if related is not None and related.name is not None and related.name.casefold() in wanted:
            return True
        ended = 0
        for match in SPELLED_HYPHENED.finditer(text):
            word, gap = match[0].replace("\u2019", "'").removesuffix("'s"), text[ended : match.start()]
            ended = match.end()
            if word.casefold() not in wanted or (word.isupper() and len(word) > 1):
                continue
            if not word[0].isupper():
                small.add(word)
            elif match.start() == 0 or opens_sentence(gap):
                large.add(word.casefold())
            else:
                return True
    return bool(large - small)
