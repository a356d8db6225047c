"""Noticing what is heavy in somebody's own words: of which kind, in which language, and where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from furoshiki.language.phrases import Hit, Said
from furoshiki.language.reflex.care.words import GRAVE, INNOCENT, KINDS, CareWords, Kind, Meaning

LONGEST = 4096
"""Characters of a message that are looked through; who writes more says it at its beginning or again."""

_MOST_HITS = 40
_LOOKED_BACK = 64
"""Messages whose reading is kept."""

_BEFORE = 3
"""So many words before a phrase may turn it round: "I would never hurt her"."""

_FRAMED = 4
"""So many words may stand between "the song goes" and what it says, where the speaker's own life is concerned."""

_OF_IT = 4
"""So many words may stand between a death and what it came of."""

_PAST_YEARS = 2
_ENDS = frozenset(".!?;\n")
_BREAKS = _ENDS | frozenset(",:\u2014")
_YEAR = re.compile(r"\b(?:1[0-9]|20)\d\d\b")
_NOT_TURNED = frozenset({"stop", "only", "know", "just", "sure", "care", "stopped", "help", "why", "wait", "mind"})
_OWN = frozenset({"now", "but", "so", "because", "and", "today"})
_ASKING = frozenset(["when", "who", "what", "where", "how", "did", "does", "do", "was", "is", "are", "which", "whose"])
_OF_COMPANION = frozenset((verb, "you") for verb in ("do", "don't", "are", "aren't", "can", "would", "did", "have"))
_ONESELF = frozenset(["i", "i'm", "me", "my", "we"])
_LOCKED_IN_TIME = frozenset({"death", "illness", "relapse", "guilt", "quarrel", "parted", "apology"})


@dataclass(frozen=True, slots=True)
class Notice:
    """Something heavy: its kind (`words.KINDS`), the words it was noticed by, and the language's own words for it."""

    kind: Kind
    words: str
    language: CareWords

    @property
    def grave(self) -> bool:
        """Whether somebody may be in danger."""
        return self.kind in GRAVE


def notice(text: str, languages: Sequence[CareWords], year: int) -> Notice | None:
    """The gravest thing in somebody's own words, None when nothing in them is heavy. `year` is this year:
    what happened in another one is long past."""
    return _find_notice(text[:LONGEST], tuple(languages), year)


@lru_cache(maxsize=_LOOKED_BACK)
def _find_notice(text: str, languages: tuple[CareWords, ...], year: int) -> Notice | None:
    """With every message the last ones are looked through again, in every language."""
    found: Notice | None = None
    spoken = Said(text)
    for language in languages:
        for hit in _find_sincere(spoken, language, year):
            kind = hit.meaning
            if kind != INNOCENT and (found is None or KINDS.index(kind) < KINDS.index(found.kind)):
                start, end = spoken.span(hit.first, hit.last)
                found = Notice(kind, spoken.text[start:end], language)
    return found


def _find_sincere(spoken: Said, language: CareWords, year: int) -> Iterator[Hit[Meaning]]:
    """The phrases that mean what they say."""
    hits: list[Hit[Meaning]] = _apart(list(_first(language.heavy.everywhere(spoken))))
    if not hits:
        return
    frames: list[Hit[str]] = list(_first(language.frames.everywhere(spoken)))
    past = any(hit.meaning == "bygone" for hit in frames) or _long_ago(spoken.text, year)
    died = [hit for hit in hits if hit.meaning == "death"]
    for hit in hits:
        if hit.meaning == "emergency" and any(0 <= hit.first - death.last <= _OF_IT for death in died):
            continue  # "died in a car crash" calls for nobody any more
        if hit.meaning == INNOCENT or _is_denied(spoken, hit, language) or _is_fiction(spoken, hit, frames):
            continue
        if hit.meaning not in GRAVE and _asks_companion(spoken, hit):
            continue
        if hit.meaning in _LOCKED_IN_TIME and (past or _is_question(spoken, hit)):
            continue
        yield hit


def _first(hits: Iterator[Hit[Any]]) -> Iterator[Hit[Any]]:
    for count, hit in enumerate(hits):
        if count >= _MOST_HITS:
            return
        yield hit


def _apart(hits: list[Hit[Meaning]]) -> list[Hit[Meaning]]:
    """Keep of overlapping phrases the longest, then the grave one, then the meaningless one."""
    kept: list[Hit[Meaning]] = []
    for hit in sorted(hits, key=lambda hit: (hit.first - hit.last, _rank(hit.meaning))):
        if all(hit.last <= other.first or hit.first >= other.last for other in kept):
            kept.append(hit)
    return kept


def _rank(meaning: Meaning) -> int:
    if meaning == INNOCENT:
        return len(GRAVE)
    return KINDS.index(meaning) + (0 if meaning in GRAVE else 1)


def _is_denied(spoken: Said, hit: Hit[Meaning], language: CareWords) -> bool:
    """Whether it is denied: "I'm not suicidal", "nobody died"."""
    for at in range(hit.first - 1, max(-1, hit.first - 1 - _BEFORE), -1):
        if _BREAKS & set(spoken.gap(at)):
            return False
        if spoken.plain[at] in language.negators:
            beside = {spoken.plain[at - 1] if at else "", spoken.plain[at + 1]}
            return beside.isdisjoint(_NOT_TURNED)
    return False


def _is_fiction(spoken: Said, hit: Hit[Meaning], frames: Sequence[Hit[str]]) -> bool:
    """Whether it is told of a film, a song, a game: anywhere in its sentence, but of the speaker's own life only right
    beside it ("I saw a film and now I want to die" is no film)."""
    first, last = _sentence(spoken, hit)
    for frame in frames:
        if frame.meaning != "frame" or frame.last <= first or frame.first >= last:
            continue
        if hit.meaning != "self":
            return True
        between = (
            spoken.plain[frame.last : hit.first] if frame.first < hit.first else spoken.plain[hit.last : frame.first]
        )
        if len(between) <= _FRAMED and _OWN.isdisjoint(between):
            return True
    return False


def _sentence(spoken: Said, hit: Hit[Meaning]) -> tuple[int, int]:
    first, last = hit.first, hit.last
    while first > 0 and not _ENDS & set(spoken.gap(first - 1)):
        first -= 1
    while last < len(spoken) and not _ENDS & set(spoken.gap(last - 1)):
        last += 1
    return first, last


def _is_question(spoken: Said, hit: Hit[Meaning]) -> bool:
    """Whether its sentence asks for what was told: "when did my grandfather die?"."""
    first, last = _sentence(spoken, hit)
    return spoken.plain[first] in _ASKING and "?" in spoken.gap(last - 1)


def _asks_companion(spoken: Said, hit: Hit[Meaning]) -> bool:
    """Whether its sentence asks how the companion is: "do you get lonely?"."""
    first, _ = _sentence(spoken, hit)
    opening = spoken.plain[first : hit.first]
    return any(pair in _OF_COMPANION for pair in pairwise(opening)) and _ONESELF.isdisjoint(opening)


def _long_ago(text: str, year: int) -> bool:
    return any(int(found) <= year - _PAST_YEARS for found in _YEAR.findall(text))
