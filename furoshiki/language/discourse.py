"""Detect that a message announces a change of subject: "By the way", "different topic:"."""

import re

from furoshiki.language.inflection import HAN
from furoshiki.language.word_tables import texts
from furoshiki.language.words import WORD

LOOKED_AT = 240
"""Characters at the start of a message in which its first sentence is searched."""

MOST_LEADS = 2

_END = re.compile(r"[.!?…\n]")


def _markers(key: str) -> frozenset[tuple[str, ...]]:
    """Return the markers of all languages, split into words; the lists are comma-separated."""
    markers = ",".join(texts("topics", key).values()).replace("\n", " ").split(",")
    return frozenset(tuple(marker.split()) for marker in markers)


_OPENING, _BESIDE, _LEADS = map(_markers, ("opening", "beside", "leads"))
_LONGEST = max(map(len, _OPENING | _BESIDE))
_UNSPACED = tuple(words[0] for words in _OPENING if len(words) == 1 and HAN.match(words[0]))
"""Opening markers in Chinese, which puts no spaces between words."""


def turns_away(text: str) -> bool:
    """Return whether a message announces a new subject; a marker alone does not count."""
    start = text[:LOOKED_AT].strip().lower()
    if any(start.startswith(marker) and len(start) > len(marker) + 1 for marker in _UNSPACED):
        return True
    words = WORD.findall(start)
    leads = 0
    while leads < min(MOST_LEADS, len(words)) and (words[leads],) in _LEADS:
        leads += 1
    for at in range(leads + 1):
        for length in range(1, _LONGEST + 1):
            if tuple(words[at : at + length]) in _OPENING and len(words) > at + length:
                return True
    sentence = WORD.findall(_END.split(start, maxsplit=1)[0])
    return any(
        tuple(sentence[at : at + length]) in _BESIDE and len(sentence) > length
        for at in range(len(sentence))
        for length in range(1, min(_LONGEST, len(sentence) - at) + 1)
    )
