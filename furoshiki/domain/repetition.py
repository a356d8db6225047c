"""What repeats: "every Monday" as an RRULE (RFC 5545), and the first day it falls on."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from furoshiki.domain import time_words as spoken

BYDAY = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_FURTHEST_DAYS = 366 * 8  # 29 February may be eight years off


@dataclass(frozen=True, slots=True)
class Repetition:
    """A repetition as said: its RRULE, where it stands, the part of the day it named, and (for minutes and hours, which
    count from now) how long until the first time."""

    rule: str
    start: int
    end: int
    part: str | None = None
    first_after: timedelta | None = None


_PLURAL = rf"(?:{'|'.join(day + 's' for day in spoken.WEEKDAYS)})"
_EVERY = re.compile(
    rf"\b(?:every|each)\s+(?P<other>other\s+|second\s+)?(?:"
    rf"(?P<days>{spoken.WEEKDAY}s?(?:\s*(?:,|and|&|,\s*and)\s*{spoken.WEEKDAY}s?)*)(?:\s+(?P<dpart>{spoken.PART}))?"
    rf"|(?P<weekdays>week\s?days?|working\s+days?|work\s?days?)|(?P<weekends>weekends?)"
    rf"|(?P<n>{spoken.NUMBER})\s+(?P<nunit>minutes?|hours?|days?|weeks?|months?|years?)"
    rf"|(?P<unit>minute|hour|day|week|month|year)|(?P<part>{spoken.PART})"
    rf"|(?P<month>{spoken.MONTH})\s+(?P<mday>\d{{1,2}})(?:st|nd|rd|th)?"
    rf"|(?P<nthday>\d{{1,2}})(?:st|nd|rd|th)(?:\s+of\s+(?:the|each|every)\s+month)?)\b"
    rf"|\b(?P<adverb>daily|weekly|monthly|yearly|annually|hourly|fortnightly)\b"
    rf"|\b(?P<plural>on\s+{_PLURAL}(?:\s+and\s+{_PLURAL})*)\b"
    rf"|\bon\s+(?P<onweekdays>weekdays)\b",
    re.IGNORECASE,
)
_ADVERBS = {
    "hourly": "FREQ=HOURLY",
    "daily": "FREQ=DAILY",
    "weekly": "FREQ=WEEKLY",
    "fortnightly": "FREQ=WEEKLY;INTERVAL=2",
    "monthly": "FREQ=MONTHLY",
    "yearly": "FREQ=YEARLY",
    "annually": "FREQ=YEARLY",
}
_FREQUENCY = {
    "minute": "MINUTELY",
    "hour": "HOURLY",
    "day": "DAILY",
    "week": "WEEKLY",
    "month": "MONTHLY",
    "year": "YEARLY",
}


def read(text: str) -> Repetition | None:
    """The first repetition named in the text."""
    match = _EVERY.search(text)
    if match is None:
        return None
    start, end = match.span()
    if match["days"] or match["plural"]:
        named = re.findall(spoken.WEEKDAY, match["days"] or match["plural"], re.IGNORECASE)
        days = sorted({spoken.weekday_number(word) for word in named})
        part = match["dpart"].lower() if match["dpart"] else None
        every = ";INTERVAL=2" if match["other"] else ""
        return Repetition(f"FREQ=WEEKLY{every};BYDAY={','.join(BYDAY[day] for day in days)}", start, end, part)
    if match["part"]:
        return Repetition("FREQ=DAILY", start, end, match["part"].lower())
    rule = _rule(match)
    first_after = _first_after(rule)
    return Repetition(rule, start, end, first_after=first_after) if rule else None


def anchored(rule: str, on: date) -> str:
    """The rule tied to a day that was named beside it: "every month" and "on the 1st"."""
    if rule.startswith("FREQ=WEEKLY") and "BYDAY" not in rule:
        return f"{rule};BYDAY={BYDAY[on.weekday()]}"
    if rule.startswith("FREQ=MONTHLY") and "BYMONTHDAY" not in rule:
        return f"{rule};BYMONTHDAY={on.day}"
    return rule


def first(rule: str, since: date, allowed: Callable[[date], bool]) -> date:
    """The first day from `since` on that fits the rule and is allowed. ValueError when none comes in eight years."""
    parts = dict(part.split("=") for part in rule.split(";"))
    for days in range(_FURTHEST_DAYS):
        day = since + timedelta(days=days)
        if _fits(parts, day) and allowed(day):
            return day
    raise ValueError(f"no day fits {rule}")


def _rule(match: re.Match[str]) -> str:
    if match["weekdays"] or match["onweekdays"]:
        return "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
    if match["weekends"]:
        return "FREQ=WEEKLY;BYDAY=SA,SU"
    if match["month"]:
        return f"FREQ=YEARLY;BYMONTH={spoken.month_number(match['month'])};BYMONTHDAY={int(match['mday'])}"
    if match["nthday"]:
        return f"FREQ=MONTHLY;BYMONTHDAY={int(match['nthday'])}"
    if match["adverb"]:
        return _ADVERBS[match["adverb"].lower()]
    amount = int(spoken.amount_of(match["n"])) if match["n"] else (2 if match["other"] else 1)
    if amount < 1:
        return ""
    unit = spoken.unit_of(match["nunit"] or match["unit"])
    return f"FREQ={_FREQUENCY[unit]}" + (f";INTERVAL={amount}" if amount > 1 else "")


def _first_after(rule: str) -> timedelta | None:
    parts = dict(part.split("=") for part in rule.split(";")) if rule else {}
    amount = int(parts.get("INTERVAL", "1"))
    each = {"MINUTELY": timedelta(minutes=1), "HOURLY": timedelta(hours=1)}.get(parts.get("FREQ", ""))
    return each * amount if each is not None else None


def _fits(parts: dict[str, str], day: date) -> bool:
    if "BYDAY" in parts and BYDAY[day.weekday()] not in parts["BYDAY"].split(","):
        return False
    if "BYMONTH" in parts and day.month != int(parts["BYMONTH"]):
        return False
    return "BYMONTHDAY" not in parts or day.day == int(parts["BYMONTHDAY"])
