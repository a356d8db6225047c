"""How near a text is to others by meaning, asked of memoryd at most once for each text."""

from __future__ import annotations

from collections.abc import Sequence

from furoshiki.core.similarity import dot
from furoshiki.language.grounding.thoughts import Near
from furoshiki.retrieval.client import VectorsAway
from furoshiki.world import World


def nearness(world: World) -> Near:
    """A function that answers the best cosine of a text to any of others; None while nobody embeds."""
    known: dict[str, Sequence[float]] = {}
    away = False

    def near(text: str, others: Sequence[str]) -> float | None:
        nonlocal away
        new = [one for one in dict.fromkeys((text, *others)) if one not in known and one.strip()]
        if new and not away:
            try:
                known.update(zip(new, world.vectors.embed(new), strict=True))
            except VectorsAway:
                away = True
        first = known.get(text)
        if first is None:
            return None
        found = [dot(first, known[one]) for one in others if one in known]
        return max(found, default=None)

    return near
