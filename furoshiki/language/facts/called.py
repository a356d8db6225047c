"""Find who is addressed by a name: "Hey Kate" shows that the other person is Kate."""

import re
from collections import Counter
from collections.abc import Iterable

from furoshiki.language.tables.stop_words import STOP_WORDS

LEAST_GREETINGS = 3
"""Least greetings with a name: a drafted mail contains one or two."""

CLEAR_SHARE = 0.8
"""Least share of these greetings by one speaker: the name is then the other person's."""

_GREETING = r"\b(?:hi|hey|hello|thanks|thank you|morning|evening|afternoon|night|bye)[ ,]{1,2}([^\W\d_]{2,30})\b"
_GREETED = re.compile(_GREETING, re.I)
_CAPITALISED = re.compile(r"\b[^\W\d_a-z][^\W\d_]{1,29}\b")


def names_asked_for(question: str, speakers: frozenset[str]) -> tuple[str, ...]:
    """Return words of a question that may be unknown names (lower case)."""
    words = dict.fromkeys(word.lower() for word in _CAPITALISED.findall(question))
    return tuple(word for word in words if word not in STOP_WORDS and word not in speakers)


def greets(text: str, name: str) -> bool:
    """Return whether a text greets or thanks a person of this name (lower case)."""
    return any(found.lower() == name for found in _GREETED.findall(text))


def caller(greeting: Iterable[str]) -> str | None:
    """Return the one who greets with a name, given all greetings' speakers; None if unclear."""
    counts = Counter(greeting)
    if not counts:
        return None
    speaker, times = counts.most_common(1)[0]
    return speaker if times >= LEAST_GREETINGS and times >= CLEAR_SHARE * counts.total() else None
