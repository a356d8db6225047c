"""When an English phrase means: "on Sunday at six", "in 20 minutes", "every Monday at 9".

Everything is worked out on the user's wall clock and turned into a moment of their zone last, so that "tomorrow at
nine" is nine whatever daylight saving does in between, and "in two hours" is two hours. A time that the spring change
skips becomes the same time on the other side; of a time that autumn repeats, the first is meant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from furoshiki.domain import repetition
from furoshiki.domain import time_words as spoken
from furoshiki.domain.time_words import Clock


@dataclass(frozen=True, slots=True)
class When:
    """A moment somebody named. text[start:end] is what they said.

    `at` is aware, in the zone of the `now` that was given. `rule` is the RRULE ("FREQ=WEEKLY;BYDAY=MO") of
    something that repeats, `at` being the first time. `timed` is False when only a day was named and nine in the
    morning is our guess. `past` when what they said lies before now and cannot be meant otherwise.
    """

    at: datetime
    start: int
    end: int
    rule: str | None = None
    timed: bool = True
    past: bool = False


class _Day(NamedTuple):
    """A day as said; `fixed` when moving it (to tomorrow, to next year) would not be what they meant."""

    on: date
    fixed: bool = True
    part: str | None = None


def read(text: str, now: datetime) -> When | None:
    """The first moment (or repetition) named in the text, seen from `now` (aware, in the user's zone)."""
    if now.tzinfo is None:
        raise ValueError("`now` must be aware, in the user's zone")
    return _repeating(text, now) or _after_a_while(text, now) or _on_a_day(text, now)


def moment(on: date, at: time, now: datetime) -> datetime:
    """That wall-clock time on that day in the zone of `now`; a time that daylight saving skips moves on by the gap."""
    naive = datetime.combine(on, at)
    aware = naive.replace(tzinfo=now.tzinfo)
    return aware.astimezone(UTC).astimezone(now.tzinfo)


# ---------------------------------------------------------------- "in 20 minutes"

_WHILE = re.compile(
    rf"\b(?:in|after)\s+(?:about\s+|around\s+)?(?:"
    rf"(?P<half>half\s+an\s+hour)|(?P<quarter>(?:a\s+)?quarter\s+of\s+an\s+hour|a\s+quarter\s+hour)"
    rf"|(?:a\s+(?=couple|few))?(?P<n>\d+[.,]\d+|{spoken.NUMBER})(?:\s+of)?(?P<and1>\s+and\s+a\s+half)?\s*(?P<unit>{spoken.UNIT}|m|h|d)\b"
    rf"(?P<and2>\s+and\s+a\s+half)?(?:\s+(?:and\s+)?(?P<n2>{spoken.NUMBER})\s*(?P<unit2>{spoken.UNIT}|m)\b)?)"
    rf"|\b(?P<nf>{spoken.NUMBER})\s+(?P<unitf>{spoken.UNIT})\s+from\s+now\b",
    re.IGNORECASE,
)


def _after_a_while(text: str, now: datetime) -> When | None:
    match = _WHILE.search(text)
    if match is None:
        return None
    start, end = match.span()
    if match["half"] or match["quarter"]:
        return When(_later(now, timedelta(minutes=30 if match["half"] else 15)), start, end)
    unit = spoken.unit_of(match["unit"] or match["unitf"])
    amount = spoken.amount_of(match["n"] or match["nf"])
    if match["and1"] or match["and2"]:
        amount += 0.5
    if unit in ("second", "minute", "hour"):
        span = _span(amount, unit)
        if match["n2"]:
            span += _span(spoken.amount_of(match["n2"]), spoken.unit_of(match["unit2"]))
        return When(_later(now, span), start, end)
    on = _days_later(now.date(), amount, unit)
    clock = spoken.clock_in(text, end) or spoken.clock_in(text[:start])
    if clock is not None:
        at = spoken.halves(clock, None)[0]
        return When(moment(on, at, now), min(start, clock.start), max(end, clock.end))
    return When(moment(on, now.time().replace(second=0, microsecond=0), now), start, end, timed=False)


def _later(now: datetime, span: timedelta) -> datetime:
    """Real time later, on the user's clock (adding to a local time would forget a change of daylight saving)."""
    return (now.astimezone(UTC) + span).astimezone(now.tzinfo)


def _span(amount: float, unit: str) -> timedelta:
    return {"second": timedelta(seconds=1), "minute": timedelta(minutes=1), "hour": timedelta(hours=1)}[unit] * amount


def _days_later(today: date, amount: float, unit: str) -> date:
    if unit == "day":
        return today + timedelta(days=round(amount))
    if unit == "week":
        return today + timedelta(days=round(7 * amount))
    months = round(amount * (12 if unit == "year" else 1))
    return _in_month(today.year, today.month + months, today.day)


def _in_month(year: int, month: int, day: int) -> date:
    """That day of a month counted on past December; the last day where the month is too short."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    for last in range(day, 27, -1):
        try:
            return date(year, month, last)
        except ValueError:
            continue
    return date(year, month, min(day, 28))


# ---------------------------------------------------------------- every Monday


def _repeating(text: str, now: datetime) -> When | None:
    found = repetition.read(text)
    if found is None:
        return None
    rest = text[: found.start] + " " * (found.end - found.start) + text[found.end :]
    clock, part = spoken.clock_in(rest), spoken.part_in(rest)
    day = _DAY.search(rest)
    on = _day(day, now.date()) if day is not None else None
    stretches = [(found.start, found.end)]
    stretches += [(clock.start, clock.end)] if clock else []
    stretches += [part[1:]] if part else []
    stretches += [day.span()] if day is not None and on is not None else []
    start, end = min(s for s, _ in stretches), max(e for _, e in stretches)
    if found.first_after is not None:
        return When(_later(now, found.first_after), start, end, rule=found.rule)
    named = found.part or (part[0] if part else None)
    at = spoken.halves(clock, named)[0] if clock else spoken.PARTS[named] if named else spoken.NO_TIME_SAID
    rule = repetition.anchored(found.rule, on.on) if on is not None else found.rule
    first = repetition.first(rule, on.on if on is not None else now.date(), lambda day: moment(day, at, now) > now)
    return When(moment(first, at, now), start, end, rule=rule, timed=clock is not None or named is not None)


# ---------------------------------------------------------------- a day

_NAMED = rf"(?:{spoken.WEEKDAY}\s*,?\s+)?"
"""The weekday said beside a date: "Friday 15 May", "on Friday, the 15th". The date is what counts."""

_DAY = re.compile(
    rf"\b(?P<after>(?:the\s+)?day\s+after\s+tomorrow)\b|\b(?P<rel>today|tomorrow|tomorow|tmrw|tonight|yesterday)\b(?:\s+(?P<relpart>{spoken.PART}))?"
    rf"|\b(?P<this>this)\s+(?P<thispart>morning|afternoon|evening)\b"
    rf"|\b(?P<year>\d{{4}})-(?P<mon>\d\d)-(?P<dom>\d\d)\b"
    rf"|\b(?:on\s+)?{_NAMED}(?:the\s+)?(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m1>{spoken.MONTH})\b(?:,?\s+(?P<y1>\d{{4}}))?"
    rf"|\b(?:on\s+)?{_NAMED}(?P<m2>{spoken.MONTH})\s+(?:the\s+)?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,?\s+(?P<y2>\d{{4}}))?"
    rf"|\b(?P<d3>\d{{1,2}})[./](?P<m3>\d{{1,2}})[./](?P<y3>\d{{4}})\b"
    rf"|\b(?:on\s+|by\s+)?{_NAMED}the\s+(?P<nth>\d{{1,2}})(?:st|nd|rd|th)\b(?!\s+(?:time|floor|of\s+(?!the\s+month|{spoken.MONTH})))"
    rf"|\b(?:on\s+|by\s+)?(?P<lead>this|next|coming|last)?\s*\b(?P<wd>{spoken.WEEKDAY})\b(?:\s+(?P<wdpart>{spoken.PART}))?(?:\s+(?P<week>next\s+week))?"
    rf"|\b(?P<stretch>next\s+week|next\s+month|next\s+year|(?:this|next|at\s+the|on\s+the|the)\s+weekend|(?:at\s+the\s+)?end\s+of\s+the\s+(?:week|month|year))\b",
    re.IGNORECASE,
)


def _on_a_day(text: str, now: datetime) -> When | None:
    match = _DAY.search(text)
    day = _day(match, now.date()) if match is not None else None
    clock, part = spoken.clock_in(text), spoken.part_in(text)
    stretches = [match.span()] if match is not None and day is not None else []
    stretches += [(clock.start, clock.end)] if clock else []
    stretches += [part[1:]] if part else []
    if not stretches:
        return None
    start, end = min(s for s, _ in stretches), max(e for _, e in stretches)
    named = (day.part if day else None) or (part[0] if part else None)
    if day is None:
        return _today_or_tomorrow(clock, named, now, start, end)
    return _that_day(day, clock, named, now, start, end)


def _that_day(day: _Day, clock: Clock | None, part: str | None, now: datetime, start: int, end: int) -> When:
    if clock is None:
        at = spoken.PARTS[part] if part else spoken.NO_TIME_SAID
        if day.on == now.date() and part is None:
            # "today" without a time: in a while, and never in the past
            soon = _later(now, timedelta(hours=1)).replace(second=0, microsecond=0)
            return When(soon, start, end, timed=False)
        return _settled(moment(day.on, at, now), day, now, When(now, start, end, timed=part is not None))
    times = spoken.halves(clock, part)
    candidates = [_with_midnight(day.on, at, part, now) for at in times]
    ahead = [at for at in candidates if at > now]
    return _settled(ahead[0] if ahead else candidates[-1], day, now, When(now, start, end))


def _with_midnight(on: date, at: time, part: str | None, now: datetime) -> datetime:
    """ "Friday at midnight" and "tonight at 1" are after that day's evening."""
    late = at == time(0) or (part == "night" and at < time(5))
    return moment(on + timedelta(days=1) if late else on, at, now)


def _settled(at: datetime, day: _Day, now: datetime, shape: When) -> When:
    """The day they meant: a weekday or date without a year that has gone by is the next one; a fixed one is past."""
    if at <= now and not day.fixed:
        on = at.date() + timedelta(days=7)
        at = moment(on, at.time(), now)
    return replace(shape, at=at, past=at <= now)


def _today_or_tomorrow(clock: Clock | None, part: str | None, now: datetime, start: int, end: int) -> When:
    """Only a time was said: the next time the clock shows it."""
    times = spoken.halves(clock, part) if clock else [spoken.PARTS[part or "morning"]]
    for days in range(3):
        for at in times:
            candidate = moment(now.date() + timedelta(days=days), at, now)
            if candidate > now:
                return When(candidate, start, end)
    raise AssertionError("some time of day lies ahead within three days")  # pragma: no cover


def _day(match: re.Match[str], today: date) -> _Day | None:
    try:
        return _named_day(match, today)
    except ValueError:
        return None


def _named_day(match: re.Match[str], today: date) -> _Day:
    found = match.groupdict()
    if found["after"]:
        return _Day(today + timedelta(days=2))
    if found["rel"]:
        word = found["rel"].lower()
        part = "night" if word == "tonight" else found["relpart"]
        ahead = {"today": 0, "tonight": 0, "yesterday": -1}.get(word, 1)
        return _Day(today + timedelta(days=ahead), part=part.lower() if part else None)
    if found["this"]:
        return _Day(today, part=found["thispart"].lower())
    if found["year"]:
        return _Day(date(int(found["year"]), int(found["mon"]), int(found["dom"])))
    if found["d3"]:
        return _Day(date(int(found["y3"]), int(found["m3"]), int(found["d3"])))
    if found["d1"] or found["d2"]:
        return _of_month(found, today)
    if found["wd"]:
        return _weekday(found, today)
    if found["nth"]:
        on = date(today.year, today.month, int(found["nth"]))
        return _Day(on if on >= today else _in_month(today.year, today.month + 1, on.day))
    return _Day(_stretch(found["stretch"].lower(), today))


def _of_month(found: dict[str, str | None], today: date) -> _Day:
    day, month = int(found["d1"] or found["d2"] or 0), spoken.month_number(found["m1"] or found["m2"] or "")
    year = found["y1"] or found["y2"]
    if year:
        return _Day(date(int(year), month, day))
    on = _in_year(today.year, month, day)
    return _Day(on if on >= today else _in_year(today.year + 1, month, day))


def _in_year(year: int, month: int, day: int) -> date:
    """That day; 29 February waits for a year that has one."""
    if (month, day) == (2, 29):
        while year % 4 or (year % 100 == 0 and year % 400):
            year += 1
    return date(year, month, day)


def _weekday(found: dict[str, str | None], today: date) -> _Day:
    wanted = spoken.weekday_number(found["wd"] or "")
    ahead = (wanted - today.weekday()) % 7
    part = found["wdpart"].lower() if found["wdpart"] else None
    lead = (found["lead"] or "").lower()
    if lead == "last":
        return _Day(today - timedelta(days=(today.weekday() - wanted) % 7 or 7), part=part)
    if lead == "next" or found["week"]:
        # "next Friday", said on Monday, is the Friday of next week; said on Saturday it is the one to come
        monday = today - timedelta(days=today.weekday()) + timedelta(days=7)
        return _Day(monday + timedelta(days=wanted), part=part)
    return _Day(today + timedelta(days=ahead), fixed=False, part=part)


def _stretch(words: str, today: date) -> date:
    if words.endswith("weekend"):
        saturday = today + timedelta(days=(5 - today.weekday()) % 7)
        return (
            saturday + timedelta(days=7)
            if words.startswith("next") and saturday - today < timedelta(days=5)
            else saturday
        )
    if "end of the" in words:
        if words.endswith("week"):
            return today + timedelta(days=(4 - today.weekday()) % 7)
        if words.endswith("month"):
            return _in_month(today.year, today.month, 31)
        return date(today.year, 12, 31)
    if words.endswith("week"):
        return today + timedelta(days=7 - today.weekday())
    if words.endswith("month"):
        return _in_month(today.year, today.month + 1, 1)
    return date(today.year + 1, 1, 1)
