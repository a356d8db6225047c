"""Marks of axes: round numbers, and hours, days, weeks and months in a time zone."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import pairwise


@dataclass(frozen=True)
class Tick:
    """A time mark with a long and a short label.
    `until` is the end of a labelled span (a day, a month), None when the label names a moment."""

    at: datetime
    label: str
    short: str
    until: datetime | None = None


def numbers(low: float, high: float, most: int = 5) -> list[float]:
    """Return round numbers from `low` to `high` in about `most` steps (1, 2, 2.5 or 5 times 10^n).

    The first is at most `low`, the last at least `high`; equal bounds are widened.
    """
    if not high > low:
        low, high = (low - 0.5 * abs(low), high + 0.5 * abs(high)) if high else (0.0, 1.0)
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((one * power for one in (1.0, 2.0, 2.5, 5.0) if one * power >= rough * 0.999), 10.0 * power)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(index * step, 12) for index in range(first, last + 1)]


def times(start: datetime, end: datetime, zone: tzinfo, most: int) -> list[Tick]:
    """Return at most `most` marks between two times (aware), the finest that fit; may be more for
    very long ranges. Times are UTC. Days begin at midnight in the zone and may have 23 or 25 hours;
    weeks begin on Monday. An hour skipped by the clock has no mark; a repeated hour has one, at its
    first occurrence."""
    start, end = start.astimezone(UTC), end.astimezone(UTC)
    days = (end - start) / timedelta(days=1)
    for length, marks in _FROM_FINE_TO_COARSE:
        if days / length <= most + 1 and len(ticks := marks(start, end, zone)) <= most:
            return ticks
    return _months(12)(start, end, zone)


Marks = Callable[[datetime, datetime, tzinfo], list[Tick]]


def _minutes(step: int) -> Marks:
    def marks(start: datetime, end: datetime, zone: tzinfo) -> list[Tick]:
        found = []
        for day in _dates(start, end, zone):
            for minute in range(0, 24 * 60, step):
                wall = day.replace(hour=minute // 60, minute=minute % 60)
                at = wall.astimezone(UTC)
                if start <= at <= end and at.astimezone(zone).hour == wall.hour:
                    label, short = ("%H:%M", "%-H" if step % 60 == 0 else "%H:%M") if minute else ("%a %-d", "%a")
                    found.append(Tick(at, wall.strftime(label), wall.strftime(short)))
        return found

    return marks


def _days(start: datetime, end: datetime, zone: tzinfo) -> list[Tick]:
    days = list(_dates(start, end + timedelta(days=1), zone))
    return [
        Tick(
            day.astimezone(UTC),
            day.strftime("%-d %b" if day.day == 1 else "%a %-d"),
            day.strftime("%a")[0],
            then.astimezone(UTC),
        )
        for day, then in pairwise(days)
        if day < end
    ]


def _some_days(step: int, offset: int) -> Marks:
    """Mark every so many days, counted from the first of January in year 1, a Monday, as day 1."""

    def marks(start: datetime, end: datetime, zone: tzinfo) -> list[Tick]:
        return [
            Tick(day.astimezone(UTC), day.strftime("%-d %b"), day.strftime("%-d"))
            for day in _dates(start, end, zone)
            if day.toordinal() % step == offset and day >= start
        ]

    return marks


def _months(step: int) -> Marks:
    def marks(start: datetime, end: datetime, zone: tzinfo) -> list[Tick]:
        local = start.astimezone(zone)
        at = datetime(local.year, local.month - (local.month - 1) % step, 1, tzinfo=zone)
        found = []
        while at < end:
            after = at.month - 1 + step
            then = at.replace(year=at.year + after // 12, month=after % 12 + 1)
            label = at.strftime("%Y" if at.month == 1 else "%b")
            short = at.strftime("%y") if step == 12 else at.strftime("%b")[0]
            if step in (1, 12):
                found.append(Tick(at.astimezone(UTC), label, short, then.astimezone(UTC)))
            elif at >= start:
                found.append(Tick(at.astimezone(UTC), label, short))
            at = then
        return found

    return marks


def _dates(start: datetime, end: datetime, zone: tzinfo) -> Iterator[datetime]:
    """Yield every midnight of the zone from the day of `start` to the day of `end`."""
    local = start.astimezone(zone)
    day = datetime(local.year, local.month, local.day, tzinfo=zone)
    while day <= end:
        yield day
        then = day.replace(tzinfo=None) + timedelta(days=1)
        day = then.replace(tzinfo=zone)


# kinds of marks, fine to coarse, each with the maximum distance of two marks in days
_FROM_FINE_TO_COARSE: tuple[tuple[float, Marks], ...] = (
    *((step / 1440, _minutes(step)) for step in (5, 10, 15, 30, 60, 120, 180, 360, 720)),
    *((1, _days), (2, _some_days(2, 0)), (7, _some_days(7, 1))),
    *((31 * step, _months(step)) for step in (1, 2, 3, 6)),
)
