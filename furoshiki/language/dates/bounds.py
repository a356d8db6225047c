"""Begin and end of a repetition: "until June", "for two weeks", "three times", "starting …".

Such phrases are removed first and the rest is read; if that is a repetition, they are added to its
rule. With anything else they stay in the text, where they mean something else.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Literal

from furoshiki.core.timestamps import later
from furoshiki.language.dates import library
from furoshiki.language.dates.booked import Spans, Unclear, When, moment
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.said_times import Reading
from furoshiki.language.dates.tokens import TONGUES, Token, number_in, tokens, unit_in
from furoshiki.language.dates.values import months_on, next_on, value_of, values_of
from furoshiki.language.word_tables import patterns
from furoshiki.language.words import word_set

MOST_WORDS = 6  # most words in the name of a day: "Wednesday the 24th of June 2027"

MOST_BOUNDS = 3
MOST_TIMES = 1000

Kind = Literal["until", "times", "while", "from"]

_AFTERWARDS = {"tr": r"(?:kadar|dek)"}  # Turkish puts the word after the day

# words that include the whole month they name
_WHOLE = re.compile(r"through|ein|inklusive|including", re.IGNORECASE)

_ONWARDS = re.compile(r" (?:on|onwards?|an)\b(?! the \d)", re.IGNORECASE)
_RANGE = re.compile(r"\s*(?:to|-|–)(?!\w)", re.IGNORECASE)

_N = r"(?P<n>\d{1,4}|[^\W\d_]{1,14})"
_U = r"(?P<u>[^\W\d_]{1,12})"
_PARTS = {"n": _N, "u": _U, "m": _N.replace("<n>", "<m>"), "v": _U.replace("<u>", "<v>")}
_UNTIL, _FROM = patterns("bounds", "until"), patterns("bounds", "from")
_TIMES, _WHILE = patterns("bounds", "times", _PARTS), patterns("bounds", "while", _PARTS)
# before "üç kez" these give a frequency, not a count
_A_DAY = word_set("günde haftada ayda saatte günlük")

_SHORT = ("HOURLY", "MINUTELY")
_DAYS = {"day": 1, "week": 7, "fortnight": 14}
_TURKISH_ENDS = re.compile(r"(?:(?<=[aıou])n?a|(?<=[eiöü])n?e|(?<=[^\Waeıioöuü])[ae]|y[ae])$")


@dataclass(frozen=True, slots=True)
class Bound:
    """The meaning of text[start:end] for a repetition: begin, end, count or length."""

    kind: Kind
    start: int
    end: int
    at: datetime | None = None
    timed: bool = False
    count: int = 0
    unit: str = ""


def find_bounds(text: str, now: datetime, habits: Habits) -> list[Bound]:
    """Return the bounds named in a text, in order, without overlaps."""
    everyone = tuple(dict.fromkeys((*habits.tongues, *TONGUES)))
    bounds: list[Bound] = []
    for each_bound in sorted(
        (bound for tongue in everyone for bound in _find_in_language(text, now, tongue, habits)),
        key=lambda one: (one.start, -one.end),
    ):
        if not bounds or each_bound.start >= bounds[-1].end:
            bounds.append(each_bound)
    return bounds if len({bound.kind for bound in bounds}) == len(bounds) <= MOST_BOUNDS else []


def without(text: str, bounds: list[Bound]) -> tuple[str, list[int]]:
    """Return the text without the bounds, and the original offset of each of its characters."""
    places = [n for n in range(len(text)) if not any(bound.start <= n < bound.end for bound in bounds)]
    return "".join(text[n] for n in places), [*places, len(text)]


def begins(bounds: list[Bound], now: datetime) -> datetime:
    """Return the moment from which a repetition counts."""
    first = next((bound.at for bound in bounds if bound.kind == "from"), None)
    return now if first is None else max(now, first - timedelta(seconds=1))


def apply_bounds(when: When, bounds: list[Bound], places: list[int]) -> When | Unclear | None:
    """Add bounds to a repetition that was read without them; None if one does not fit."""
    spans = _merge_spans([(places[start], places[end - 1] + 1) for start, end in when.spans], bounds)
    rule = str(when.rule)
    short = any(name in rule for name in _SHORT)
    for bound in bounds:
        if bound.kind == "times":
            rule += f";COUNT={bound.count}"
        last = None
        if bound.kind == "until":
            last = bound.at
        elif bound.kind == "while":
            last = _over(bound, when.at)
        if last is None:
            continue
        timed = bound.timed or bound.unit in ("hour", "minute")
        if timed and not short:
            return None
        if (last if timed else last.replace(hour=23, minute=59)) < when.at:
            return Unclear("That would end before it comes for the first time", spans)
        rule += f";UNTIL={last.strftime('%Y%m%dT%H%M%S' if timed else '%Y%m%d')}"
    return replace(when, rule=rule, spans=spans, start=spans[0][0], end=spans[-1][1])


def _merge_spans(spans: list[tuple[int, int]], bounds: list[Bound]) -> Spans:
    """Return all spans in order; touching or nested ones are merged."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted([*spans, *((bound.start, bound.end) for bound in bounds)]):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return tuple(merged)


def _over(bound: Bound, first: datetime) -> datetime:
    """Return the last day (or moment) of a stretch that begins at the first time."""
    if bound.unit in ("hour", "minute"):
        return later(first, timedelta(**{f"{bound.unit}s": bound.count})).astimezone(first.tzinfo)
    if bound.unit in _DAYS:
        return first + timedelta(days=bound.count * _DAYS[bound.unit] - 1)
    return library.add_units(first.replace(tzinfo=None), bound.count, bound.unit).replace(
        tzinfo=first.tzinfo
    ) - timedelta(days=1)


def _find_in_language(text: str, now: datetime, tongue: str, habits: Habits) -> Iterator[Bound]:
    """Yield the bounds found with the words of one language."""
    for match in _all(_UNTIL, tongue, text):
        yield from _day_after(text, match, now, tongue, habits, "until")
    for match in _all(_AFTERWARDS, tongue, text):
        yield from _day_before(text, match, now, tongue, habits)
    for match in _all(_FROM, tongue, text):
        yield from _day_after(text, match, now, tongue, habits, "from")
    for match in _all(_TIMES, tongue, text):
        times_named = {"twice": 2.0, "once": 1.0}.get((match.groupdict().get("twice") or "").lower())
        count = times_named or number_in(match["n"] or "", tongue)
        before = text[: match.start()].lower().split()
        if count and count == int(count) and 1 <= count <= MOST_TIMES and not (before and before[-1] in _A_DAY):
            yield Bound("times", _from(text, match.start()), match.end(), count=int(count))
    for match in _all(_WHILE, tongue, text):
        words = match.groupdict()
        count = number_in(words["n"] or words.get("m") or "", tongue)
        unit = unit_in(words["u"] or words.get("v") or "", tongue)
        if count and count == int(count) and 1 <= count <= MOST_TIMES and unit:
            yield Bound("while", _from(text, match.start()), match.end(), count=int(count), unit=unit)


def _all(table: dict[str, str], tongue: str, text: str) -> Iterator[re.Match[str]]:
    if tongue in table:
        yield from _whole_words(table[tongue]).finditer(text)


@functools.cache
def _whole_words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)


def _from(text: str, start: int) -> int:
    """Return the start, moved back over the comma and spaces before it."""
    return len(text[:start].rstrip(" ,"))


def _day_after(
    text: str, match: re.Match[str], now: datetime, tongue: str, habits: Habits, kind: Kind
) -> Iterator[Bound]:
    """Yield the longest name of a day after the word, preferably without a time of day."""
    words = list(re.finditer(r"[^\s,;]+", text[match.end() :]))[:MOST_WORDS]
    whole = _WHOLE.search(match.group()) is not None
    timed: Bound | None = None
    for last in reversed(words):
        end = match.end() + last.end()
        day = _day(text[match.end() : end].strip(), now, tongue, habits, whole)
        if day is None:
            continue
        if kind == "from" and _RANGE.match(text, end):
            return
        onwards = _ONWARDS.match(text, end) if kind == "from" else None
        bound = Bound(kind, _from(text, match.start()), onwards.end() if onwards else end, *day)
        if not bound.timed:
            yield bound
            return
        timed = timed or bound
    if timed is not None and kind == "until":
        yield timed


def _day_before(text: str, match: re.Match[str], now: datetime, tongue: str, habits: Habits) -> Iterator[Bound]:
    """Yield the longest name of a day before the word: "cuma gününe kadar"."""
    words = list(re.finditer(r"[^\s,;]+", text[: match.start()]))[-MOST_WORDS:]
    for first in words:
        phrase = _TURKISH_ENDS.sub("", text[first.start() : match.start()].strip())
        day = _day(phrase, now, tongue, habits, False)
        if day is not None and not day[1]:
            yield Bound("until", _from(text, first.start()), match.end(), *day)
            return


def _day(phrase: str, now: datetime, tongue: str, habits: Habits, whole: bool) -> tuple[datetime, bool] | None:
    """Return the last day that words name and whether with a time; None if they name none."""
    phrase_tokens = tokens(phrase, tongue)
    if not phrase_tokens or phrase_tokens[-1].end != len(phrase):
        return None
    kinds = "".join(token.kind for token in phrase_tokens)
    on = _stretch(kinds, phrase_tokens, now, whole)
    if on is not None:
        return moment(on, time(), now), False
    reading = Reading(phrase, now, tongue, habits)
    if sum(component.end - component.first for component in reading.components) != len(phrase_tokens) or "~" in kinds:
        return None
    when = reading.strictly()
    if not isinstance(when, When) or when.rule or when.past:
        return None
    return when.at, when.timed


def _stretch(kinds: str, phrase_tokens: Sequence[Token], now: datetime, whole: bool) -> date | None:
    """Return the last day before ("until June") or of ("through June") a month or a year."""
    if re.fullmatch(r"[iN]?My?", kinds):
        year = next(iter(values_of(phrase_tokens, "y")), None)
        first = next_on(now.date(), value_of(phrase_tokens, "M"), 1, year)
        if first is not None and whole:
            first = months_on(first, 1)
        return None if first is None else first - timedelta(days=1)
    if kinds == "y":
        return date(int(phrase_tokens[0].value) - (not whole), 12, 31)
    if kinds == "Nu" and phrase_tokens[0].value == 1 and phrase_tokens[1].value in ("month", "year"):
        first = months_on(now.date(), 1) if phrase_tokens[1].value == "month" else date(now.year + 1, 1, 1)
        return first - timedelta(days=1)
    return None
