"""How a question comes to mind: with the vector of its words, so that one already answered is known again."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from furoshiki.core.similarity import Vector
from furoshiki.inner_life.store import self_questions
from furoshiki.inner_life.store.self_questions import Kind
from furoshiki.retrieval.client import VectorsAway
from furoshiki.world import World


def vectors_of(world: World, texts: Sequence[str]) -> list[Vector | None]:
    """The unit vector of each question, None while nobody embeds. Ask before a transaction, never in one."""
    if texts:
        with contextlib.suppress(VectorsAway):
            return list(world.vectors.embed(list(texts)))
    return [None for _ in texts]


def wonder(world: World, texts: Sequence[str], source: str, *, kind: Kind = "question") -> list[int]:
    """Keep what is asked for the first time, in a transaction of its own; answers the ids of the new questions.

    Whoever has a transaction of its own asks `vectors_of` first and calls `self_questions.add` in it.
    """
    vectors = vectors_of(world, texts)
    with world.database.write() as db:
        made = [
            self_questions.add(db, text, source, world.now, kind=kind, vector=vector)
            for text, vector in zip(texts, vectors, strict=True)
        ]
    return [one for one in made if one is not None]
