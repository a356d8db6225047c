"""Find what the companion's own documents say to a question: by meaning where memoryd answers, by words always.

Documents are only read. There are a few hundred parts, so words are compared here, without an index of their own.
"""

import contextlib
import math
from collections import Counter
from collections.abc import Sequence

from furoshiki.core import refs
from furoshiki.language.grounding.words import stems_of
from furoshiki.language.tables.stop_words import query_words
from furoshiki.mind.inner_life.knowledge_sources import REALITY
from furoshiki.mind.inner_life.store import design_docs
from furoshiki.mind.inner_life.store.design_docs import Part
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.rules.ranking import fuse
from furoshiki.world import World

FOUND = 5
"""Parts that answer one question: about 1,000 tokens."""

NAMED = 30
"""Parts that each of the two voices may name."""

MEANING_WEIGHT = 1.0
WORDS_WEIGHT = 0.7
REAL = 1.25
"""How much more a part of the page counts that was written from the real thing: where two tell of one matter, it is
the one to be believed."""

FOR_OPERATORS, ASIDE = ("docs/adr/", "docs/commands.md"), 0.6
"""Pages for who keeps the program or types at a shell (why something was decided, every command by itself), and how
much less they count: most questions are about what the companion is and does."""

HEADING_COUNTS = 2.0
"""A word in a heading says what the whole part is about."""


def look_up(world: World, question: str, k: int = FOUND) -> list[Part]:
    """The `k` parts that tell most about a question, best first; none when nothing was written down yet."""
    with world.database.read() as db:
        parts = {refs.name("design", one.id): one for one in design_docs.every(db)}
    near: list[str] = []
    if parts:
        with contextlib.suppress(VectorsAway):
            near = [name for name, _ in world.vectors.query(question, ("design",), NAMED) if name in parts]
    told = by_words(question, list(parts.values()))
    scores = fuse([(MEANING_WEIGHT, near), (WORDS_WEIGHT, [refs.name("design", one.id) for one in told])])
    order = sorted(scores, key=lambda name: (-scores[name] * _weigh_source(parts[name]), name))
    return [parts[name] for name in order[:k]]


def _weigh_source(part: Part) -> float:
    if part.source == REALITY:
        return REAL
    return ASIDE if part.source.startswith(FOR_OPERATORS) else 1.0


def by_words(question: str, parts: Sequence[Part], limit: int = NAMED) -> list[Part]:
    """The parts that share words with a question, rare words first, of equals the page that was written from the real
    thing; what shares none is left out."""
    asked = stems_of(" ".join(query_words(question)))
    heads = [stems_of(one.heading) for one in parts]
    words = [stems_of(one.text) | head for one, head in zip(parts, heads, strict=True)]
    often = Counter(word for each in words for word in each & asked)
    worth = {word: math.log(1 + len(parts) / often[word]) for word in often}
    scores = [
        sum(worth[word] * (HEADING_COUNTS if word in head else 1.0) for word in asked & said)
        for said, head in zip(words, heads, strict=True)
    ]
    order = sorted(range(len(parts)), key=lambda place: (-scores[place], parts[place].source != REALITY, place))
    return [parts[place] for place in order[:limit] if scores[place] > 0]
