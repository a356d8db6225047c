"""Questions that come to mind, and are sorted."""

from __future__ import annotations

from collections.abc import Sequence

from furoshiki.memory.similarity import embed_english
from furoshiki.mind.inner_life.questions import triage
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.mind.inner_life.store.self_questions import Kind
from furoshiki.world import World


def wonder(world: World, texts: Sequence[str], source: str, *, kind: Kind = "question") -> list[int]:
    """Keep what is asked for the first time; returns the ids of the new questions."""
    vectors = embed_english(world, texts)
    with world.database.write() as db:
        made = [
            self_questions.add(db, text, source, world.now, kind=kind, vector=vector)
            for text, vector in zip(texts, vectors, strict=True)
        ]
    return [one for one in made if one is not None]


async def sort(world: World) -> triage.Counts:
    """Sort what is unsorted, as a tick does."""
    counts, ambiguous = triage.by_rule(world)
    return await triage.by_mind(world, ambiguous, counts)
