"""Months, weekdays, feasts and numbers in words of all languages at once: for a text in whatever language."""

import functools
from typing import Any

from furoshiki.language.dates.tokens import TONGUES, value_in
from furoshiki.language.tables.numbers import DIGITS, NUMBERS


def month_in(word: str) -> int | None:
    """The number of the month that a word names, 1 for January; None when it names none."""
    return _of_kind(word, "M")


def weekday_in(word: str) -> int | None:
    """The weekday that a word names, 0 for Monday; None when it names none."""
    return _of_kind(word, "wP")


def names_time(word: str) -> bool:
    """Whether a word is the name of a month, a weekday or a feast, and so nobody's name."""
    return _of_kind(word, "MwPY") is not None


@functools.lru_cache(maxsize=4096)  # people use few words
def counts_in(word: str) -> frozenset[float]:
    """The numbers that a word in small letters can be in any language; figures are left to the caller."""
    found = {NUMBERS.get(word), DIGITS.get(word), *(value_in(word, tongue, "n") for tongue in TONGUES)}
    return frozenset(float(one) for one in found if one is not None)


@functools.lru_cache(maxsize=4096)  # people use few words
def _of_kind(word: str, kinds: str) -> Any | None:
    """The value of a word of time in whichever language has it as one of these kinds."""
    word = word.casefold()
    return next((found for tongue in TONGUES if (found := value_in(word, tongue, kinds)) is not None), None)
