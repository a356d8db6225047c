"""Search the companion's own documents by meaning (if memoryd answers) and by words (always).

Documents are only read. With a few hundred parts, words are compared without an index.
"""

import contextlib
import math
from collections import Counter
from collections.abc import Sequence

from furoshiki.core import refs
from furoshiki.language.grounding.words import stems_of
from furoshiki.language.tables.function_words import query_words
from furoshiki.mind.inner_life.knowledge_sources import REALITY
from furoshiki.mind.inner_life.store import design_docs
from furoshiki.mind.inner_life.store.design_docs import Part
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.rules.ranking import fuse
from furoshiki.world import World

FOUND = 5  # parts returned for a question: about 1,000 tokens
NAMED = 30  # maximum parts from each of the two searches

MEANING_WEIGHT = 1.0
WORDS_WEIGHT = 0.7
REAL = 1.25  # the weight of parts of the generated document: it wins over other descriptions

# pages for maintainers and shell users (design decisions, each command), and their lower weight:
# most questions are about the companion itself
FOR_OPERATORS, ASIDE = ("docs/adr/", "docs/commands.md"), 0.6

HEADING_COUNTS = 2.0  # the weight of a word in a heading, which describes the whole part


def look_up(world: World, question: str, k: int = FOUND) -> list[Part]:
    """Return the `k` most relevant parts, best first; [] when none are stored."""
    with world.database.read() as db:
        parts = {refs.name("design", part.id): part for part in design_docs.every(db)}
    near: list[str] = []
    if parts:
        with contextlib.suppress(VectorsAway):
            near = [name for name, _ in world.vectors.query(question, ("design",), NAMED) if name in parts]
    told = by_words(question, list(parts.values()))
    scores = fuse([(MEANING_WEIGHT, near), (WORDS_WEIGHT, [refs.name("design", part.id) for part in told])])
    order = sorted(scores, key=lambda name: (-scores[name] * _weigh_source(parts[name]), name))
    return [parts[name] for name in order[:k]]


def _weigh_source(part: Part) -> float:
    if part.source == REALITY:
        return REAL
    return ASIDE if part.source.startswith(FOR_OPERATORS) else 1.0


def by_words(question: str, parts: Sequence[Part]) -> list[Part]:
    """Return the parts that share words with a question, weighting rare words; among equals the
    generated document comes first."""
    asked = stems_of(" ".join(query_words(question)))
    heads = [stems_of(part.heading) for part in parts]
    words = [stems_of(one.text) | head for one, head in zip(parts, heads, strict=True)]
    often = Counter(word for each in words for word in each & asked)
    worth = {word: math.log(1 + len(parts) / often[word]) for word in often}
    scores = []
    for said, head in zip(words, heads, strict=True):
        in_heading = sum(worth[word] for word in asked & said & head)
        scores.append(sum(worth[word] for word in asked & said - head) + HEADING_COUNTS * in_heading)
    order = sorted(range(len(parts)), key=lambda place: (-scores[place], parts[place].source != REALITY, place))
    return [parts[place] for place in order[:NAMED] if scores[place] > 0]
