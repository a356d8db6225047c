"""The dates of birthdays and the thoughts about them.

The user's own is queued on the day itself, another person's on the day before, to leave time.
"""

import calendar
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from furoshiki.core import refs
from furoshiki.language.dates import chinese
from furoshiki.language.dates.tokens import TONGUES, tokens
from furoshiki.language.facts.extraction import USER
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.owner.agenda.rules.mind_queue import Thought

# the key prefix of such a thought, followed by memory and day: "birthday:12:2027-05-03"
KEY = "birthday:"

AHEAD = timedelta(days=1)  # how long before its day another person's birthday is queued

# a day in figures alone, which have the day first where a dot or a day above twelve says so
_FIGURES = re.compile(r"(?P<day>\d{1,2})(?P<dot>[./-])(?P<month>\d{1,2})(?:[./-](?P<year>(?:18|19|20)\d\d))?")

# the kinds of tokens of a day with its month in words, and perhaps the year
_DATES = frozenset({"Mn", "Mo", "Mny", "Moy"})

_LEAP_YEAR = 2024
_MONTHS = 12


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
    """Parse a birthday ("3 May", "14 de fevereiro", "2月14日"); None when no date can be read."""
    signs = chinese.put_into_english(told)
    words = told.strip(" .") if signs is None else signs.words.removeprefix("on ")
    found = _in_figures(words) or next(filter(None, (_in_words(words, tongue) for tongue in TONGUES)), None)
    if found is None:
        return None
    day, month, year = found
    if not (1 <= month <= _MONTHS and 1 <= day <= calendar.monthrange(_LEAP_YEAR, month)[1]):
        return None
    return Birthday(memory_id, whose, month, day, year)


def _in_figures(told: str) -> tuple[int, int, int | None] | None:
    found = _FIGURES.fullmatch(told)
    if found is None or (found["dot"] != "." and int(found["day"]) <= _MONTHS):
        return None
    return int(found["day"]), int(found["month"]), int(found["year"]) if found["year"] else None


def _in_words(told: str, tongue: str) -> tuple[int, int, int | None] | None:
    """Return day, month and year of a date in a language; None for anything more or less."""
    said = {one.kind: one.value for one in tokens(told, tongue) if one.kind != "," and one.value != "year"}
    if "".join(sorted(said)) not in _DATES:
        return None
    return int(said.get("n") or said.get("o") or 0), int(said["M"]), said.get("y")


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
