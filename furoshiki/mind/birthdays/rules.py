"""The dates of birthdays and the thoughts about them.

The user's own is queued on the day itself, another person's on the day before, to leave time.
"""

import calendar
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from furoshiki.core import refs
from furoshiki.language.facts.extraction import USER
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.tables.calendar_names import MONTH, month_number
from furoshiki.owner.agenda.rules.mind_queue import Thought

KEY = "birthday:"
"""The key prefix of such a thought, followed by memory and day: "birthday:12:2027-05-03"."""

AHEAD = timedelta(days=1)
"""How long before its day another person's birthday is queued."""

_MONTH = rf"(?P<month>{MONTH})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s+(?P<year>(?:18|19|20)\d\d))?"
_TOLD = tuple(
    re.compile(rf"(?:the\s+)?{words}{_YEAR}", re.IGNORECASE)
    for words in (rf"{_DAY}\s+(?:of\s+)?{_MONTH}", rf"{_MONTH}\s+(?:the\s+)?{_DAY}")
)
"""Dates with the month in words. In "3/5" the month is ambiguous."""

_LEAP_YEAR = 2024


@dataclass(frozen=True)
class Birthday:
    """The person named by this memory's fact, the day, and the year of birth if known."""

    memory_id: int
    whose: str
    month: int
    day: int
    born: int | None = None

    def on(self, year: int) -> date:
        """Return its date in a year; 28 February when there is no 29th."""
        try:
            return date(year, self.month, self.day)
        except ValueError:
            return date(year, self.month, self.day - 1)

    def next(self, today: date) -> date:
        """Return the next date, today included."""
        this_year = self.on(today.year)
        return this_year if this_year >= today else self.on(today.year + 1)


def read(memory_id: int, whose: str, told: str) -> Birthday | None:
    """Parse a birthday ("3 May", "March 12th, 1985"); None when no date can be read."""
    found = next((match for pattern in _TOLD if (match := pattern.fullmatch(told.strip(" .")))), None)
    if found is None:
        return None
    month, day = month_number(found["month"]), int(found["day"])
    if not 1 <= day <= calendar.monthrange(_LEAP_YEAR, month)[1]:
        return None
    return Birthday(memory_id, whose, month, day, int(found["year"]) if found["year"] else None)


def near(birthdays: Iterable[Birthday], first: date, last: date) -> Iterator[tuple[Birthday, date]]:
    """Yield the birthdays to queue on one of these days, each with its date."""
    for birthday in birthdays:
        on = birthday.next(first)
        if on <= (last if birthday.whose == USER else last + AHEAD):
            yield birthday, on


def thought(birthday: Birthday, on: date) -> Thought:
    day = on.strftime("%A, %-d %B")
    if birthday.whose == USER:
        words = f"{day} is their birthday{_age('they turn', birthday, on)}"
    else:
        words = (
            f"{_name(birthday.whose)}'s birthday is on {day}{_age('they turn', birthday, on)}; a word in time may help"
        )
    return Thought("anticipation", words, key(birthday, on), refs.name("memories", birthday.memory_id))


def key(birthday: Birthday, on: date) -> str:
    """Return the key of a birthday's thought for a date."""
    return f"{KEY}{birthday.memory_id}:{on.isoformat()}"


def _age(words: str, birthday: Birthday, on: date) -> str:
    return f": {words} {on.year - birthday.born}" if birthday.born is not None and birthday.born < on.year else ""


def _name(whose: str) -> str:
    return f"Their {whose}" if whose in RELATIONS else whose
