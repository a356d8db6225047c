"""Detect that one of two sentences denies the other: the earlier one is over or was untrue."""

import re

from furoshiki.language.grounding.words import stems_of
from furoshiki.language.inflection import language_of
from furoshiki.language.tables import function_words
from furoshiki.language.tables.function_words import DENIES
from furoshiki.language.word_tables import pattern

NO = {"en": DENIES, **{code: re.compile(pattern(ways), re.IGNORECASE) for code, ways in function_words.NO.items()}}
"""By language: a pattern of negations."""

_CLAUSE = re.compile(r"[,;:.()]| (?:that|which|who|because|since|although|though|while|but|and|so) ", re.IGNORECASE)
_TO_COME = re.compile(
    r"\b(?:will|would|wants?|going|plans?|intends?|hopes?|wish\w*|might|may|should|could|tries|if)\b", re.I
)
"""Signs of intention: intended actions have not happened."""

_BESIDE_THE_MATTER = stems_of(
    "they them their it its a an the have has had do does did is are was were be been am at in "
    "on to of with for by as yet still any more anymore longer already now just then finally "
    "again since"
)
_LEAST_SAID = 2
"""Least other words of a denial: "they do not smoke" alone is about a changing state."""


def is_denied(text: str) -> bool:
    """Return whether a text is negated, in its own language; a double negation is not."""
    return len(NO.get(language_of(text) or "en", DENIES).findall(text)) % 2 == 1


def opposite(first: str, second: str) -> bool:
    """Return whether one sentence denies the other: "they have not told Amparo yet that they
    failed", "they told Amparo, who laughed". The denied clause's words must be in the other."""
    clauses = _CLAUSE.split(first), _CLAUSE.split(second)
    denied, affirmed = clauses if DENIES.search(clauses[0][0]) else reversed(clauses)
    if (
        DENIES.search(denied[0]) is None
        or DENIES.search(affirmed[0]) is not None
        or _TO_COME.search(affirmed[0] + denied[0])
    ):
        return False
    matter = stems_of(DENIES.sub(" ", denied[0])) - _BESIDE_THE_MATTER
    return len(matter) >= _LEAST_SAID and matter <= stems_of(affirmed[0])
