"""Whether words would repeat what the companion has said lately, in whatever words it said it.

Meaning is compared where somebody can embed, with the vectors that are kept beside what was said; where nobody can, the
stems of words are. So the gate never stands open because memoryd is away.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from furoshiki.core.similarity import cosine, cosine_of_counts, of_halves
from furoshiki.language.grounding.words import stems_of
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, Turn
from furoshiki.mind.outreach.store import decisions
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.values import compose_turn
from furoshiki.world import World

COMPARED_AT_ONCE = 32
"""So many of the newest words that have no vector yet are embedded for this; older ones have one. In other languages
than English the kept vectors tell nothing, and the newest words alone are compared."""


def likeness(world: World, text: str, since: datetime, item_id: int | None = None) -> float:
    """The highest cosine to anything the companion said since a moment, in [0, 1] or a little below 0; 0 when it said
    nothing. What was said of the thing `item_id` itself is left out: it is said again because that was asked for."""
    with world.database.read() as db:
        own = decisions.turns_of(db, item_id)
        said = [one for one in turns.read_since(db, COMPANION, since) if one.id not in own]
    if not said:
        return 0.0
    by_words = max(cosine_of_counts(_counts(text), _counts(one.text)) for one in said)
    try:
        return max(by_words, _compare_meaning(world, text, said))
    except VectorsAway:
        return by_words


def _compare_meaning(world: World, text: str, said: Sequence[Turn]) -> float:
    known = load_languages(world.config)
    if known.of(text) is not None:
        own, *earlier = world.vectors.compare([text, *(one.text for one in said[-COMPARED_AT_ONCE:])])
        return max(cosine(own, one) for one in earlier)
    encoder, (own,) = world.vectors.said([compose_turn(COMPANION, text)])
    with world.database.read() as db:
        kept = dict(vectors.of_speaker(db, encoder, COMPANION, said[0].at))
    near = [of_halves(kept[one.id]) for one in said if one.id in kept]
    bare = [compose_turn(COMPANION, one.text) for one in said if one.id not in kept]
    fresh = world.vectors.embed(bare[-COMPARED_AT_ONCE:]) if bare else []
    return max(cosine(own, one) for one in (*near, *fresh))


def _counts(text: str) -> Counter[str]:
    return Counter(stems_of(text))
