"""Shapes of one plot: bands, grid, lines with gaps, bars, and labels at the axes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from itertools import pairwise
from math import isfinite
from typing import TypeGuard

from furoshiki.core.pictures.rules import palette, ticks
from furoshiki.core.pictures.rules.shapes import Box, Dot, Grid, Point, Polygon, Polyline, Shape, Text, text_width
from furoshiki.core.pictures.values import Colour, Panel, Series

WORDS = 11.0  # font size of the labels at the axes

NOTHING = "nothing was measured in this time"

LINE = 1.8
HAIR = 1.0
LEVEL = (3.0, 3.0)  # the dash pattern of reference levels

_STRAIGHT = 0.2  # deviation from a straight line that is invisible, in units of the picture

_TIME_ROOM = 60.0
# width of a time label; in a small plot the first that fits the short labels is used
_SMALL_TIME_ROOM = (14.0, 20.0, 28.0, 40.0, 60.0)


@dataclass(frozen=True)
class Frame:
    """A plot's place in the picture, its time range (aware), and the time zone of its days.

    `figures` and `times` add labels at the left and below; the caller leaves room for them. A
    `small` plot has few marks with short labels.
    """

    x: float
    y: float
    width: float
    height: float
    start: datetime
    end: datetime
    zone: tzinfo
    figures: bool = True
    times: bool = True
    small: bool = False

    def across(self, at: datetime) -> float:
        """Return the x coordinate of a time, clamped to the frame."""
        share = (at - self.start) / (self.end - self.start)
        return self.x + self.width * min(1.0, max(0.0, share))


@dataclass(frozen=True)
class Scale:
    """The range of values of a plot, and the marked values."""

    low: float
    high: float
    marks: tuple[float, ...]

    def up(self, frame: Frame, value: float) -> float:
        """Return the y coordinate of a value, clamped to the frame."""
        share = (value - self.low) / (self.high - self.low)
        return frame.y + frame.height * (1.0 - min(1.0, max(0.0, share)))


def scale(panel: Panel, most: int = 5) -> Scale:
    """Return the scale of a plot: its own bounds, else round numbers around all values."""
    drawn = [value for series in panel.series for _, value in series.points if is_measured(value)]
    drawn += [level.value for level in panel.levels]
    if any(series.drawn == "bars" for series in panel.series):
        drawn.append(0.0)
    low = min(drawn, default=0.0) if panel.low is None else panel.low
    high = max(drawn, default=1.0) if panel.high is None else panel.high
    marks = ticks.numbers(low, high, most)
    low = marks[0] if panel.low is None else panel.low
    high = marks[-1] if panel.high is None else panel.high
    if high <= low:
        high = low + 1.0
    return Scale(low, high, tuple(mark for mark in marks if low <= mark <= high))


def is_measured(value: float | None) -> TypeGuard[float]:
    """Return whether there is a finite value; None and NaN are gaps."""
    return value is not None and isfinite(value)


def colours(series: Sequence[Series]) -> list[Colour]:
    """Return each series' colour: its own, else the next unused one of the palette."""
    taken = {one.colour for one in series}
    free = [one for one in palette.COLOURS if one not in taken] or list(palette.COLOURS)
    found: list[Colour] = []
    for one in series:
        found.append(one.colour or free[sum(other.colour is None for other in series[: len(found)]) % len(free)])
    return found


def margin(panel: Panel) -> float:
    """Return the width needed for the labels left of a plot."""
    return 8.0 + max(text_width(panel.form(mark), WORDS) for mark in scale(panel).marks)


def plot(panel: Panel, frame: Frame) -> list[Shape]:
    """Return all shapes of a plot, from back to front."""
    measure = scale(panel, 2 if frame.small else 5)
    shapes: list[Shape] = [*_behind(panel, frame, measure), *_grid(panel, frame, measure)]
    if not any(is_measured(value) for series in panel.series for _, value in series.points) and not frame.small:
        middle = (frame.x + frame.width / 2, frame.y + frame.height / 2 + WORDS / 2)
        shapes.append(Text(*middle, NOTHING, WORDS + 1, "quiet", "middle", halo=True))
    hues = colours(panel.series)
    bars = [series for series in panel.series if series.drawn == "bars"]
    for place, (series, hue) in enumerate(zip(panel.series, hues, strict=True)):
        if series.drawn == "bars":
            shapes += _bars(series, hue, bars.index(series), len(bars), frame, measure)
        else:
            shapes += _line(series, hue, palette.dash(place), frame, measure)
    return [*shapes, *_levels(panel, frame, measure)]


def runs(series: Series, start: datetime, end: datetime) -> list[list[tuple[datetime, float]]]:
    """Split a series at its gaps and clip it to the time range, interpolating at the edges."""
    found: list[list[tuple[datetime, float]]] = [[]]
    last: datetime | None = None
    for at, value in series.points:
        if not is_measured(value) or (last is not None and series.gap is not None and at - last > series.gap):
            found.append([])
        if is_measured(value):
            found[-1].append((at, value))
            last = at
    return [cut for one in found if one and (cut := _within(one, start, end))]


def thin(points: Sequence[Point], width: float) -> list[Point]:
    """Reduce a line invisibly: at most four points a unit of width (first, lowest, highest, last),
    and none within a fifth of a unit of the line between its neighbours. Peaks stay."""
    if len(points) > 4 * width:
        columns: dict[int, list[Point]] = {}
        for one in points:
            columns.setdefault(int(one[0]), []).append(one)
        points = [point for column in columns.values() for point in _choose_extremes(column)]
    return _straighten(points)


def _choose_extremes(column: Sequence[Point]) -> list[Point]:
    heights = [y for _, y in column]
    places = {0, len(column) - 1, heights.index(min(heights)), heights.index(max(heights))}
    return [column[at] for at in sorted(places)]


def _straighten(points: Sequence[Point]) -> list[Point]:
    """Simplify a line by the Ramer–Douglas–Peucker algorithm."""
    kept = {0, len(points) - 1}
    stretches = [(0, len(points) - 1)]
    while stretches:
        first, last = stretches.pop()
        if last - first < 2:
            continue
        (x, y), (to_x, to_y) = points[first], points[last]
        slope = (to_y - y) / (to_x - x) if to_x > x else 0.0
        off = [abs(points[at][1] - y - slope * (points[at][0] - x)) for at in range(first + 1, last)]
        furthest = off.index(max(off)) + first + 1
        if off[furthest - first - 1] > _STRAIGHT:
            kept.add(furthest)
            stretches += [(first, furthest), (furthest, last)]
    return [points[at] for at in sorted(kept)]


def _within(points: list[tuple[datetime, float]], start: datetime, end: datetime) -> list[tuple[datetime, float]]:
    kept = [one for one in points if start <= one[0] <= end]
    for (before, low), (after, high) in pairwise(points):
        for edge in (start, end):
            if before < edge < after:
                kept.append((edge, low + (high - low) * ((edge - before) / (after - before))))
    return sorted(kept)


def _behind(panel: Panel, frame: Frame, measure: Scale) -> Iterator[Shape]:
    for band in panel.bands:
        top, bottom = measure.up(frame, band.high), measure.up(frame, band.low)
        if bottom > top:
            yield Box(frame.x, top, frame.width, bottom - top, band.tone, 0.18)


def _grid(panel: Panel, frame: Frame, measure: Scale) -> Iterator[Shape]:
    right, bottom = frame.x + frame.width, frame.y + frame.height
    lines: list[tuple[Point, Point]] = []
    for value in measure.marks:
        y = measure.up(frame, value)
        lines.append(((frame.x, y), (right, y)))
        if frame.figures:
            yield Text(frame.x - 6, y + WORDS * 0.35, panel.form(value), WORDS, "quiet", "end")
    marked, short = _times(frame)
    for tick in marked:
        x = frame.across(tick.at)
        if tick.at >= frame.start:
            lines.append(((x, frame.y), (x, bottom + (4 if frame.times else 0))))
        if frame.times:
            yield from _time_words(tick, tick.short if short else tick.label, x, frame)
    yield Grid(tuple(lines))


def _times(frame: Frame) -> tuple[list[ticks.Tick], bool]:
    """Return the time marks, and whether only their short labels fit."""
    found: list[ticks.Tick] = []
    for room in _SMALL_TIME_ROOM if frame.small else (_TIME_ROOM,):
        found = ticks.times(frame.start, frame.end, frame.zone, max(2, int(frame.width / room)))
        if sum(2 + text_width(tick.label, WORDS) for tick in found) <= frame.width:
            return found, False
        if sum(3 + text_width(tick.short, WORDS) for tick in found) <= frame.width:
            break
    return found, True


def _levels(panel: Panel, frame: Frame, measure: Scale) -> Iterator[Shape]:
    for level in panel.levels:
        y = measure.up(frame, level.value)
        yield Polyline(
            ((frame.x, y), (frame.x + frame.width, y)),
            level.tone,
            LINE if level.label else HAIR,
            LEVEL,
            told=level.label,
        )


def _time_words(tick: ticks.Tick, words: str, x: float, frame: Frame) -> Iterator[Shape]:
    """Place a time label below its time; the label of a span is centred on its visible part."""
    baseline = frame.y + frame.height + WORDS + 6
    wide = text_width(words, WORDS)
    if tick.until is not None:
        right = frame.across(tick.until)
        if right - x >= wide:
            yield Text((x + right) / 2, baseline, words, WORDS, "quiet", "middle")
    elif x - wide / 2 >= frame.x - (3 if frame.small else 24) and x + wide / 2 <= frame.x + frame.width + 14:
        yield Text(x, baseline, words, WORDS, "quiet", "middle")


def _line(series: Series, hue: Colour, dash: tuple[float, ...], frame: Frame, measure: Scale) -> Iterator[Shape]:
    for run in runs(series, frame.start, frame.end):
        points = thin([(frame.across(at), measure.up(frame, value)) for at, value in run], frame.width)
        if len(points) == 1:
            yield Dot(*points[0], LINE * 1.2, hue)
            continue
        if series.drawn == "area":
            floor = measure.up(frame, max(measure.low, min(0.0, measure.high)))
            yield Polygon(((points[0][0], floor), *points, (points[-1][0], floor)), hue, 0.16)
        yield Polyline(tuple(points), hue, LINE, dash, told=series.label)


def _bars(series: Series, hue: Colour, place: int, of: int, frame: Frame, measure: Scale) -> Iterator[Shape]:
    """Draw bars; several series share the width of a point, next to each other."""
    floor = measure.up(frame, 0.0)
    ends = [at for at, _ in series.points[1:]]
    last = ends[-1] - series.points[-2][0] if ends else timedelta(days=1)
    for (at, value), until in zip(series.points, [*ends, *(one[0] + last for one in series.points[-1:])], strict=True):
        if not is_measured(value) or until <= frame.start or at >= frame.end:
            continue
        left, right = frame.across(at), frame.across(until)
        blank = min(3.0, (right - left) * 0.2)
        wide = (right - left - blank) / of
        top = measure.up(frame, value)
        said = f"{series.label} {value:g}".strip()
        yield Box(
            left + blank / 2 + place * wide,
            min(top, floor),
            wide,
            abs(floor - top),
            hue,
            radius=min(2.0, wide / 4),
            told=said,
        )
