"""Since or until when a stated fact holds: "since 2023", "until May", "three years ago".
Computed on the user's calendar. A month or day without a year is the last one that has begun;
future times are not times of stated facts."""

import contextlib
import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from furoshiki.core.timestamps import FIRST, clamp
from furoshiki.language.dates import time_of_day
from furoshiki.language.dates.parsing import moment
from furoshiki.language.dates.past import past_stretches
from furoshiki.language.dates.values import months_on
from furoshiki.language.tables.calendar_names import MONTH, WEEKDAY, month_number, weekday_number
from furoshiki.language.tables.numbers import COUNT, amount_of
from furoshiki.language.word_tables import by_language
from furoshiki.language.words import fold

_MONTH = rf"{MONTH}\.?"
_YEAR = r"(?:19|20)\d\d"
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_UNITS = r"(?:days?|weeks?|months?|years?)"
_SOME = rf"(?:{COUNT}|a\s+couple\s+of|a\s+few|several)"
_COUNTS = {"a couple of": 2.0, "a few": 3.0, "several": 4.0}

_STRETCH = rf"""
    (?P<ago>{_SOME})\s+(?P<units>{_UNITS})\s+ago
  | (?P<iso>{_YEAR}-\d\d-\d\d)
  | (?:the\s+)?(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m1>{_MONTH})\b(?:,?\s+(?P<y1>{_YEAR}))?
  | (?P<m2>{_MONTH})\s+(?:the\s+)?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<y2>{_YEAR}))?
  | (?:early\s+|late\s+|mid[- ]|the\s+(?:beginning|end|start|middle)\s+of\s+)?(?P<last>last\s+|this\s+)?
    (?:(?P<m3>{_MONTH})\b(?:,?\s+(?:of\s+)?(?P<y3>{_YEAR}))?
      |(?P<season>spring|summer|autumn|fall|winter)\b(?:\s+(?:of\s+)?(?P<y4>{_YEAR}))?
      |(?:the\s+year\s+)?(?P<y5>{_YEAR})\b)
  | (?P<rel>yesterday|today|last\s+(?:week|month|year|night)|this\s+(?:week|month|year|morning)
      |the\s+year\s+before\s+last|last\s+{WEEKDAY})
"""


def _compile_lead(lead: str) -> re.Pattern[str]:
    return re.compile(rf"\b{lead}(?:{_STRETCH})", re.IGNORECASE | re.VERBOSE)


_SINCE = _compile_lead(r"(?:ever\s+)?since\s+(?:about\s+|around\s+)?")
_UNTIL = _compile_lead(r"(?:until|till|up\s+to|up\s+until)\s+(?:about\s+|around\s+)?")
_FROM = _compile_lead(r"(?:from|between)\s+")
_TO = _compile_lead(r"(?:to|until|till|and|through)\s+")
_AT = _compile_lead(r"(?:in\s+|on\s+|back\s+in\s+|at\s+|during\s+|about\s+|around\s+|\s*)")
_FOR = re.compile(rf"\bfor\s+(?:about\s+|almost\s+|over\s+|nearly\s+)?(?P<much>{_SOME})\s+(?P<unit>{_UNITS})\b", re.I)
_WAYS = by_language("fact_times_beside")["en"]
_PERFECT = re.compile(_WAYS["perfect"], re.IGNORECASE)
_BECAME = re.compile(_WAYS["became"], re.IGNORECASE)


@dataclass(frozen=True)
class Times:
    """When a stated fact holds. `since` and `until` bound it (None: not stated); `at` is when it
    happened or, with `at_end`, the named stretch of time."""

    since: datetime | None = None
    until: datetime | None = None
    at: datetime | None = None
    at_end: datetime | None = None


UNSAID = Times()

LONGEST_SENTENCE = 2_000  # characters of a sentence in which times are searched


def read(sentence: str, now: datetime) -> Times:
    """Return the times in a sentence, seen from `now` (aware, in the user's zone); never future."""
    if now.tzinfo is None:
        raise ValueError("`now` must be aware, in the user's zone")
    sentence = sentence[:LONGEST_SENTENCE]
    both = _from_to(sentence, now)
    if both is not None:
        return both
    since, until, at = None, None, None
    if (match := _SINCE.search(sentence)) and (stretch := _stretch(match, now)):
        since = stretch[0]
    if (match := _UNTIL.search(sentence)) and (stretch := _stretch(match, now)):
        until = stretch[0]
    if since is None and until is None:
        for match in _AT.finditer(sentence):
            if not _is_a_word(match) and (at := _stretch(match, now)):
                break
    if since is None and at is None and (match := _FOR.search(sentence)) and _PERFECT.search(sentence):
        with contextlib.suppress(ValueError, OverflowError):  # more days than the calendar has
            since = clamp(_back(now, _count(match["much"]), time_of_day.unit_of(match["unit"]))).astimezone(now.tzinfo)
    if since is None and at is not None and _BECAME.search(sentence):
        since = at[0]
    if since is None and until is None and (times := _elsewhere(sentence, now)) != UNSAID:
        return times
    return Times(since, until, None if at is None else at[0], None if at is None else at[1])


def _elsewhere(sentence: str, now: datetime) -> Times:
    """Return the times of a sentence in another language than English."""
    past = past_stretches.read(sentence, now.date())
    first = {stretch.lead: stretch for stretch in reversed(past.stretches)}

    def begin(lead: past_stretches.Lead) -> datetime | None:
        return moment(first[lead].start, time(0), now) if lead in first else None

    since, until, at = begin("since"), begin("until"), begin("in")
    if since is not None or until is not None:
        return Times(since, until)
    at_end = moment(first["in"].end, time(0), now) if "in" in first else None
    return Times(at if past.became else None, None, at, at_end)


def _is_a_word(match: re.Match[str]) -> bool:
    """Return whether a bare month or season is another word: "I may", "leaves fall"."""
    return match.group().strip().lower() in ((match["m3"] or "").lower(), (match["season"] or "").lower())


def _from_to(sentence: str, now: datetime) -> Times | None:
    first = _FROM.search(sentence)
    if first is None:
        return None
    second = _TO.match(sentence, first.end() + len(sentence[first.end() :]) - len(sentence[first.end() :].lstrip()))
    begin = _stretch(first, now)
    end = _stretch(second, now) if second is not None else None
    if begin is None or end is None or end[0] < begin[0]:
        return None
    return Times(since=begin[0], until=end[0])


def _stretch(match: re.Match[str], now: datetime) -> tuple[datetime, datetime] | None:
    """Return the named stretch; None if it is no date or has not begun."""
    try:
        days = _days(match, now)
    except (ValueError, OverflowError):  # not in the calendar
        return None
    if days is None or days[0].year < FIRST.year:
        return None
    begin, end = (moment(day, time(0), now) for day in days)
    return (begin, end) if begin <= now else None


def _days(match: re.Match[str], now: datetime) -> tuple[date, date] | None:
    groups, today = match.groupdict(), now.date()
    if groups["ago"]:
        day = _back(now, _count(groups["ago"]), time_of_day.unit_of(groups["units"])).date()
        return day, day + timedelta(days=1)
    if groups["iso"]:
        day = date.fromisoformat(groups["iso"])
        return day, day + timedelta(days=1)
    if groups["d1"] or groups["d2"]:
        month = month_number(groups["m1"] or groups["m2"])
        number, year = int(groups["d1"] or groups["d2"]), groups["y1"] or groups["y2"]
        day = date(int(year) if year else today.year, month, number)
        if not year and day > today:
            day = date(today.year - 1, month, number)
        return day, day + timedelta(days=1)
    if groups["m3"]:
        return _month(month_number(groups["m3"]), groups["y3"], today, bool(groups["last"]))
    if groups["season"]:
        begin, _ = _month(_SEASONS[fold(groups["season"])], groups["y4"], today, bool(groups["last"]))
        return begin, months_on(begin, 3)
    if groups["y5"]:
        return date(int(groups["y5"]), 1, 1), date(int(groups["y5"]) + 1, 1, 1)
    return _relative(re.sub(r"\s+", " ", groups["rel"].lower()), today) if groups["rel"] else None


def _month(number: int, year: str | None, today: date, last: bool) -> tuple[date, date]:
    """Return a month; without a year the last begun ("last March", in March, is a year ago)."""
    begin = date(int(year) if year else today.year, number, 1)
    if not year and (begin > today or (last and begin.month == today.month)):
        begin = date(today.year - 1, number, 1)
    return begin, months_on(begin, 1)


def _relative(words: str, today: date) -> tuple[date, date]:
    monday = today - timedelta(days=today.weekday())
    match words:
        case "today" | "this morning":
            return today, today + timedelta(days=1)
        case "yesterday" | "last night":
            return today - timedelta(days=1), today
        case "this week":
            return monday, monday + timedelta(days=7)
        case "last week":
            return monday - timedelta(days=7), monday
        case "this month":
            return today.replace(day=1), months_on(today.replace(day=1), 1)
        case "last month":
            begin = months_on(today.replace(day=1), -1)
            return begin, today.replace(day=1)
        case "this year":
            return date(today.year, 1, 1), date(today.year + 1, 1, 1)
        case "last year":
            return date(today.year - 1, 1, 1), date(today.year, 1, 1)
        case "the year before last":
            return date(today.year - 2, 1, 1), date(today.year - 1, 1, 1)
    day = today - timedelta(days=(today.weekday() - weekday_number(words.split()[1])) % 7 or 7)
    return day, day + timedelta(days=1)


def _back(now: datetime, count: float, unit: str) -> datetime:
    """Return the day so long before now; months and years on the calendar."""
    if unit in ("day", "week"):
        day = now.date() - timedelta(days=count * (7 if unit == "week" else 1))
    else:
        first = months_on(now.date().replace(day=1), -int(count * (12 if unit == "year" else 1)))
        day = first.replace(day=min(now.day, 28))
    return moment(day, time(0), now)


def _count(words: str) -> float:
    plain = re.sub(r"\s+", " ", words.lower())
    return _COUNTS[plain] if plain in _COUNTS else amount_of(plain)
