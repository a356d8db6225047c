"""Who goes by which name: "Hey Kate" tells that the other one is Kate, whatever the account is called."""

import re
from collections import Counter
from collections.abc import Iterable

from furoshiki.language.tables.stop_words import STOP_WORDS

LEAST_GREETINGS = 3
"""So often a name must be called before it is anybody's; a mail that somebody drafts greets once or twice."""

CLEAR_SHARE = 0.8
"""The share of these greetings that one person says: nobody greets themselves, so the name is not theirs."""

_GREETING = r"\b(?:hi|hey|hello|thanks|thank you|morning|evening|afternoon|night|bye)[ ,]{1,2}([^\W\d_]{2,30})\b"
_GREETED = re.compile(_GREETING, re.I)
_CAPITALISED = re.compile(r"\b[^\W\d_a-z][^\W\d_]{1,29}\b")


def names_asked_for(question: str, speakers: frozenset[str]) -> tuple[str, ...]:
    """Words of a question that may be names nobody's account bears, in lower case; `speakers` are first names."""
    words = dict.fromkeys(word.lower() for word in _CAPITALISED.findall(question))
    return tuple(word for word in words if word not in STOP_WORDS and word not in speakers)


def greets(text: str, name: str) -> bool:
    """Whether something said greets or thanks somebody of this name (lower case)."""
    return any(found.lower() == name for found in _GREETED.findall(text))


def caller(greeting: Iterable[str]) -> str | None:
    """Who calls somebody by a name, of the speakers of all greetings with it; None when that is not clear."""
    counts = Counter(greeting)
    if not counts:
        return None
    speaker, times = counts.most_common(1)[0]
    return speaker if times >= LEAST_GREETINGS and times >= CLEAR_SHARE * counts.total() else None
