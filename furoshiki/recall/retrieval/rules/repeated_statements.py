"""Whether a statement repeats one that the model sees already, in similar words.

"They live in Lisbon" repeats "I live in Lisbon, near the harbour". Names, numbers and negation must
agree too. In doubt it is shown.
"""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from furoshiki.language.grounding.words import is_denied
from furoshiki.recall.retrieval.rules.nearness import extract_stems
from furoshiki.recall.retrieval.values import Recalled

SAME_WORDS = 0.8  # the share of a statement's content words that the other must contain
LEAST_WORDS = 2  # statements with fewer content words are compared by their whole text only

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
    def of(text: str) -> "Statement":
        """Read a text (cached)."""
        plain = " ".join(text.split()).casefold()
        names = frozenset(found.casefold().rstrip(".,:") for found in _NAMED.findall(text))
        return Statement(plain, extract_stems(text), names, is_denied(text))

    def says(self, other: "Statement") -> bool:
        """Whether this text contains all that the other says."""
        if other.plain in self.plain:
            return True
        if len(other.telling) < LEAST_WORDS or self.denied is not other.denied:
            return False
        if len(other.telling & self.telling) < SAME_WORDS * len(other.telling):
            return False
        return all(one in self.plain and re.search(rf"\b{re.escape(one)}\b", self.plain) for one in other.named)


def statements(text: str) -> list[Statement]:
    """Split a text into statements by sentence."""
    return [Statement.of(part) for part in _SENTENCE_END.split(text) if part.strip()]


def find_repeats(items: Sequence[Recalled], in_view: Set[str], before: Sequence[Statement]) -> frozenset[str]:
    """Return the names of found items that repeat `before` or another found item; of a turn and a
    memory made from it, the turn is kept. Ended facts and other people's words are never dropped.
    Items that are `in_view` by name are ignored here."""
    again, known_statements = set[str](), list(before)
    for item in sorted(items, key=lambda one: one.kind != "turn"):
        if item.kind == "session" or item.id in in_view or item.past or item.foreign:
            continue
        statement = Statement.of(item.text)
        if any(other.says(statement) for other in known_statements):
            again.add(item.id)
        else:
            known_statements.append(statement)
    return frozenset(again)


def is_repeat(text: str, others: Sequence[Statement]) -> bool:
    """Whether one of the others says it."""
    own_statement = Statement.of(text)
    return any(statement.says(own_statement) for statement in others)
