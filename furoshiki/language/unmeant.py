"""Tell danger that was not meant so, and violence against others, by words of each language."""

import re

from furoshiki.language.word_tables import by_language

LONGEST = 160
"""Most characters of a message that are read."""

_UNMEANT, _OF_OTHERS = (
    {code: re.compile(ways[name], re.IGNORECASE) for code, ways in by_language("caring_beside").items()}
    for name in ("unmeant", "of_others")
)


def is_unmeant(text: str) -> bool:
    """Return whether a message says that what sounded like danger was none: "it was a joke"."""
    plain = text[:LONGEST].replace("\u2019", "'")
    return any(pattern.search(plain) for pattern in _UNMEANT.values())


def is_of_others(text: str, language: str) -> bool:
    """Return whether violence is plainly done to somebody else: "my friend says he hits her"."""
    return _OF_OTHERS[language].search(text[:LONGEST].replace("\n", " ")) is not None
