"""Sentences about suicide or self-harm: stored only with their outcome, and never always shown.

They are recognised by the danger words for messages (`reflex.care`), after conversion to the first
person.
"""

import re
from collections.abc import Sequence

from furoshiki.language.facts.opposition import first_person
from furoshiki.language.grounding.words import NO
from furoshiki.language.inflection import language_of
from furoshiki.language.reflex.care.noticing import notice
from furoshiki.language.tables.care_words import CareWords

ALONE = "something so dark is kept only with what became of it"

_CLAUSE = re.compile(r"[.!?;,\u2026]\s+|\s(?:but|and then)\s", re.IGNORECASE)
_MYSELF = ((re.compile(r"\bthemsel(?:f|ves)\b|\bhimself\b|\bherself\b", re.IGNORECASE), "myself"),)
_ME = ((re.compile(r"\bthem\b", re.IGNORECASE), "me"), (re.compile(r"\bthey\b", re.IGNORECASE), "I"))


def dark(text: str, care: Sequence[CareWords], year: int) -> bool:
    """Whether a statement about a person speaks of suicide or self-harm, even to deny it."""
    return _means(text, care, year) or _means(_NEVER.sub(" ", _strip_denials(text)), care, year)


def alone(text: str, care: Sequence[CareWords], year: int) -> bool:
    """Whether it says so without any outcome: no clause free of such words denies anything."""
    if not _means(text, care, year):
        return False
    no = NO.get(language_of(text) or "en", NO["en"])
    rest = [part for part in _CLAUSE.split(text) if not _means(part, care, year)]
    return not any(no.search(part) for part in rest)


def _means(text: str, care: Sequence[CareWords], year: int) -> bool:
    noticed = notice(_of_oneself(text), care, year)
    return noticed is not None and noticed.kind == "self"


def _of_oneself(text: str) -> str:
    for pattern, instead in _MYSELF:
        text = pattern.sub(instead, text)
    text = first_person(text)
    for pattern, instead in _ME:
        text = pattern.sub(instead, text)
    return text


_NEVER = re.compile(r"\bnever\b|\bwould\b", re.IGNORECASE)


def _strip_denials(text: str) -> str:
    return NO.get(language_of(text) or "en", NO["en"]).sub(" ", text)
