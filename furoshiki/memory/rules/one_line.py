"""Compress a memory to one line without a model, in its own words: whole clauses of whole sentences.

No word is picked out of a clause: “hates son Daniel” is what nobody said. Clauses with names, numbers
and negations are kept first, each with the beginning of its sentence; “…” stands for what is left out.
"""

import re
from functools import lru_cache

from furoshiki.language.humanize import shorten
from furoshiki.language.tables.function_words import is_denial

LONGEST = 120  # characters of the line

CUT = "…"

_SENTENCE = re.compile(r"(?<=[.!?;]) ")
_CLAUSE = re.compile(r"(?<=,) | (?=[-\u2013\u2014(] ?\w)| (?=(?:because|although|whereas)\b)")
_NUMBER = re.compile(r"\d")
_BARE = re.compile(r"^\W+|(?<!\W)\W+$")
_NO_NAMES = frozenset({"i", "i'm", "i've", "i'll", "i'd", "ok", "okay"})


@lru_cache(maxsize=256)  # the same memories are retrieved repeatedly
def compress(text: str) -> str:
    """Return the text in one line of at most `LONGEST` characters."""
    line = " ".join(text.split())
    if len(line) <= LONGEST:
        return line
    clauses: list[str] = []
    first_of: list[int] = []
    for sentence in _SENTENCE.split(line):
        parts = _CLAUSE.split(sentence)
        begins = next((place for place, part in enumerate(parts) if " " in part), 0)  # behind "Well,"
        first_of += [len(clauses) + min(place, begins) for place in range(len(parts))]
        clauses += parts
    telling = [place for place, clause in enumerate(clauses) if _is_telling(clause, opens=first_of[place] == place)]
    told_of = {first_of[place] for place in telling}
    others = sorted(set(range(len(clauses))) - set(telling), key=lambda place: (first_of[place] not in told_of, place))
    kept: set[int] = set()
    for place in (*telling, *others):
        more = kept | {first_of[place], place}
        if len(_join(clauses, more)) <= LONGEST:
            kept = more
    return _join(clauses, kept) if kept else shorten(line, LONGEST)


def _join(clauses: list[str], kept: set[int]) -> str:
    parts: list[str] = []
    places = sorted(kept)
    for before, place in zip((-1, *places), (*places, len(clauses)), strict=True):
        if place > before + 1 and parts[-1:] != [CUT]:
            parts.append(CUT)
        parts += clauses[place : place + 1]
    return " ".join(parts)


def _is_telling(clause: str, *, opens: bool) -> bool:
    """Whether a clause has a name, a number or a negation; `opens`: it begins a sentence."""
    for place, raw in enumerate(clause.split(" ")):
        word = _BARE.sub("", raw).replace("\u2019", "'")
        lowered = word.casefold()
        if _NUMBER.search(word) or is_denial(lowered) or lowered == "no-one":
            return True
        if word[:1].isupper() and lowered not in _NO_NAMES and (place or not opens or word[1:2].isupper()):
            return True
    return False
