"""When of two sentences one says what the other denies: what was said first is over, or was not so."""

import re

from furoshiki.language.grounding.words import stems_of
from furoshiki.language.inflection import language_of
from furoshiki.language.tables import foreign_words
from furoshiki.language.tables.denials import DENIES
from furoshiki.language.word_tables import pattern

NO = {"en": DENIES, **{code: re.compile(pattern(ways), re.IGNORECASE) for code, ways in foreign_words.NO.items()}}
"""By language: a word that denies."""

_CLAUSE = re.compile(r"[,;:.()]| (?:that|which|who|because|since|although|though|while|but|and|so) ", re.IGNORECASE)
_TO_COME = re.compile(
    r"\b(?:will|would|wants?|going|plans?|intends?|hopes?|wish\w*|might|may|should|could|tries|if)\b", re.I
)
"""What is meant to be done has not been done."""

_BESIDE_THE_MATTER = stems_of(
    "they them their it its a an the have has had do does did is are was were be been am at in on to of with for by as "
    "yet still any more anymore longer already now just then finally again since"
)
_LEAST_SAID = 2
"""Words that a denial must have besides: "they do not smoke" alone is about one thing that comes and goes."""


def is_denied(text: str) -> bool:
    """Whether a text denies what it is about, in its own language; twice denied is said."""
    return len(NO.get(language_of(text) or "en", DENIES).findall(text)) % 2 == 1


def opposite(one: str, other: str) -> bool:
    """Whether of two sentences one says what the other denies: "they have not told Amparo yet that they failed", "they
    told Amparo, who laughed". All of what is denied, without the clauses behind it, must stand in the other."""
    clauses = _CLAUSE.split(one), _CLAUSE.split(other)
    denied, said = clauses if DENIES.search(clauses[0][0]) else reversed(clauses)
    if DENIES.search(denied[0]) is None or DENIES.search(said[0]) is not None or _TO_COME.search(said[0] + denied[0]):
        return False
    matter = stems_of(DENIES.sub(" ", denied[0])) - _BESIDE_THE_MATTER
    return len(matter) >= _LEAST_SAID and matter <= stems_of(said[0])
