"""Which clauses of a message in German, Spanish, Turkish or Russian its writer asserts, and whether they deny a claim.

Told by small words alone. Where English has its own rules (`assertions.py`), these come after them: quotations,
questions and pasted lines are gone by then.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from furoshiki.language.grounding.words import mostly_said, said_as
from furoshiki.language.tables.denials import DENIES
from furoshiki.language.tables.foreign_words import HEARSAY, NO, OPEN

_JOINT = re.compile(
    r"[,;\u2013\u2014]|\s(?:und|aber|sondern|denn|y|pero|sino|porque|ve|ama|fakat|и|а|но)\s", re.IGNORECASE
)


def _compiled(patterns: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    return {language: re.compile(pattern, re.IGNORECASE) for language, pattern in patterns.items()}


_NO, _OPEN, _HEARSAY = _compiled(NO), _compiled(OPEN), _compiled(HEARSAY)


def own_clauses(clauses: Sequence[str], language: str, *, open_: bool = False, reported: bool = False) -> list[str]:
    """The parts of clauses that are asserted: what hangs on a wish or an "if" is none, nor what others say.

    `open_` when what is only wished may be claimed as that, `reported` when what others say counts.
    """
    kept: list[str] = []
    for clause in clauses:
        if _HEARSAY[language].search(clause) and not reported:
            continue
        for part in _JOINT.split(clause):
            if _OPEN[language].search(part) and not open_:
                break
            if part.strip():
                kept.append(part)
    return kept


def denies(claim: str, object_: str, clauses: Sequence[str], language: str) -> bool:
    """Whether every clause that speaks of the object says the opposite of the claim."""
    about = [one for one in clauses if mostly_said(object_, said_as(one, language), strictly=True)]
    denied = bool(_NO[language].search(claim) or DENIES.search(claim))
    return bool(about) and all(bool(_NO[language].search(one)) != denied for one in about)


def left_open(claim: str, language: str) -> bool:
    """Whether a claim says itself that it is only wished, supposed or long past."""
    return _OPEN[language].search(claim) is not None
