"""Days on which what recurs is left out: "every day at 8 except sundays", "but not on the 7th".

The words that introduce them are `config/words`, "skip".
"""

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import cache

from furoshiki.language.dates import parsing, recurrence
from furoshiki.language.dates.booked import When
from furoshiki.language.dates.habits import Habits
from furoshiki.language.word_tables import by_language, pattern

_BYDAY = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_JOINT = re.compile(r",|、|和|\b(?:and|or|und|oder|y|e|et|и|ve)\b", re.IGNORECASE)


@dataclass(frozen=True)
class LeftOut:
    """Weekdays (0 is Monday) and single days without an occurrence."""

    weekdays: frozenset[int]
    days: frozenset[date]


def split(text: str, now: datetime, habits: Habits) -> tuple[str, LeftOut | None]:
    """Return a text without the days that it excepts, and these; None if it excepts none."""
    match = next(filter(None, (way.search(text) for way in _ways())), None)
    if match is None:
        return text, None
    weekdays, days = set[int](), set[date]()
    for part in filter(str.strip, _JOINT.split(match["days"])):
        when = parsing.parse_when(part.strip(), now, habits)
        if not isinstance(when, When) or not when.dated or when.timed:
            return text, None
        if when.rule or not any(map(str.isdecimal, part)):
            weekdays.add(when.at.weekday())
        else:
            days.add(when.at.date())
    rest = f"{text[: match.start()]} {text[match.end() :]}".strip()
    return rest, LeftOut(frozenset(weekdays), frozenset(days))


def apply(when: When, left_out: LeftOut, now: datetime) -> When | None:
    """Return a repetition without these days, or None if its rule cannot say so."""
    rule = _without_weekdays(when.rule or "", left_out.weekdays)
    if rule is None:
        return None
    for day in sorted(left_out.days):
        rule = recurrence.leave_out(rule, day, now.date())
    if when.at.weekday() not in left_out.weekdays and when.at.date() not in left_out.days:
        return replace(when, rule=rule)
    coming = recurrence.find_next(rule, when.at, when.at, when.at.tzinfo or UTC)
    if coming is None:
        return None
    return replace(when, rule=rule, at=coming.astimezone(when.at.tzinfo))


def _without_weekdays(rule: str, weekdays: frozenset[int]) -> str | None:
    if not rule or not weekdays:
        return rule or None
    rule = _DAILY.sub(f"FREQ=WEEKLY;BYDAY={','.join(_BYDAY)}", rule)
    weekly = _ON_DAYS.search(rule)
    if weekly is None or "FREQ=WEEKLY" not in rule:
        return None
    left = list(filter(lambda day: _BYDAY.index(day) not in weekdays, weekly["days"].split(",")))
    if not left:
        return None
    return f"{rule[: weekly.start('days')]}{','.join(left)}{rule[weekly.end('days') :]}"


_DAILY = re.compile(r"FREQ=DAILY(?!.{0,200}INTERVAL)")
_ON_DAYS = re.compile(r"\bBYDAY=(?P<days>(?:[A-Z]{2},){0,6}[A-Z]{2})\b")


@cache
def _ways() -> tuple[re.Pattern[str], ...]:
    patterns = []
    for ways in by_language("skip").values():
        for way in ways["but"]:
            patterns.append(re.compile(pattern(way, {"days": r"(?P<days>.{2,60}?)"}), re.IGNORECASE))
    return tuple(patterns)
