"""Whether words would repeat what the companion has said lately, in whatever words it said it.

Meaning is compared where somebody can embed, with the vectors that are kept beside what was said; where nobody can, the
stems of words are. So the gate never stands open because memoryd is away.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from furoshiki.core.similarity import cosine, cosine_of_counts
from furoshiki.language.grounding.words import stems_of
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.values import turn_as_embedded
from furoshiki.world import World

EMBEDDED_AT_ONCE = 32
"""So many of the newest words that have no vector yet are embedded for this; older ones have one."""


def likeness(world: World, text: str, since: datetime) -> float:
    """The highest cosine to anything the companion said since a moment; 0 when it said nothing."""
    with world.database.read() as db:
        said = [one.text for one in turns.said_since(db, COMPANION, since)]
    if not said:
        return 0.0
    by_words = max(cosine_of_counts(_counts(text), _counts(one)) for one in said)
    try:
        return max(by_words, _by_meaning(world, text, since))
    except VectorsAway:
        return by_words


def _by_meaning(world: World, text: str, since: datetime) -> float:
    encoder, (own,) = world.vectors.said([turn_as_embedded(COMPANION, text)])
    with world.database.read() as db:
        kept, bare = _vectors(db, encoder, since)
    fresh = world.vectors.embed(bare) if bare else []
    return max((cosine(own, one) for one in (*kept, *fresh)), default=0.0)


def _vectors(db: sqlite3.Connection, encoder: str, since: datetime) -> tuple[list[Sequence[float]], list[str]]:
    """The vectors of what the companion said, and what the newest words without one are for the encoder."""
    kept = vectors.of_speaker(db, encoder, COMPANION, since)
    have = {turn_id for turn_id, _ in kept}
    said = [one for one in turns.said_since(db, COMPANION, since) if one.id not in have]
    bare = [turn_as_embedded(one.speaker, one.text) for one in said[-EMBEDDED_AT_ONCE:]]
    return [vectors.numbers(blob) for _, blob in kept], bare


def _counts(text: str) -> Counter[str]:
    return Counter(stems_of(text))
