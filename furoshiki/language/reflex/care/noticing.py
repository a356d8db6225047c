"""Detect distress in a user's own words: kind, language, and place."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from furoshiki.language.phrases import Hit, Said
from furoshiki.language.tables.care_words import GRAVE, INNOCENT, KINDS, CareWords, Kind, Meaning

# characters of a message that are searched; longer ones show distress early, or again
LONGEST = 4096

_MOST_HITS = 40
_LOOKED_BACK = 64  # messages whose result is cached
_BEFORE = 3  # words before a phrase that may negate it: "I would never hurt her"
_FRAMED = 4  # most words between "the song goes" and a quotation about the speaker's own life
_OF_IT = 4  # most words between a death and its cause

_PAST_YEARS = 2
_ENDS = frozenset(".!?;\n")
_BREAKS = _ENDS | frozenset(",:\u2014")
_YEAR = re.compile(r"\b(?:1[0-9]|20)\d\d\b")
_NOT_TURNED = frozenset({"stop", "only", "know", "just", "sure", "care", "stopped", "help", "why", "wait", "mind"})
_OWN = frozenset({"now", "but", "so", "because", "and", "today"})
_ASKING = frozenset(["when", "who", "what", "where", "how", "did", "does", "do", "was", "is", "are", "which", "whose"])
_OF_COMPANION = frozenset((verb, "you") for verb in ("do", "don't", "are", "aren't", "can", "would", "did", "have"))
_ONESELF = frozenset(["i", "i'm", "me", "my", "we"])
_LOCKED_IN_TIME = frozenset({"death", "panic", "illness", "relapse", "guilt", "quarrel", "parted", "apology"})


@dataclass(frozen=True, slots=True)
class Notice:
    """A sign of distress: its kind (`words.KINDS`), the words, and the language's care words."""

    kind: Kind
    words: str
    language: CareWords

    @property
    def grave(self) -> bool:
        """Whether somebody may be in danger."""
        return self.kind in GRAVE


def notice(text: str, languages: Sequence[CareWords], year: int) -> Notice | None:
    """Return the gravest distress in the user's own words, or None; not of years before `year`."""
    return _find_notice(text[:LONGEST], tuple(languages), year)


@lru_cache(maxsize=_LOOKED_BACK)
def _find_notice(text: str, languages: tuple[CareWords, ...], year: int) -> Notice | None:
    """Search with a cache: recent messages are searched again with every new one."""
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
    """Yield the phrases that are meant seriously."""
    hits: list[Hit[Meaning]] = _apart(list(_first(language.heavy.everywhere(spoken))))
    if not hits:
        return
    frames: list[Hit[str]] = list(_first(language.frames.everywhere(spoken)))
    past = any(hit.meaning == "bygone" for hit in frames) or _long_ago(spoken.text, year)
    died = [hit for hit in hits if hit.meaning == "death"]
    for hit in hits:
        if hit.meaning == "emergency" and any(0 <= hit.first - death.last <= _OF_IT for death in died):
            continue  # "died in a car crash" is no emergency any more
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
    """Keep of overlapping phrases the longest, then the grave, then the innocent one."""
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
    """Return whether the phrase is negated: "I'm not suicidal", "nobody died"."""
    for at in range(hit.first - 1, max(-1, hit.first - 1 - _BEFORE), -1):
        if _BREAKS & set(spoken.gap(at)):
            return False
        if spoken.plain[at] in language.negators:
            beside = {spoken.plain[at - 1] if at else "", spoken.plain[at + 1]}
            return beside.isdisjoint(_NOT_TURNED)
    return False


def _is_fiction(spoken: Said, hit: Hit[Meaning], frames: Sequence[Hit[str]]) -> bool:
    """Return whether it is about a film, song or game in the same sentence; for the speaker's
    own life only directly next to it ("I saw a film and now I want to die" is not fiction)."""
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
    """Return whether its sentence asks about earlier statements: "when did my grandfather die?"."""
    first, last = _sentence(spoken, hit)
    return spoken.plain[first] in _ASKING and "?" in spoken.gap(last - 1)


def _asks_companion(spoken: Said, hit: Hit[Meaning]) -> bool:
    """Return whether its sentence asks how the companion is: "do you get lonely?"."""
    first, _ = _sentence(spoken, hit)
    opening = spoken.plain[first : hit.first]
    return any(pair in _OF_COMPANION for pair in pairwise(opening)) and _ONESELF.isdisjoint(opening)


def _long_ago(text: str, year: int) -> bool:
    return any(int(found) <= year - _PAST_YEARS for found in _YEAR.findall(text))
