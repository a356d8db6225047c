"""Check that a date a model gives for a fact follows from the words it cites.

The day of "Monday" depends on when it was said, so the words need only a sign of it: month,
weekday, numbers, or a stretch that reaches about as far.
"""

import re
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from furoshiki.language.dates import parsing
from furoshiki.language.dates.chinese import find_months
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.past import past_stretches
from furoshiki.language.dates.tokens import TONGUES, value_in
from furoshiki.language.word_tables import by_language
from furoshiki.language.words import WORD

_NUMBER = re.compile(r"\d+")
_OF_MONTH = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)\b|\b(?:the|on)\s+(\d{1,2})\b", re.IGNORECASE)
_WEEKDAY_REACH, _MONTH_REACH = timedelta(days=14), timedelta(days=45)

_REACH: Sequence[tuple[timedelta, frozenset[str]]] = tuple(
    (timedelta(days=days), frozenset(text.split())) for days, text in by_language("reach")["en"]["days"]
)


_ANY = Habits(TONGUES)  # a fact may be told in any language


def is_date_named(day: datetime, text: str, said_at: datetime) -> bool:
    """Return whether words said at a moment mean this day (both aware, user's zone)."""
    words = set(WORD.findall(text.casefold()))
    numbers = {int(found) for found in _NUMBER.findall(text) if len(found) <= 4}
    apart = abs(day - said_at)
    month = day.strftime("%B").casefold()
    by_month = bool({month, month[:3]} & words) or (day.month in numbers and day.day in numbers)
    by_month |= day.day == 1 and _names_month(day.month, text, words)  # a month alone is kept as its first day
    if day.year in numbers or (by_month and apart <= timedelta(days=400)):
        return True
    if any(int(first or second) == day.day for first, second in _OF_MONTH.findall(text)) and apart <= _MONTH_REACH:
        return True
    weekday = day.strftime("%A").casefold()
    if {weekday, weekday[:3], f"{weekday}s"} & words and apart <= _WEEKDAY_REACH:
        return True
    return any(signs & words and apart <= reach for reach, signs in _REACH) or _read(day, text, said_at)


def _names_month(month: int, text: str, words: Collection[str]) -> bool:
    bases = [word.replace("\u2019", "'").partition("'")[0] for word in words]
    months = (value_in(base, tongue, "M") for base in bases for tongue in TONGUES)
    return month in months or month in find_months(text)


def _read(day: datetime, text: str, said_at: datetime) -> bool:
    """Return whether the words mean this day as a future time or past stretch, in any language."""
    ahead = parsing.read(text, said_at, _ANY)
    if ahead is not None and ahead.rule is None and ahead.at.date() == day.date():
        return True
    past = past_stretches.read(text, said_at.date()).stretches
    return any(stretch.start - stretch.vague <= day.date() < stretch.end + stretch.vague for stretch in past)
