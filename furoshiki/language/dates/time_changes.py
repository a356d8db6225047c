"""Change a time: "to 6pm" keeps the day, "to Friday" the time of day, "by an hour" shifts both.

Times given alone, to a command or a skill, are read here too.
"""

import re
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

from furoshiki.core.timestamps import later, parse
from furoshiki.language.dates import parsing
from furoshiki.language.dates.chinese import put_into_english
from furoshiki.language.dates.habits import ENGLISH, Habits
from furoshiki.language.dates.parsing import Unclear, When
from furoshiki.language.dates.time_of_day import unit_of
from furoshiki.language.dates.tokens import AT, MONTH, number_in, tokens
from furoshiki.language.dates.values import BYDAY
from furoshiki.language.tables.numbers import COUNT, amount_of
from furoshiki.language.word_tables import texts

_UNIT = r"(?:(?:second|sec|minute|min|hour|hr|day|week)s?)"
_BY = re.compile(
    rf"^\s{{0,9}}(?:by |back |forward |ahead |on |up |for |another ){{0,3}}(?P<half>half an? )?"
    rf"(?P<count>{COUNT}(?:\.5)?)? ?(?P<more>more )?(?P<unit>{_UNIT})\b"
    r"(?P<way> earlier| sooner| later| back| forward| before| on| more)?",
    re.IGNORECASE,
)
_EARLIER = re.compile(r"\b(?:earlier|sooner|before|forward|ahead|up)\b", re.IGNORECASE)
_TO = re.compile(r"^\W{0,3}(?:to|auf|на) ", re.IGNORECASE)
_TURKISH_TO = re.compile(r"['’]?[yn]?[ae]$", re.IGNORECASE)
# the old time, named before the new one
_FROM = re.compile(
    r"^\W{0,3}(?:from .{1,30}? to|von .{1,30}? auf|de(?: las?)? .{1,30}? (?=a las? )|с .{1,30}? на) ", re.IGNORECASE
)

_HALF_PAST = re.compile("|".join(texts("move", "half").values()), re.IGNORECASE)
_BEFORE_MONTH = "i@"  # kinds of tokens before a month: "in", "в"

CLEARLY_NEARER = 120  # minutes by which one half of the day must be nearer to the old time

_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_DAYS = {"day": 1, "week": 7}


def move_time(text: str, since: datetime, now: datetime, habits: Habits = ENGLISH) -> When | Unclear | None:
    """Return the new time of an item due at `since`, seen from `now` (aware, user's zone)."""
    by = _shift_time(text, since)
    if by is not None:
        return replace(by, past=by.at <= now)
    if (month := find_month(text, since, now)) is not None:
        return month
    text = _complete_hour(_FROM.sub("", text), habits)
    when = parsing.parse_when(text, now, habits)
    likely = when.halves[-1] if isinstance(when, Unclear) and when.halves else when
    if not isinstance(likely, When) or likely.rule:
        return when
    if likely is when and (there := _keep_month(text, likely, since, now, habits)) is not None:
        when = likely = there
    if likely.either and (same_half := _same_half(likely, since, now)) is not None:
        return same_half
    if not isinstance(when, When):
        return when
    if not when.timed and when.dated and not when.past:
        at = parsing.moment(when.at.date(), since.timetz().replace(tzinfo=None), now)
        if at <= now:  # today's weekday with a past hour means next week
            tomorrow = parsing.moment(now.date() + timedelta(days=1), time(), now)
            next_one = parsing.parse_when(text, tomorrow, habits)
            if isinstance(next_one, When) and next_one.at.date() - at.date() == timedelta(days=7):
                at = parsing.moment(next_one.at.date(), at.timetz().replace(tzinfo=None), now)
        return replace(when, at=at, timed=True, past=at <= now)
    if when.dated:
        return when
    midnight = parsing.moment(since.date(), time(), now) - timedelta(seconds=1)
    that_day = parsing.parse_when(text, max(midnight, now), habits)
    return that_day if isinstance(that_day, When) else when


def find_month(text: str, since: datetime, now: datetime) -> When | None:
    """Return the day and hour of `since` in the month that is all a text names ("in february"), or its half hour ("half
    past")."""
    if _HALF_PAST.fullmatch(text.strip(" .!。")):
        at = parsing.moment(since.date(), since.time().replace(minute=30), now)
        return When(at, 0, len(text), past=at <= now, spans=((0, len(text)),))
    chinese = put_into_english(text)
    if chinese is not None and sum(end - start for start, end in chinese.spans) == len(text):
        text = chinese.words
    for tongue in AT:
        words = tokens(text, tongue)
        months = [token.value for token in words if token.kind == MONTH]
        if len(months) == 1 and all(token.kind in (MONTH, *_BEFORE_MONTH) for token in words):
            year = now.year + (months[0] < now.month)
            try:
                at = parsing.moment(date(year, months[0], since.day), since.time(), now)
            except ValueError:  # no 31st
                return None
            return When(at, 0, len(text), timed=True, past=at <= now, dated=True, spans=((0, len(text)),))
    return None


def _keep_month(text: str, when: When, since: datetime, now: datetime, habits: Habits) -> When | None:
    """Return a day of the month alone in the month of the old time, if it is to come: "the 14th"."""
    if not when.dated or str(when.at.day) not in re.findall(r"\d+", text):
        return None
    first = since.date().replace(day=1)
    start = parsing.moment(first, time(), now) - timedelta(seconds=1)
    there = parsing.parse_when(text, start, habits)
    after = parsing.parse_when(text, start + timedelta(days=32), habits)
    if not isinstance(there, When) or not isinstance(after, When) or there.at.day != when.at.day:
        return None
    same = there.at.month == since.month != after.at.month  # else the month is named
    return replace(there, past=False) if same and there.at > now else None


def fit_rule(rule: str, at: datetime) -> str | None:
    """Adapt a rule to a new first time (in the user's zone): the weekday of a weekly one, the
    day of a monthly one. None for a rule with several days, unless the new time is on one."""
    parts = dict(part.split("=", 1) for part in rule.removeprefix("RRULE:").split(";") if "=" in part)
    day, number = BYDAY[at.weekday()], str(at.day)
    if "BYDAY" in parts and day not in parts["BYDAY"].split(","):
        if parts["FREQ"] != "WEEKLY" or "," in parts["BYDAY"]:
            return None
        parts["BYDAY"] = day
    elif "BYMONTHDAY" in parts and number not in parts["BYMONTHDAY"].split(","):
        if parts["FREQ"] != "MONTHLY" or "," in parts["BYMONTHDAY"]:
            return None
        parts["BYMONTHDAY"] = number
    return ";".join(f"{name}={value}" for name, value in parts.items())


def _complete_hour(text: str, habits: Habits) -> str:
    """Turn a bare number into an hour: "seven" is "at seven"."""
    word = _TO.sub("", text).strip(" .!")
    for tongue in dict.fromkeys((*habits.tongues, *AT)):
        bare = _TURKISH_TO.sub("", word) if tongue == "tr" else word
        if number_in(bare, tongue) is not None:
            return f"{AT[tongue]} {bare}"
    return text


def _same_half(when: When, since: datetime, now: datetime) -> When | None:
    """Return the hour in the half of the day of the old time; None if both are as far."""
    day = (when.at if when.dated else since).date()
    both = [parsing.moment(day, when.at.replace(hour=(when.at.hour + more) % 24).time(), now) for more in (0, 12)]
    near, far = sorted(both, key=lambda at: abs(_minutes(at) - _minutes(since)))
    if near <= now < far and not when.dated:
        near = far
    elif near <= now or abs(_minutes(far) - _minutes(since)) - abs(_minutes(near) - _minutes(since)) < CLEARLY_NEARER:
        return None
    return replace(when, at=near, other=None, past=False)


def _minutes(at: datetime) -> int:
    return at.hour * 60 + at.minute


def _shift_time(text: str, since: datetime) -> When | None:
    match = _BY.match(text)
    if match is None or not (
        match["way"] or re.match(r"\s{0,9}(?:by|back|forward|another|for)\b", text, re.IGNORECASE)
    ):
        return None
    count = amount_of(match["count"]) if match["count"] else 1.0
    count = 0.5 if match["half"] else count
    unit = unit_of(match["unit"])
    sign = -1 if _EARLIER.search(text) else 1
    if unit in _SECONDS:
        at = later(since, timedelta(seconds=sign * count * _SECONDS[unit])).astimezone(since.tzinfo)
    elif unit in _DAYS and count == int(count):
        wall = since.replace(tzinfo=None) + timedelta(days=sign * int(count) * _DAYS[unit])
        at = parsing.moment(wall.date(), wall.time(), since)
    else:
        return None
    return When(at, match.start(), match.end(), spans=((match.start(), match.end()),))


def parse_time(
    text: str, now: datetime, habits: Habits, since: datetime | None = None, deed: str = ""
) -> When | Unclear | None:
    """Return the moment (or repetition) meant, seen from `now` (aware, in the user's zone, which
    applies to ISO times without one). `since` is the old time: "6pm" is on that day; `deed` is
    the task. None if no time is named."""
    try:
        at = parse(text, now.tzinfo or UTC).astimezone(now.tzinfo)
    except ValueError:
        if since is None:
            return parsing.parse_when(text, now, habits, deed)
        return move_time(text, since, now, habits)
    return When(at, 0, len(text), past=at <= now, spans=((0, len(text)),))


def spell_hour(words: str) -> str:
    """Complete a bare number: "11" is "at 11", "645" "at 6:45", "10th" "the 10th"."""
    bare = words.removeprefix("at ").strip()
    if _NTH.fullmatch(bare):
        return f"the {bare}"
    clock = _CLOCK.fullmatch(bare)
    return words if clock is None else ":".join(filter(None, (f"at {clock['hour']}", clock["minutes"])))


_NTH = re.compile(r"\d{1,2}(?:st|nd|rd|th)", re.IGNORECASE)
_CLOCK = re.compile(r"(?P<hour>\d{1,2}?)(?P<minutes>[0-5]\d)?")
