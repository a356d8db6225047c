"""Months, weekdays, feasts and numbers in the words of all supported languages."""

import functools
from typing import Any

from furoshiki.language.dates.tokens import TONGUES, value_in
from furoshiki.language.tables.numbers import DIGITS, NUMBERS


def month_in(word: str) -> int | None:
    """Return the number of the month that a word names, 1 for January, or None."""
    return _of_kind(word, "M")


def weekday_in(word: str) -> int | None:
    """Return the weekday that a word names, 0 for Monday, or None."""
    return _of_kind(word, "wP")


def names_time(word: str) -> bool:
    """Whether a word names a month, a weekday or a feast, and so is not a person's name."""
    return _of_kind(word, "MwPY") is not None


@functools.lru_cache(maxsize=4096)  # a small vocabulary recurs
def counts_in(word: str) -> frozenset[float]:
    """Return the numbers that a lower-case word can mean in any language (without digits)."""
    counts = {NUMBERS.get(word), DIGITS.get(word), *(value_in(word, tongue, "n") for tongue in TONGUES)}
    return frozenset(float(one) for one in counts if one is not None)


@functools.lru_cache(maxsize=4096)  # a small vocabulary recurs
def _of_kind(word: str, kinds: str) -> Any | None:
    """Return the value of a time word of one of these kinds, in the first language that has it."""
    word = word.casefold()
    return next((found for tongue in TONGUES if (found := value_in(word, tongue, kinds)) is not None), None)
