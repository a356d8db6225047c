"""How near texts are to one text: by their vectors while memoryd is there, by the words they share without it."""

import contextlib
import math
from collections.abc import Sequence
from itertools import filterfalse
from typing import Protocol

from furoshiki.core.similarity import Vector, centroid, dot
from furoshiki.language.grounding.words import stems_of
from furoshiki.language.tables.stop_words import STOP_WORDS
from furoshiki.memory import contradiction
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World

MEAN_IS_NEARER = 0.07
"""By how much a text is nearer to the mean of several texts' vectors than to the one vector of them in one text. On 192
messages of two people each, with the six before: 0.43 to 0.36, correlated at 0.92."""


def embed_together(world: World, texts: Sequence[str]) -> list[list[float]]:
    """Unit vectors of texts that are compared with one another: by the English encoder where nothing else than
    English is told, else by the one for all languages. To the English one all Cyrillic or Chinese is much the same: two
    Russian sentences with nothing in common have a cosine of 0.88, by the other 0.45. Raises VectorsAway.
    """
    if not any(map(load_languages(world.config).of, texts)):
        return world.vectors.embed(texts)
    return world.vectors.compare(texts)


def embed_english(world: World, texts: Sequence[str]) -> list[Vector | None]:
    """The unit vector of each text as it is kept beside a question, so that one already answered is known again: None
    while nobody embeds, and of one in another language, of which it would tell nothing. Ask before a transaction."""
    english = list(filterfalse(load_languages(world.config).of, texts))
    found: dict[str, Vector] = {}
    if english:
        with contextlib.suppress(VectorsAway):
            found = dict(zip(english, world.vectors.embed(english), strict=True))
    return list(map(found.get, texts))


class Likeness(Protocol):
    """Nearness to one text, in [-1, 1]."""

    def know(self, texts: Sequence[str]) -> None:
        """These will be compared with: get ready for all of them at once. May raise VectorsAway."""

    def to_each(self, texts: Sequence[str]) -> list[float]:
        """How near each text is. May raise VectorsAway."""

    def to_all(self, texts: Sequence[str]) -> float:
        """How near several texts (at least one) are, taken together. May raise VectorsAway."""


class ByMeaning:
    """Cosines. Each text is embedded once for all that is judged now, a few at a time: a turn may want memoryd, too.

    `made` are vectors that are there already; those of another encoder, recognised by their length, are made again.
    With a text `abroad`, in another language than English, all is compared by the encoder for all languages.
    """

    def __init__(self, world: World, text: str, made: dict[str, Vector], *, abroad: bool = False) -> None:
        self._embed = world.vectors.compare if abroad else world.vectors.embed
        self._text = text
        self._made = made

    def know(self, texts: Sequence[str]) -> None:
        """One request for a few texts that have no vector yet, none when all have."""
        if self._text not in self._made:
            [self._made[self._text]] = self._embed([self._text])
            for one in [one for one, vector in self._made.items() if len(vector) != len(self._made[self._text])]:
                del self._made[one]
        wanted = [one for one in dict.fromkeys(texts) if one not in self._made]
        for start in range(0, len(wanted), contradiction.AT_ONCE):
            part = wanted[start : start + contradiction.AT_ONCE]
            self._made.update(zip(part, self._embed(part), strict=True))

    def to_each(self, texts: Sequence[str]) -> list[float]:
        """The cosine to each text."""
        self.know(texts)
        own = self._made[self._text]
        return [dot(own, self._made[one]) for one in texts]

    def to_all(self, texts: Sequence[str]) -> float:
        """The cosine to the mean of their vectors, each by its length, less MEAN_IS_NEARER: about that to all in one
        text, which an encoder would have to read again for everything that is judged, 240 ms for six messages.
        """
        if len(texts) == 1:
            return self.to_each(texts)[0]
        self.know(texts)
        mean = centroid((self._made[one], len(one)) for one in texts)
        return 0.0 if mean is None else dot(self._made[self._text], mean) - MEAN_IS_NEARER

    def pair(self, text: str) -> tuple[Vector, Vector]:
        """The vectors of a text and of what all is compared with here, in this order. May raise VectorsAway."""
        self.know([text])
        return self._made[text], self._made[self._text]


class ByWords:
    """Shared words in place of cosines: the geometric mean of the shares that two texts have in common."""

    def __init__(self, text: str) -> None:
        self._own = stems_of(text) - _SMALL

    def know(self, texts: Sequence[str]) -> None:
        """Nothing has to be got ready."""

    def to_each(self, texts: Sequence[str]) -> list[float]:
        """The share of words in common with each."""
        return list(map(self._to, texts))

    def to_all(self, texts: Sequence[str]) -> float:
        """The share of words in common with all of them in one."""
        return self._to(" ".join(texts))

    def _to(self, other: str) -> float:
        theirs = stems_of(other) - _SMALL
        both = len(self._own & theirs)
        return both / math.sqrt(len(self._own) * len(theirs)) if both else 0.0


_SMALL = stems_of(" ".join(STOP_WORDS))
