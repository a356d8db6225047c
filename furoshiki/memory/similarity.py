"""Similarity of texts to one text: by vectors if memoryd is available, else by shared words."""

import contextlib
import math
from collections.abc import Sequence
from itertools import filterfalse
from typing import Protocol

from furoshiki.core.similarity import Vector, centroid, dot
from furoshiki.language.grounding.words import stems_of
from furoshiki.language.tables.function_words import STOP_WORDS
from furoshiki.memory import contradiction
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World

# The mean amount by which a text is nearer to the mean of several texts' vectors than to the vector
# of their concatenation. On 192 messages of two people each, with the six before: 0.43 to 0.36,
# correlated at 0.92.
MEAN_IS_NEARER = 0.07


def embed_together(world: World, texts: Sequence[str]) -> list[list[float]]:
    """Return unit vectors of texts to be compared with one another.

    Uses the English encoder if no other language is detected, else the multilingual one: the
    English one can hardly separate Cyrillic or Chinese texts (two unrelated Russian sentences have
    a cosine of 0.88, by the other 0.45). Raises VectorsAway.
    """
    if not any(map(load_languages(world.config).of, texts)):
        return world.vectors.embed(texts)
    return world.vectors.compare(texts)


def embed_english(world: World, texts: Sequence[str]) -> list[Vector | None]:
    """Return each text's English vector, stored with a question to recognise repeated ones: None
    without memoryd, and for other languages. Call it before a transaction."""
    english = list(filterfalse(load_languages(world.config).of, texts))
    vector_of: dict[str, Vector] = {}
    if english:
        with contextlib.suppress(VectorsAway):
            vector_of = dict(zip(english, world.vectors.embed(english), strict=True))
    return list(map(vector_of.get, texts))


class Likeness(Protocol):
    """Similarity to one text, in [-1, 1]."""

    def know(self, texts: Sequence[str]) -> None:
        """Prepare for comparing with these texts, in one batch. May raise VectorsAway."""

    def to_each(self, texts: Sequence[str]) -> list[float]:
        """Return the similarity of each text. May raise VectorsAway."""

    def to_all(self, texts: Sequence[str]) -> float:
        """Return the similarity of texts (at least one) as a whole. May raise VectorsAway."""


class ByMeaning:
    """Similarity by cosine. Each text is embedded once, in small batches.

    `made` is a cache of vectors; those of another encoder (of another length) are replaced.
    `abroad`: the text is not in English, so the multilingual encoder is used.
    """

    def __init__(self, world: World, text: str, made: dict[str, Vector], *, abroad: bool = False) -> None:
        self._embed = world.vectors.compare if abroad else world.vectors.embed
        self._text = text
        self._made = made

    def know(self, texts: Sequence[str]) -> None:
        """Embed the texts that have no vector yet, in batches."""
        if self._text not in self._made:
            [self._made[self._text]] = self._embed([self._text])
            for text in [one for one, vector in self._made.items() if len(vector) != len(self._made[self._text])]:
                del self._made[text]
        wanted = [one for one in dict.fromkeys(texts) if one not in self._made]
        for start in range(0, len(wanted), contradiction.AT_ONCE):
            part = wanted[start : start + contradiction.AT_ONCE]
            self._made.update(zip(part, self._embed(part), strict=True))

    def to_each(self, texts: Sequence[str]) -> list[float]:
        self.know(texts)
        own = self._made[self._text]
        return [dot(own, self._made[text]) for text in texts]

    def to_all(self, texts: Sequence[str]) -> float:
        """Return the cosine to the mean of their vectors, weighted by length, less MEAN_IS_NEARER:
        roughly that to their concatenation, whose embedding would take 240 ms for six messages each
        time."""
        if len(texts) == 1:
            return self.to_each(texts)[0]
        self.know(texts)
        mean = centroid((self._made[text], len(text)) for text in texts)
        return 0.0 if mean is None else dot(self._made[self._text], mean) - MEAN_IS_NEARER

    def pair(self, text: str) -> tuple[Vector, Vector]:
        """Return the vectors of a text and the compared text. May raise VectorsAway."""
        self.know([text])
        return self._made[text], self._made[self._text]


class ByWords:
    """Similarity by shared words: the geometric mean of the two shared fractions."""

    def __init__(self, text: str) -> None:
        self._own = stems_of(text) - _SMALL

    def know(self, texts: Sequence[str]) -> None:
        """Do nothing."""

    def to_each(self, texts: Sequence[str]) -> list[float]:
        """Return the share of words in common with each."""
        return list(map(self._to, texts))

    def to_all(self, texts: Sequence[str]) -> float:
        """Return the share of words in common with their concatenation."""
        return self._to(" ".join(texts))

    def _to(self, other: str) -> float:
        theirs = stems_of(other) - _SMALL
        both = len(self._own & theirs)
        return both / math.sqrt(len(self._own) * len(theirs)) if both else 0.0


_SMALL = stems_of(" ".join(STOP_WORDS))
