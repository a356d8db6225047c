"""Time series in equal intervals by the clock of a zone, for charts, tables and programs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Literal, TypeVar

from furoshiki.core.catalogue import later

T = TypeVar("T")
Span = Literal["24h", "7d", "30d", "1y"]

LENGTHS: Mapping[Span, timedelta] = {
    "24h": timedelta(hours=24),
    "7d": timedelta(days=7),
    "30d": timedelta(days=30),
    "1y": timedelta(days=365),
}
LABELS: Mapping[Span, str] = later({"24h": "24 hours", "7d": "7 days", "30d": "30 days", "1y": "a year"})

# interval lengths for continuous levels: feelings, needs
LEVEL: Mapping[Span, timedelta] = {
    "24h": timedelta(minutes=15),
    "7d": timedelta(hours=1),
    "30d": timedelta(hours=3),
    "1y": timedelta(days=1),
}

# interval lengths for what is counted or timed: messages, money, answers
COUNTED: Mapping[Span, timedelta] = {
    "24h": timedelta(hours=1),
    "7d": timedelta(hours=6),
    "30d": timedelta(days=1),
    "1y": timedelta(days=7),
}

A_DAY = timedelta(days=1)
ROWS = 12  # rows of a table, about

Points = Sequence[tuple[datetime, float]]
Fold = Callable[[Sequence[float]], float]


@dataclass(frozen=True)
class Line:
    """One line of a chart: a value for each interval, None if unknown."""

    name: str
    label: str
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class Summary:
    """A line's lowest, highest, mean (or sum, if counted) and last value."""

    label: str
    low: float | None
    high: float | None
    whole: float | None
    last: float | None


def edges(now: datetime, zone: tzinfo, length: timedelta, step: timedelta) -> list[datetime]:
    """Return the starts of the intervals and the last end, in UTC; the last contains `now` (aware).

    Whole days begin at midnight of the zone, whatever their length; weeks on Monday.
    """
    local = now.astimezone(zone)
    if step < A_DAY:
        offset = local.utcoffset() or timedelta()
        seconds = int(step.total_seconds())
        last = (int(now.timestamp()) + int(offset.total_seconds())) // seconds * seconds - int(offset.total_seconds())
        end = datetime.fromtimestamp(last + seconds, UTC)
        return [end - step * index for index in range(round(length / step), -1, -1)]
    days = step // A_DAY
    today = local.date() - timedelta(days=local.weekday() if days == 7 else 0)
    count = -(-length // step)
    begins = [today - timedelta(days=days * index) for index in range(count - 1, -2, -1)]
    return [datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC) for day in begins]


def group_points(points: Iterable[tuple[datetime, T]], bounds: Sequence[datetime]) -> list[list[T]]:
    """Group points, sorted by time, by interval; points outside are left out."""
    found: list[list[T]] = [[] for _ in bounds[1:]]
    place, last = 0, len(found)
    for at, value in points:
        while place < last and at >= bounds[place + 1]:
            place += 1
        if place < last and at >= bounds[place]:
            found[place].append(value)
    return found


def fold_points(points: Points, bounds: Sequence[datetime], fold: Fold) -> tuple[float | None, ...]:
    """Apply `fold` to the points of each interval; None for an empty one."""
    return tuple(round(fold(values), 6) if values else None for values in group_points(points, bounds))


def carry_forward(points: Points, bounds: Sequence[datetime]) -> tuple[float | None, ...]:
    """Return the value at the end of each interval, carried forward; None before the first.

    Points are sorted by time, and begin before the first interval if possible.
    """
    found: list[float | None] = []
    last, place = None, 0
    for end in bounds[1:]:
        while place < len(points) and points[place][0] < end:
            last = round(points[place][1], 6)
            place += 1
        found.append(last)
    return tuple(found)


def mean(values: Sequence[float]) -> float:
    """Return the mean of at least one value."""
    return sum(values) / len(values)


def percentile(share: float) -> Fold:
    """Return a fold: the smallest value that `share` (0 to 1) of the values do not exceed."""

    def fold(values: Sequence[float]) -> float:
        ordered = sorted(values)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    return fold


def summary(line: Line, whole: Fold) -> Summary:
    """Summarize a line; None where nothing is known."""
    known = [value for value in line.values if value is not None]
    if not known:
        return Summary(line.label, None, None, None, None)
    return Summary(line.label, min(known), max(known), whole(known), known[-1])


def coarser(lines: Sequence[Line], bounds: Sequence[datetime], fold: Fold) -> list[tuple[datetime, list[float | None]]]:
    """Return about twelve table rows, newest first: the start, and `fold` of each line there."""
    count = len(bounds) - 1
    each = max(1, -(-count // ROWS))
    rows = []
    for end in range(count, 0, -each):
        begin = max(0, end - each)
        cells = [[value for value in line.values[begin:end] if value is not None] for line in lines]
        rows.append((bounds[begin], [fold(cell) if cell else None for cell in cells]))
    return rows
