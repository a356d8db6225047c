"""What words of time can say, and how a rule says which run of them it makes sense of.

The kinds of the tokens are written as one string ("Nw@n" for "next friday at 9"); a rule is a pattern over kinds with
the function that makes sense of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Literal

from furoshiki.language.dates.tokens import Token

BYDAY = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
MOST_COUNTED = 100_000
"""Units: nobody means a reminder that many minutes, or more, from now."""


Form = Literal["spoken", "exact", "custom", "written"]


@dataclass(frozen=True, slots=True)
class Day:
    """A day as said; `fixed` when moving it (to next week) would not be what they meant."""

    on: date
    fixed: bool = True
    part: str | None = None


@dataclass(frozen=True, slots=True)
class Hour:
    """A time of day as said; `sure` when the half of the day is beyond doubt. `form` is how it was said: "spoken" by
    itself ("at six"), "exact" with its minutes in words ("half past six"), "written" as a clock of 24 hours shows it
    or with its minutes in figures ("5:30", "um 6 Uhr"), "custom" in English where clocks have 24 hours."""

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
    """Real time from now."""

    span: timedelta


@dataclass(frozen=True, slots=True)
class Rule:
    """A repetition; `after` how long until the first time of one that counts from now."""

    rule: str
    part: str | None = None
    after: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """Words of time with more than one meaning, or with none; `asks` is the question."""

    asks: str


DatePart = Day | Hour | Part | Duration | Rule | Doubt


@dataclass(frozen=True, slots=True)
class Component:
    """Something said of time by the tokens [first, end)."""

    said: DatePart
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class ParseContext:
    """What a reading depends on besides the words: the text, now (aware), its language, "DMY", "MDY" or "", and whether
    an hour in figures is one of 24."""

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
    """The rules of one kind of saying a time, in the order in which they are asked."""

    def __init__(self) -> None:
        self.all: list[tuple[str, Maker]] = []

    def __call__(self, pattern: str) -> Callable[[Maker], Maker]:
        """Keep a function for the kinds a pattern fits; each of its alternatives is tried, the longest counts."""

        def kept(maker: Maker) -> Maker:
            self.all.extend((one, maker) for one in _alternatives(pattern))
            return maker

        return kept


def value_of(tokens: Sequence[Token], kinds: str) -> Any:
    """The value of the first token of these kinds."""
    return next(token.value for token in tokens if token.kind in kinds)


def values_of(tokens: Sequence[Token], kinds: str) -> list[Any]:
    """The values of all tokens of these kinds."""
    return [token.value for token in tokens if token.kind in kinds]


def has(tokens: Sequence[Token], kinds: str) -> bool:
    """Whether any token is of these kinds."""
    return any(token.kind in kinds for token in tokens)


def number_of(token: Token) -> int:
    """The number a token counts by; "second" is one."""
    return 2 if token.kind == "s" else int(token.value)


def months_on(day: date, months: int) -> date:
    """The first of the month so many months from this day's."""
    number = day.year * 12 + day.month - 1 + months
    return date(number // 12, number % 12 + 1, 1)


def _alternatives(pattern: str) -> list[str]:
    found, depth = [""], 0
    for letter in pattern:
        depth += (letter in "([") - (letter in ")]")
        if letter == "|" and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return found
