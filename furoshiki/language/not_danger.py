"""Tell danger that was not meant so, violence against others, and good sleep, by words of each language."""

import re
from collections.abc import Mapping

from furoshiki.language.tables.function_words import NO
from furoshiki.language.word_tables import by_language

_NOT = r"n't\b|\b(?:not|never|no|didnt|havent)\b"
LONGEST = 160  # most characters of a message that are read

_UNMEANT, _OF_OTHERS, _RESTED = (
    {code: re.compile(ways[name], re.IGNORECASE) for code, ways in by_language("caring_beside").items()}
    for name in ("unmeant", "of_others", "rested")
)


def is_unmeant(text: str) -> bool:
    """Return whether a message says that what sounded like danger was none: "it was a joke"."""
    plain = text[:LONGEST].replace("\u2019", "'")
    return any(pattern.search(plain) for pattern in _UNMEANT.values())


def is_of_others(text: str, language: str) -> bool:
    """Return whether violence is plainly done to somebody else: "my friend says he hits her"."""
    return _OF_OTHERS[language].search(text[:LONGEST].replace("\n", " ")) is not None


def read_rest(shares: Mapping[str, float], text: str) -> Mapping[str, float]:
    """Return what a message means: good sleep ("slept like a log") is a joy, and not being tired."""
    plain = text[:LONGEST].replace("\u2019", "'")
    for code, pattern in _RESTED.items():
        slept = pattern.search(plain)
        if shares and slept is not None and re.search(NO.get(code, _NOT), plain.replace(slept[0], " ")) is None:
            return {**shares, "tired": 0.0, "drained": 0.0, "joy": 1.0}
    return shares
