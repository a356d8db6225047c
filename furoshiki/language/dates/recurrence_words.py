"""Describe an RRULE in words: "every Monday at 09:00"."""

import re
from datetime import UTC, datetime, tzinfo
from itertools import product, starmap

from cronsim import CronSim

from furoshiki.core.catalogue import ENGLISH, get_language, later, say, say_number
from furoshiki.language.dates.recurrence import list_left_out
from furoshiki.language.dates.repeats import FREQUENCIES
from furoshiki.language.humanize import date, join_items
from furoshiki.language.tables.calendar_names import MONTHS, WEEKDAYS
from furoshiki.language.tables.numbers import ORDINALS

_DAYS = {day[:2].upper(): day.capitalize() for day in WEEKDAYS}
_UNITS = dict(zip(FREQUENCIES.values(), FREQUENCIES, strict=True))
_ANY_DAY = datetime(2026, 1, 1, tzinfo=UTC)
_MOST_TIMES = 8
_NTH = {-1: "last"} | dict(enumerate(ORDINALS[:5], start=1))


def add_rhythm(when: str, rule: str | None, at: datetime, zone: tzinfo) -> str:
    """Add to the words for a time how often it comes again, if it does."""
    return f"{when}, {often(rule, at.astimezone(zone))}" if rule else when


def often(rule: str, at: datetime | None) -> str:
    """Describe an RRULE made by this program; `at` (in the user's zone) is one of its times: days
    left out after it are named."""
    rhythm, days = _often(rule, at), []
    for day in list_left_out(rule):
        if at is None or day > at.date():
            days.append(date(day, with_year=False))
    if not days:
        return rhythm
    return say("{often}, but not on {days}", often=rhythm, days=join_items(days))


def cron_often(expression: str) -> str:
    """Describe a cron expression that names a few times of every day; others are returned as they are."""
    slots = CronSim(expression, _ANY_DAY)
    if expression.split()[2:] != ["*", "*", "*"] or len(slots.hours) * len(slots.minutes) > _MOST_TIMES:
        return expression
    hours, minutes = (",".join(map(str, sorted(each))) for each in (slots.hours, slots.minutes))
    return often(f"FREQ=DAILY;BYHOUR={hours};BYMINUTE={minutes}", _ANY_DAY)


def _often(rule: str, at: datetime | None) -> str:
    parts = dict(part.split("=", 1) for part in rule.upper().removeprefix("RRULE:").split(";") if "=" in part)
    if get_language() != ENGLISH:
        return _often_elsewhere(parts, at)
    unit = _UNITS.get(parts.get("FREQ", ""), "time")
    count = int(parts.get("INTERVAL", "1"))
    clock = f" at {_say_times(parts, at)}" if at and unit not in ("minute", "hour") else ""
    every = {1: f"every {unit}", 2: f"every other {unit}"}.get(count, f"every {count} {unit}s")
    every = f"every {count} {unit}s" if unit in ("minute", "hour") and count > 1 else every
    return f"{_on_days(parts, unit, count, every)}{clock}{_ends(parts)}"


def _often_elsewhere(parts: dict[str, str], at: datetime | None) -> str:
    unit, count = parts.get("FREQ", ""), int(parts.get("INTERVAL", "1"))
    if unit not in _EVERY:
        return say("again and again")
    every = _say_every(unit, count)
    days, numbers = (parts.get(one, "").split(",") for one in ("BYDAY", "BYMONTHDAY"))
    if days == list(_DAYS_EVERY)[:5] and count == 1:
        every = say("every weekday")
    elif _DAYS_EVERY.keys() >= set(days) and count == 1:
        every = join_items(list(map(say, map(_DAYS_EVERY.__getitem__, days))))
    elif days != [""]:
        every = say("{every} ({days})", every=every, days=join_items(list(map(_say_day, days))))
    elif unit == "YEARLY" and at and "BYMONTH" in parts:
        every = say("{every} ({days})", every=every, days=date(at, with_year=False))
    elif numbers != [""]:
        every = say("{every} ({days})", every=every, days=join_items(list(map(_say_day_of_month, numbers))))
    if at and unit not in ("MINUTELY", "HOURLY"):
        every = say("{every} at {time}", every=every, time=_say_times(parts, at))
    return _say_end(every, parts)


def _say_times(parts: dict[str, str], at: datetime) -> str:
    """Return the times of day of a rule; that of `at` where it names none."""
    hours, minutes = parts.get("BYHOUR", str(at.hour)), parts.get("BYMINUTE", str(at.minute))
    every = product(map(int, hours.split(",")), map(int, minutes.split(",")))
    return join_items(list(starmap("{:02}:{:02}".format, sorted(every))))


def _say_every(unit: str, count: int) -> str:
    if count == 1:
        return say(_EVERY[unit])
    match unit:
        case "MINUTELY":
            return say_number("every {number} minute", "every {number} minutes", count)
        case "HOURLY":
            return say_number("every {number} hour", "every {number} hours", count)
        case "DAILY":
            return say_number("every {number} day", "every {number} days", count)
        case "WEEKLY":
            return say_number("every {number} week", "every {number} weeks", count)
        case "MONTHLY":
            return say_number("every {number} month", "every {number} months", count)
    return say_number("every {number} year", "every {number} years", count)


def _say_day(day: str) -> str:
    name = say(_DAYS.get(day[-2:], ""))
    match day[:-2]:
        case "":
            return name
        case "-1":
            return say("the last {weekday}", weekday=name)
    return say("{weekday} no. {number}", weekday=name, number=day[:-2])


def _say_day_of_month(number: str) -> str:
    if number == "-1":
        return say("on the last day")
    return say("on day {number} of the month", number=number)


def _say_end(often: str, parts: dict[str, str]) -> str:
    if parts.get("COUNT", "").isdigit():
        often = say_number("{often}, once", "{often}, {number} times", int(parts["COUNT"]), often=often)
    if "UNTIL" in parts:
        last = datetime.strptime(parts["UNTIL"][:8], "%Y%m%d").replace(tzinfo=UTC)
        often = say("{often}, until {day}", often=often, day=date(last, with_year=True))
    return often


_DAYS_EVERY = {day[:2].upper(): f"every {day.capitalize()}" for day in WEEKDAYS}
_EVERY = {
    "MINUTELY": later("every minute"),
    "HOURLY": later("every hour"),
    "DAILY": later("every day"),
    "WEEKLY": later("every week"),
    "MONTHLY": later("every month"),
    "YEARLY": later("every year"),
}


def _ends(parts: dict[str, str]) -> str:
    """Describe the end: ", until 31 May 2026", ", 3 times"."""
    words = ""
    if parts.get("COUNT", "").isdigit():
        words += ", once" if parts["COUNT"] == "1" else f", {parts['COUNT']} times"
    last = re.match(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d))?", parts.get("UNTIL", ""))
    if last is not None:
        clock = f" at {last[4]}:{last[5]}" if last[4] else ""
        words += f", until {int(last[3])} {MONTHS[int(last[2]) - 1].capitalize()} {last[1]}{clock}"
    return words


def _on_days(parts: dict[str, str], unit: str, count: int, every: str) -> str:
    places = [re.fullmatch(r"(-?\d)?([A-Z]{2})", part) for part in parts.get("BYDAY", "").split(",") if part]
    days = [(int(place[1] or 0), _DAYS[place[2]]) for place in places if place and place[2] in _DAYS]
    names = [day for _, day in days]
    if unit == "week" and names == list(_DAYS.values())[:5] and count == 1:
        return "every weekday"
    if days and days[0][0] in _NTH:
        return f"on the {join_items([f'{_NTH[nth]} {day}' for nth, day in days if nth in _NTH])} of {every}"
    if days:
        between = {1: "", 2: "other "}.get(count, f"{count} weeks on ")
        return f"every {between}{join_items(names)}"
    numbers = [int(number) for number in parts.get("BYMONTHDAY", "").split(",") if number.lstrip("-").isdigit()]
    if not numbers:
        return every
    if "BYMONTH" in parts and parts["BYMONTH"].isdigit():
        return f"every {numbers[0]} {MONTHS[int(parts['BYMONTH']) - 1].capitalize()}"
    return f"on the {join_items([_ordinal(number) for number in numbers])} of {every}"


def _ordinal(number: int) -> str:
    if number == -1:
        return "last day"
    ending = "th" if 10 < number < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
