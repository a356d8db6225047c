"""Describe an RRULE in words: "every Monday at 09:00"."""

import re
from datetime import datetime

from furoshiki.core.catalogue import ENGLISH, get_language, later, say
from furoshiki.language.humanize import join_items
from furoshiki.language.tables.calendar_names import MONTHS, WEEKDAYS
from furoshiki.language.tables.numbers import ORDINALS

_DAYS = {day[:2].upper(): day.capitalize() for day in WEEKDAYS}
_UNITS = {
    "MINUTELY": "minute",
    "HOURLY": "hour",
    "DAILY": "day",
    "WEEKLY": "week",
    "MONTHLY": "month",
    "YEARLY": "year",
}
_NTH = {-1: "last"} | dict(enumerate(ORDINALS[:5], start=1))


def often(rule: str, at: datetime | None) -> str:
    """Describe an RRULE made by this program; `at` (in the user's zone) is one of its times. In
    other languages, rules beyond days of the week become "again and again"."""
    parts = dict(part.split("=", 1) for part in rule.upper().removeprefix("RRULE:").split(";") if "=" in part)
    if get_language() != ENGLISH:
        return _often_elsewhere(parts, at)
    unit = _UNITS.get(parts.get("FREQ", ""), "time")
    count = int(parts.get("INTERVAL", "1"))
    clock = f" at {at.strftime('%H:%M')}" if at and unit not in ("minute", "hour") else ""
    every = {1: f"every {unit}", 2: f"every other {unit}"}.get(count, f"every {count} {unit}s")
    every = f"every {count} {unit}s" if unit in ("minute", "hour") and count > 1 else every
    return f"{_on_days(parts, unit, count, every)}{clock}{_ends(parts)}"


def _often_elsewhere(parts: dict[str, str], at: datetime | None) -> str:
    unit = parts.get("FREQ", "")
    days = [day for day in parts.get("BYDAY", "").split(",") if day]
    if parts.get("INTERVAL", "1") != "1" or unit not in _EVERY or (days and not all(day in _EVERY for day in days)):
        return say("again and again")
    every = join_items([say(_EVERY[day]) for day in days]) if days else say(_EVERY[unit])
    return say("{every} at {time}", every=every, time=at.strftime("%H:%M")) if at else every


_EVERY = {
    "DAILY": later("every day"),
    "WEEKLY": later("every week"),
    "MONTHLY": later("every month"),
    "YEARLY": later("every year"),
    **{day[:2].upper(): f"every {day.capitalize()}" for day in WEEKDAYS},
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
        between = "" if count == 1 else "other " if count == 2 else f"{count} weeks on "
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
