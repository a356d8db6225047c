"""Detect whether a text repeats recent messages of the companion, even in other words.

Meaning is compared by stored embeddings where an encoder is available, else by word stems. The gate
therefore works while memoryd is down.
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
"""How many of the newest messages without a vector are embedded; older ones have one. In other
languages than English, stored vectors are useless: only the newest messages are compared."""


def likeness(world: World, text: str, since: datetime, item_id: int | None = None) -> float:
    """Return the highest cosine to the companion's messages since `since`, in [0, 1] or slightly
    below 0; 0 without messages. Messages about `item_id` are left out: a repetition is wanted."""
    with world.database.read() as db:
        own = decisions.turns_of(db, item_id)
        said = [turn for turn in turns.read_since(db, COMPANION, since) if turn.id not in own]
    if not said:
        return 0.0
    by_words = max(cosine_of_counts(_counts(text), _counts(turn.text)) for turn in said)
    try:
        return max(by_words, _compare_meaning(world, text, said))
    except VectorsAway:
        return by_words


def _compare_meaning(world: World, text: str, said: Sequence[Turn]) -> float:
    languages = load_languages(world.config)
    if languages.of(text) is not None:
        own, *earlier = world.vectors.compare([text, *(turn.text for turn in said[-COMPARED_AT_ONCE:])])
        return max(cosine(own, one) for one in earlier)
    encoder, (own,) = world.vectors.said([compose_turn(COMPANION, text)])
    with world.database.read() as db:
        kept = dict(vectors.of_speaker(db, encoder, COMPANION, said[0].at))
    near = [of_halves(kept[turn.id]) for turn in said if turn.id in kept]
    bare = [compose_turn(COMPANION, turn.text) for turn in said if turn.id not in kept]
    fresh = world.vectors.embed(bare[-COMPARED_AT_ONCE:]) if bare else []
    return max(cosine(own, one) for one in (*near, *fresh))


def _counts(text: str) -> Counter[str]:
    return Counter(stems_of(text))
