"""How a question comes to mind: with the vector of its words, so that one already answered is known again."""

import contextlib
from collections.abc import Sequence

from furoshiki.core.similarity import Vector
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.world import World


def vectors_of(world: World, texts: Sequence[str]) -> list[Vector | None]:
    """The unit vector of each question, None while nobody embeds. Ask before a transaction, never in one."""
    if texts:
        with contextlib.suppress(VectorsAway):
            return list(world.vectors.embed(list(texts)))
    return [None for _ in texts]
