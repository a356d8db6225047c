"""Decide whether two similar memories say the same; any differing detail means no.

"Ana likes tea" and "Bea likes tea" have nearly equal vectors. Names, numbers, negation and time
must therefore agree. In doubt, both are kept.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from furoshiki.language.facts import conflicts
from furoshiki.language.facts.opposition import measure_by_rule
from furoshiki.language.tables import calendar_names
from furoshiki.language.tables.function_words import is_denial, query_words
from furoshiki.language.tables.numbers import TO_TWELVE
from furoshiki.language.words import SPELLED, stem

ALIKE = 0.85
"""Minimum cosine of two memories of one type to be compared."""

SAME_WORDS = 0.7
"""Minimum share of the shorter text's words in common: "likes green tea" and "likes black tea"
share two thirds."""

SAME_EVENT = timedelta(days=1)
"""Maximum distance of two times of the same event."""

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_COUNTED_TEXT = """
once twice first second third half both spring summer autumn winter morning evening night
"""
_COUNTED = frozenset(_COUNTED_TEXT.split()).union(TO_TWELVE, calendar_names.NAMES)
"""Words that count or date as numbers do."""

_OPENER_TEXT = "the user users they their it this that a an my i he she we you his her our there in on at when every"
_OPENERS = frozenset(_OPENER_TEXT.split())
_LIKING = frozenset({"lik", "lov", "enjoy", "prefer", "ador", "fond"})
"""Stems of verbs of liking, which are treated as equal."""


@dataclass(frozen=True)
class Told:
    """The parts of a memory that decide whether another one says the same."""

    content: str
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    event_time: datetime | None = None


def same(first: Told, second: Told) -> bool:
    """Return whether two memories of one type with similar vectors say the same. Symmetric."""
    if _apart(first.event_time, second.event_time) or _is_other_thing(first, second):
        return False
    first_text, two = first.content, second.content
    if (
        _numbers(first_text) != _numbers(two)
        or _is_denied(first_text) != _is_denied(two)
        or _names(first_text) != _names(two)
    ):
        return False
    return (
        _in_common(first_text, two) >= SAME_WORDS
        and not measure_by_rule(first_text, two)
        and not measure_by_rule(two, first_text)
    )


def _apart(first: datetime | None, second: datetime | None) -> bool:
    if first is None or second is None:
        return False
    return abs(first - second) > SAME_EVENT


def _is_other_thing(first: Told, second: Told) -> bool:
    """Return whether both are facts and differ in subject, predicate or object."""
    return any(
        one is not None and two is not None and not conflicts.same(one, two)
        for one, two in (
            (first.subject, second.subject),
            (first.predicate, second.predicate),
            (first.object, second.object),
        )
    )


def _numbers(text: str) -> frozenset[str]:
    numbers = set(_NUMBER.findall(text))
    return frozenset(numbers | {word for word in _plain(text) if word in _COUNTED})


def _is_denied(text: str) -> bool:
    return sum(map(is_denial, _plain(text))) % 2 == 1


def _names(text: str) -> frozenset[str]:
    """Return the capitalised words, except common openers of sentences."""
    return frozenset(
        plain
        for word in SPELLED.findall(text)
        if word[0].isupper() and (plain := _bare(word.casefold())) not in _OPENERS and len(plain) > 1
    )


def _in_common(first: str, second: str) -> float:
    first_stems, two = ({_stem(word) for word in query_words(text) if word != "user"} for text in (first, second))
    return (
        len(first_stems & two) / min(len(first_stems), len(two)) if first_stems and two else float(first_stems == two)
    )


def _stem(word: str) -> str:
    plain_stem = stem(word)
    return "lik" if plain_stem in _LIKING else plain_stem


def _plain(text: str) -> list[str]:
    return [word.casefold() for word in SPELLED.findall(text)]


def _bare(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s")
