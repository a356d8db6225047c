"""The meanings of time expressions, and the rules that produce them.

Token kinds form a string ("Nw@n" for "next friday at 9"); a rule is a pattern over it with a
function.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Literal

from furoshiki.language.dates.tokens import Token

BYDAY = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
MOST_COUNTED = 100_000  # most units counted from now in a reminder


Form = Literal["spoken", "exact", "custom", "written"]


@dataclass(frozen=True, slots=True)
class Day:
    """A named day; `fixed`: it may not be moved to the next week."""

    on: date
    fixed: bool = True
    part: str | None = None


@dataclass(frozen=True, slots=True)
class Hour:
    """A time of day; `sure` if the half of the day is certain. `form`: "spoken" alone ("at
    six"), "exact" with minutes in words ("half past six"), "written" in 24-hour form or with
    minutes in digits ("5:30", "um 6 Uhr"), "custom" in English where clocks have 24 hours."""

    at: time
    sure: bool = True
    part: str | None = None
    form: Form = "spoken"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the day: "morning"."""

    name: str


@dataclass(frozen=True, slots=True)
class Duration:
    """Elapsed time from now."""

    span: timedelta


@dataclass(frozen=True, slots=True)
class Rule:
    """A repetition; `after` is the time to the first occurrence if it counts from now."""

    rule: str
    part: str | None = None
    after: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """An ambiguous or impossible time expression; `asks` is the question."""

    asks: str


DatePart = Day | Hour | Part | Duration | Rule | Doubt


@dataclass(frozen=True, slots=True)
class Component:
    """The meaning of the tokens [first, end)."""

    said: DatePart
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class ParseContext:
    """The context of a reading: text, now (aware), language, "DMY", "MDY" or "", and whether a
    numeric hour is on the 24-hour clock."""

    text: str
    now: datetime
    tongue: str
    order: str
    clock24: bool = False

    @property
    def today(self) -> date:
        return self.now.date()


Made = DatePart | None
Maker = Callable[[ParseContext, str, Sequence[Token]], Made]


class Rules:
    """The rules for one type of time expression, in order."""

    def __init__(self) -> None:
        self.all: list[tuple[str, Maker]] = []

    def __call__(self, pattern: str) -> Callable[[Maker], Maker]:
        """Register a function for a pattern; each alternative is tried, the longest wins."""

        def kept(maker: Maker) -> Maker:
            self.all.extend((one, maker) for one in _alternatives(pattern))
            return maker

        return kept


def value_of(tokens: Sequence[Token], kinds: str) -> Any:
    """Return the value of the first token of these kinds."""
    return next(token.value for token in tokens if token.kind in kinds)


def values_of(tokens: Sequence[Token], kinds: str) -> list[Any]:
    """Return the values of all tokens of these kinds."""
    return [token.value for token in tokens if token.kind in kinds]


def count_in(tokens: Sequence[Token]) -> float:
    """Return the first count of tokens, 1 without any."""
    return next((float(token.value) for token in tokens if token.kind in "nA"), 1.0)


def has(tokens: Sequence[Token], kinds: str) -> bool:
    """Return whether any token is of these kinds."""
    return any(token.kind in kinds for token in tokens)


def number_of(token: Token) -> int:
    """Return the number of a token; "second" is 2."""
    return 2 if token.kind == "s" else int(token.value)


def months_on(day: date, months: int) -> date:
    """Return the first of the month that is so many months after the day's month."""
    number = day.year * 12 + day.month - 1 + months
    return date(number // 12, number % 12 + 1, 1)


def next_on(since: date, month: int, day: int, year: int | None = None) -> date | None:
    """Return a day, without a year the next from `since` on; None if the calendar has none such."""
    for one in (year,) if year else range(since.year, since.year + _YEARS_OF_LEAP):
        try:
            on = date(one, month, day)
        except ValueError:
            continue
        if year or on >= since:
            return on
    return None


_YEARS_OF_LEAP = 9  # years in which there is a 29 February


def _alternatives(pattern: str) -> list[str]:
    parts, depth = [""], 0
    for letter in pattern:
        depth += (letter in "([") - (letter in ")]")
        if letter == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts
