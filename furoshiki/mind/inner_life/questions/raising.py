"""How a question comes to mind: with the vector of its words, so that one already answered is known again."""

import contextlib
from collections.abc import Sequence

from furoshiki.core.similarity import Vector
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World


def vectors_of(world: World, texts: Sequence[str]) -> list[Vector | None]:
    """The unit vector of each question, None while nobody embeds and of one in another language than English, of which
    the vector would tell nothing. Ask before a transaction, never in one."""
    spoken = load_languages(world.config)
    english = [text for text in texts if spoken.of(text) is None]
    found: dict[str, Vector] = {}
    if english:
        with contextlib.suppress(VectorsAway):
            found = dict(zip(english, world.vectors.embed(english), strict=True))
    return [found.get(text) for text in texts]
