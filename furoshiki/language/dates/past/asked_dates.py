"""The days a question about the past means: "in March", "two weeks ago", "last summer".

Unlike a reminder (`dates.parsing`), a question names a stretch of time, vaguely: each window has
slack on both sides, more for "a year ago" than for "yesterday".
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from furoshiki.core import numbers
from furoshiki.language.dates.past import exact_days, past_stretches
from furoshiki.language.dates.tokens import value_in
from furoshiki.language.tables.calendar_names import MONTH, WEEKDAYS, month_number, weekday_number
from furoshiki.language.tables.numbers import COUNTS

SLACK_OF_DAY = 3.0
SLACK_OF_MONTH = 4.0
SLACK_OF_SEASON = 10.0  # days on both sides of the named period that may also be meant
FALL = 3.0  # outside a window closeness falls to 0 over this multiple of its slack

# days in each unit, and the vagueness of "n units ago" in days
_UNITS = {"day": (1.0, 1.0), "week": (7.0, 3.0), "month": (30.4, 10.0), "year": (365.25, 45.0)}

_AMOUNTS = COUNTS | {"several": 4}
# first and last month, in the northern hemisphere
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11), "winter": (12, 2)}

_MONTH = rf"(?P<month>{MONTH})\b\.?"
_YEAR = r"(?:,? (?P<year>(?:19|20)\d\d))"
_ISO = re.compile(r"\b(?P<year>(?:19|20)\d\d)-(?P<number>\d\d)(?:-(?P<day>\d\d))?\b")
_DAY_FIRST = re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of)? {_MONTH}{_YEAR}?")
_MONTH_FIRST = re.compile(rf"\b{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d){_YEAR}?")
_IN_MONTH = re.compile(rf"\b(?:(?P<before>in|during|of|since|last|by|early|late|mid|this) )?{_MONTH}{_YEAR}?")
# months that are also other words or names: they need a word before or a year after
_ALSO_WORDS = frozenset({"may", "mar", "march", "sep", "dec", "jan", "jun"})

_IN_YEAR = re.compile(r"\b(?:in|during|of|since|back in) (?P<year>(?:19|20)\d\d)\b")
_SEASON = re.compile(
    rf"\b(?:(?P<which>last|this|in|in the|during|over the) )(?P<season>{'|'.join(_SEASONS)})(?: of)?{_YEAR}?\b"
)
_AMOUNT = rf"(?:a )?(?P<amount>\d+|{'|'.join(_AMOUNTS)})(?: of)?"
_AGO = re.compile(rf"\b{_AMOUNT} (?P<unit>day|week|month|year)s? (?:ago|back|earlier)\b")
_PAST = re.compile(rf"\b(?:past|last|previous)(?: {_AMOUNT})? (?P<unit>day|week|month|year|weekend)s?\b")
_THIS = re.compile(r"\bthis (?P<unit>week|month|year)\b")
_DAY_BEFORE = re.compile(r"\b(?P<before>the day before )?(?P<word>yesterday|today|this morning|tonight|last night)\b")
_WEEKDAY = re.compile(rf"\b(?:last|on|this) (?P<day>{'|'.join(WEEKDAYS)})\b")


_MONTH_ABROAD = re.compile(
    r"(?:\b(?P<day>\d{1,2})(?:er|º)? (?:de )?|\b(?:en|em|in|de|di|du|do|d'|a|à|fin|fim|fine) ?)"
    r"(?P<month>[^\W\d]{3,9})\b(?: (?:de )?(?P<year>(?:19|20)\d\d))?"
)
_ABROAD = ("fr", "it", "pt")
_CHINESE_MONTH = re.compile(r"(?:(?P<year>(?:19|20)\d\d)年)?(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})[日号])?")


@dataclass(frozen=True)
class DateWindow:
    """A stretch of time that a question means, with `slack_days` on both sides."""

    start: datetime
    end: datetime
    slack_days: float

    def closeness(self, at: datetime) -> float:
        """Return 1 inside, falling to 0 at three times the slack (at least a day)."""
        gap = max((self.start - at).total_seconds(), (at - self.end).total_seconds(), 0.0) / 86400
        return max(0.0, 1.0 - gap / max(FALL * self.slack_days, 1.0))


def windows(question: str, now: datetime) -> tuple[DateWindow, ...]:
    """Return the windows a question names, seen from `now` (aware, in the asker's zone)."""
    words = question.lower()
    all_windows = (*_calendar(words, now), *_relative(words, now))
    return all_windows or tuple(_elsewhere(question, now)) or tuple(_find_abroad(words, now))


def closeness(named_windows: tuple[DateWindow, ...], at: datetime) -> float:
    """Return how well a moment fits the best window, in [0, 1]."""
    return max((window.closeness(at) for window in named_windows), default=0.0)


def _calendar(words: str, now: datetime) -> list[DateWindow]:
    """Return named days, months, seasons and years; without a year the latest not in the future."""
    days: list[DateWindow] = []
    taken: list[tuple[int, int]] = []
    for match in [*_ISO.finditer(words), *_DAY_FIRST.finditer(words), *_MONTH_FIRST.finditer(words)]:
        month = int(match["number"]) if match.re is _ISO else month_number(match["month"])
        taken.append(match.span())
        window = _of_calendar(match["year"], month, match["day"], now)
        if window is not None:
            days.append(window)
    for match in _IN_MONTH.finditer(words):
        bare = match["before"] is None and match["year"] is None
        if (bare and match["month"] in _ALSO_WORDS) or any(
            start < match.end() and match.start() < end for start, end in taken
        ):
            continue
        window = _of_calendar(match["year"], month_number(match["month"]), None, now)
        if window is not None:
            days.append(window)
    days += [_of_season(match["season"], match["year"], now) for match in _SEASON.finditer(words)]
    if not days:
        years = [int(match["year"]) for match in _IN_YEAR.finditer(words)]
        days = [_window(date(year, 1, 1), date(year + 1, 1, 1), 0.0, now) for year in years]
    return days


def _relative(words: str, now: datetime) -> list[DateWindow]:
    """Return windows counted back from today."""
    today = now.date()
    found: list[DateWindow] = []
    for match in _AGO.finditer(words):
        days, slack = _UNITS[match["unit"]]
        day = _back(today, _amount(match["amount"]) * days)
        found.append(_window(day, day + timedelta(days=1), slack, now))
    for match in _PAST.finditer(words):
        found.append(_past(match["amount"], match["unit"], today, now))
    for match in _THIS.finditer(words):
        first = {"week": today - timedelta(days=today.weekday()), "month": today.replace(day=1)}.get(match["unit"])
        found.append(_window(first or today.replace(month=1, day=1), today + timedelta(days=1), 1.0, now))
    for match in _DAY_BEFORE.finditer(words):
        back = {"yesterday": 1, "last night": 1}.get(match["word"], 0) + (1 if match["before"] else 0)
        day = today - timedelta(days=back)
        found.append(_window(day, day + timedelta(days=1), 1.0 if back else 0.3, now))
    for match in _WEEKDAY.finditer(words):
        day = today - timedelta(days=(today.weekday() - weekday_number(match["day"])) % 7 or 7)
        found.append(_window(day, day + timedelta(days=1), 1.0, now))
    return found


def _elsewhere(question: str, now: datetime) -> list[DateWindow]:
    """Return windows named in another language than English."""
    days = []
    for stretch in past_stretches.read(question, now.date()).stretches:
        vague = _UNITS[stretch.unit][1] if stretch.counted and stretch.unit in _UNITS else _SLACKS[stretch.unit]
        end = (
            min(stretch.end, now.date() + timedelta(days=1))
            if stretch.lead != "since"
            else now.date() + timedelta(days=1)
        )
        days.append(_window(stretch.start, end, vague, now))
    return days


def _find_abroad(words: str, now: datetime) -> list[DateWindow]:
    """Return windows in languages without date tables, by names of months, and in Chinese."""
    days = _relative(
        " ".join(english for word, english in exact_days.list_chinese_days().items() if word in words), now
    )
    for match in (*_MONTH_ABROAD.finditer(words), *_CHINESE_MONTH.finditer(words)):
        month = _month_of(match["month"])
        window = None if month is None else _of_calendar(match["year"], month, match["day"], now)
        if window is not None:
            days.append(window)
    return days


def _month_of(word: str) -> int | None:
    """Return a month's number from its French, Italian or Portuguese name, or digits."""
    if word.isdigit():
        return int(word) if 1 <= int(word) <= 12 else None
    return next((month for tongue in _ABROAD if (month := value_in(word, tongue, "M")) is not None), None)


_SLACKS = {"day": 1.0, "week": 3.0, "month": SLACK_OF_MONTH, "season": SLACK_OF_SEASON, "year": 0.0}


def _past(amount: str | None, unit: str, today: date, now: datetime) -> DateWindow:
    """Return the window of "last month" (roughly), or of "the past two months" (to today)."""
    if unit == "weekend":
        saturday = today - timedelta(days=(today.weekday() - 5) % 7 or 7)
        return _window(saturday, saturday + timedelta(days=2), 1.0, now)
    days, _slack = _UNITS[unit]
    reach = _amount(amount) * days if amount else 2 * days
    return _window(_back(today, reach), today + timedelta(days=1), 2.0, now)


def _of_calendar(year: str | None, month: int, day: str | None, now: datetime) -> DateWindow | None:
    """Return the window of a day or month; None if there is no such day."""
    for candidate in [int(year)] if year else [now.year, now.year - 1]:
        try:
            first = date(candidate, month, int(day) if day else 1)
        except ValueError:
            continue
        if day:
            window = _window(first, first + timedelta(days=1), SLACK_OF_DAY, now)
        else:
            after = date(candidate + (month == 12), month % 12 + 1, 1)
            window = _window(first, after, SLACK_OF_MONTH, now)
        if year or window.start <= now:
            return window
    return None


def _of_season(season: str, year: str | None, now: datetime) -> DateWindow:
    first, last = _SEASONS[season]
    candidate = int(year) if year else now.year
    start = date(candidate, first, 1)
    if not year and start > now.date():
        start = date(candidate - 1, first, 1)
    end_year = start.year + (1 if last < first else 0)
    return _window(start, date(end_year, last + 1, 1), SLACK_OF_SEASON, now)


def _back(today: date, days: float) -> date:
    return today - timedelta(days=min(round(days), (today - date.min).days))


def _amount(word: str | None) -> int:
    if word is None:
        return 1
    number = numbers.row(word)
    return _AMOUNTS[word] if number is None else min(number, 10_000)


def _window(start: date, end: date, slack: float, now: datetime) -> DateWindow:
    def midnight(day: date) -> datetime:
        return datetime.combine(day, time(), now.tzinfo)

    return DateWindow(midnight(start), midnight(end), slack)
