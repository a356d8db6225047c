"""Decide the half of the day: is "tomorrow at 6" in the morning or in the evening?

An alarm twelve hours late is a reminder's worst failure. An hour with minutes or on a 24-hour clock
is taken as written; others are decided by the task ("wake up"), by the user's active hours and by
usual waking hours; the rest is asked. See docs/adr/0052-hours-as-written.md.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.tokens import TONGUES, Token, tokens
from furoshiki.language.dates.values import Hour
from furoshiki.language.word_tables import texts
from furoshiki.language.words import word_set

SOON = timedelta(hours=3)  # an hour this near is the next one on the clock: the speaker is awake

# within these, even "wake me" may mean the afternoon, and "at 1" the coming night
A_NAP, TONIGHT = timedelta(hours=2), timedelta(hours=5)

NIGHT_ENDS = 5  # bare hours before this one are in the afternoon
MORNING_BEGINS = 7  # from this hour on, an ambiguous hour is in the morning: never too late

# active moments near one half that count as evidence; moments of the whole day that exclude a half
# without any; and the factor by which one half must exceed the other
LEAST_SEEN, SURELY_SEEN, TIMES_MORE = 4, 20, 3

Span = tuple[int, int]


def _read_deeds(key: str) -> str:
    return f"(?:{'|'.join(texts('deeds', key).values())})"


_ANYWHERE: tuple[tuple[Span, str], ...] = (
    ((0, 12), _read_deeds("morning")),
    ((NIGHT_ENDS, 12), _read_deeds("alarm")),
    ((4, 12), _read_deeds("breakfast")),
    ((16, 24), _read_deeds("after_work")),
)
# Tasks typical of one end of the day, with the hours (from, up to) in which they begin. Morning
# tasks count anywhere in the text, as they delay nothing; evening ones only as the task itself: "at
# 9 to plan the dinner" is no evening.
_FIRST: tuple[tuple[Span, str], ...] = (((11, 16), _read_deeds("lunch")), ((16, 24), _read_deeds("evening")))

_PEOPLE_AWAKE = (7, 22)
# tasks that need others awake, as first word or (verbs at the end) as last
_AMONG_PEOPLE = _read_deeds("people")

_HELPING = "(?:" + _read_deeds("helping") + " ){0,4}"


@dataclass(frozen=True, slots=True)
class Meant:
    """The likelier moment, and the other one if in doubt."""

    at: datetime
    other: datetime | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """The context of an hour: habits, the text, and its pieces that name the task, lower case."""

    habits: Habits
    text: str = ""
    matters: tuple[str, ...] = ()


def halves(hour: Hour, part: str | None) -> tuple[time, ...]:
    """Return the possible times of day of an hour, earlier first; one if it is clear."""
    at = hour.at
    if hour.sure or at.hour > 12 or at.hour == 0:
        return (at,)
    early, late = time(at.hour % 12, at.minute), time(at.hour % 12 + 12, at.minute)
    if part in ("morning", "early"):
        return (early,)
    if part in ("afternoon", "evening"):
        return (late,)
    if part == "night":
        return (late if 6 <= at.hour < 12 else early,)
    return (late,) if hour.form in ("custom", "written") and at.hour == 12 else (early, late)


def of_day(both: Sequence[datetime], hour: Hour, person: Person) -> Meant:
    """Decide between two moments of one day, both in the future."""
    early, late = both
    return _choose_by_deed(early, late, hour, person) or _by_clock(early, late, hour, person.habits)


def next_one(both: Sequence[datetime], now: datetime, hour: Hour, person: Person) -> Meant:
    """Decide if no day was named: each is the next time the clock shows it."""
    early, late = both
    first, second = sorted((early, late))
    by_deed = _choose_by_deed(early, late, hour, person)
    if first == late:  # only the evening hour is still ahead today
        if by_deed is not None and by_deed.at == early and hour.form != "written" and first - now <= A_NAP:
            return Meant(first, second)
        return by_deed if by_deed is not None and by_deed.at == early else Meant(first)
    if by_deed is not None:
        return by_deed
    if first.hour < NIGHT_ENDS and hour.form == "spoken" and first - now <= TONIGHT:
        return Meant(second, first)
    if first - now <= SOON:
        return Meant(first)
    return _by_clock(early, late, hour, person.habits)


def _choose_by_deed(early: datetime, late: datetime, hour: Hour, person: Person) -> Meant | None:
    """Return the half that suits the task; None if the task does not decide."""
    span = _hours_of(person, among_people=hour.form != "written" or early.hour < NIGHT_ENDS)
    fitting = [at for at in (early, late) if span is not None and span[0] <= at.hour < span[1]]
    return Meant(fitting[0]) if len(fitting) == 1 else None


def _hours_of(person: Person, among_people: bool) -> Span | None:
    """Return the hours in which the task usually begins."""
    for span, words in _ANYWHERE:
        if re.search(rf"\b{words}\b", person.text):
            return span
    among: tuple[tuple[Span, str], ...] = ((_PEOPLE_AWAKE, _AMONG_PEOPLE),) if among_people else ()
    for span, words in (*_FIRST, *among):
        if any(re.match(rf"{_HELPING}{words}\b", matter) for matter in person.matters):
            return span
    at_the_end = rf"\b{_AMONG_PEOPLE}$"
    at_last = among_people and any(re.search(at_the_end, one) for one in person.matters)
    return _PEOPLE_AWAKE if at_last else None


def _by_clock(early: datetime, late: datetime, hour: Hour, habits: Habits) -> Meant:
    exact = hour.form == "exact" or early.minute > 0
    if hour.form == "custom" or hour.form == "written" and early.hour >= NIGHT_ENDS:
        return Meant(early)
    seen_early, seen_late = (_count_seen(habits, at.hour) for at in (early, late))
    if early.hour and seen_early >= max(LEAST_SEEN, TIMES_MORE * seen_late):
        return Meant(early)
    if early.hour < NIGHT_ENDS:  # "um 3 Uhr" may be the night's by the clock; twelve is noon
        return Meant(late, early) if hour.form == "written" and early.hour else Meant(late)
    if early.hour >= MORNING_BEGINS:
        return Meant(early)
    if not seen_early and seen_late >= LEAST_SEEN and sum(habits.hours) >= SURELY_SEEN:
        return Meant(late)
    return Meant(early) if exact and early.hour > NIGHT_ENDS else Meant(late, early)


def _count_seen(habits: Habits, hour: int) -> int:
    """Return how often the user was active within an hour of this one."""
    return sum(habits.hours[(hour + near) % 24] for near in (-1, 0, 1)) if habits.hours else 0


# -- answers to one of two times: "in the evening", "abends", "18", "06:00" --


_HALF = {"morning": 0, "early": 0, "afternoon": 1, "evening": 1, "night": 1}
_MARKS = re.compile(r"\W{0,3}(?P<half>[ap])\.? ?m\b\W{0,3}", re.IGNORECASE)
_BESIDE = word_set("in the at please make it um bitte am a las los por favor de la lütfen saat в пожалуйста")


def half_said(text: str, ways: Sequence[datetime]) -> int | None:
    """Return 0 or 1 for the earlier or later time; None if unclear, or with other words."""
    mark = _MARKS.fullmatch(text)
    if mark is not None:
        return int(mark["half"].lower() == "p")
    places = {way for tongue in TONGUES if (way := _in(tokens(text, tongue), text, ways)) is not None}
    return places.pop() if len(places) == 1 else None


def _in(text_tokens: Sequence[Token], text: str, ways: Sequence[datetime]) -> int | None:
    """Return the choice as read in one language."""
    if any(token.kind not in "ptnor@c,hU" and _word(token, text) not in _BESIDE for token in text_tokens):
        return None
    parts = {_HALF[str(token.value)] for token in text_tokens if token.kind == "p"}
    parts |= {0 for token in text_tokens if token.kind == "r" and _word(token, text) in ("morgen", "mañana")}
    clocks = [at for token in text_tokens if token.kind in "tno" and (at := _clock(token)) is not None]
    if parts and any(at.hour % 12 != ways[0].hour % 12 for at in clocks):
        return None
    places = parts or {n for at in clocks for n, way in enumerate(ways) if way.time() == at}
    return places.pop() if len(places) == 1 else None


def _clock(token: Token) -> time | None:
    if token.kind == "t":
        return time.fromisoformat(str(token.value).removesuffix("?"))
    hour = float(token.value)
    return time(int(hour) % 24) if hour == int(hour) and 0 <= hour <= 24 else None


def _word(token: Token, text: str) -> str:
    return text[token.start : token.end].lower()
