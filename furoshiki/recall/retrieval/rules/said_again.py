"""Whether a statement only says again what stands before a mind already, in these words or nearly.

"They live in Lisbon" beside "I live in Lisbon, near the harbour" is once enough. What it turns on must stand there too:
the names, the numbers, and whether it is denied. In doubt it is shown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from furoshiki.language.grounding.opposites import is_denied
from furoshiki.recall.retrieval.rules.nearness import extract_stems
from furoshiki.recall.retrieval.values import Recalled

SAME_WORDS = 0.8
"""The share of a statement's telling words that the other one holds."""

LEAST_WORDS = 2
"""Fewer telling words say too little to be told from one another, unless the texts are the same."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n")
_NAMED = re.compile(r"\d[\d.,:]*|(?<=[\w,;] )(?!I\b)[A-Z]\w+")


@dataclass(frozen=True)
class Statement:
    """The parts of a text that decide whether another repeats it."""

    plain: str
    telling: frozenset[str]
    named: frozenset[str]
    denied: bool

    @staticmethod
    @lru_cache(maxsize=4096)
    def of(text: str) -> Statement:
        """Read a text."""
        plain = " ".join(text.split()).casefold()
        named = frozenset(found.casefold().rstrip(".,:") for found in _NAMED.findall(text))
        return Statement(plain, extract_stems(text), named, is_denied(text))

    def says(self, other: Statement) -> bool:
        """Whether all that the other says stands here."""
        if other.plain in self.plain:
            return True
        if len(other.telling) < LEAST_WORDS or self.denied is not other.denied:
            return False
        if len(other.telling & self.telling) < SAME_WORDS * len(other.telling):
            return False
        return all(one in self.plain and re.search(rf"\b{re.escape(one)}\b", self.plain) for one in other.named)


def statements(text: str) -> list[Statement]:
    """A text sentence by sentence."""
    return [Statement.of(one) for one in _SENTENCE_END.split(text) if one.strip()]


def find_repeats(found: Sequence[Recalled], in_view: Set[str], before: Sequence[Statement]) -> frozenset[str]:
    """The names of what was found and only says again what stood there `before` or was found beside it: of words that
    were said and what was made of them, the words are told. What is over is said again, with its end; so is what others
    said. What is `in_view` by its name is no matter here."""
    again, said = set[str](), list(before)
    for one in sorted(found, key=lambda one: one.kind != "turn"):
        if one.kind == "session" or one.id in in_view or one.past or one.foreign:
            continue
        statement = Statement.of(one.text)
        if any(other.says(statement) for other in said):
            again.add(one.id)
        else:
            said.append(statement)
    return frozenset(again)


def is_repeat(text: str, others: Sequence[Statement]) -> bool:
    """Whether one of the others says it."""
    read = Statement.of(text)
    return any(one.says(read) for one in others)
