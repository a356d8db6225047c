"""Layout of whole pictures: one plot with title and legend, or many small plots."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, tzinfo

from furoshiki.core.catalogue import later, say
from furoshiki.core.pictures.rules import palette, plotting
from furoshiki.core.pictures.rules.plotting import LINE, WORDS, Frame
from furoshiki.core.pictures.rules.shapes import Box, Drawing, Polyline, Shape, Text, text_width
from furoshiki.core.pictures.values import Group, Panel, Series, Span, Tone

HEIGHT = 300.0  # height of a picture with one plot
COLUMNS = 3  # small plots in one row

TITLE = 15.0
EDGE = 14.0  # margin around a picture

_BELOW = 22.0  # height of the time labels

_SAMPLE = 24.0
_HEAD = 18.0
_UNDER = 10.0
_RIBBON = 20.0
_TINT = 0.28  # opacity of a ribbon's span, so that text on it stays readable

_BETWEEN = 18.0


def one_plot(panel: Panel, start: datetime, end: datetime, zone: tzinfo, width: float, description: str) -> Drawing:
    """Lay out one plot with its title, and a legend when there are several series."""
    shapes: list[Shape] = [Box(0, 0, width, HEIGHT, "ground")]
    y = EDGE
    if panel.title:
        shapes.append(Text(EDGE, y + TITLE * 0.8, panel.title, TITLE, strong=True))
        y += TITLE + 10
    if len(panel.series) > 1 or any(level.label for level in panel.levels):
        legend, y = _legend(panel, y, width)
        shapes += legend
    left = EDGE + plotting.margin(panel)
    frame = Frame(left, y + 4, width - left - EDGE, max(20.0, HEIGHT - y - 4 - _BELOW - EDGE), start, end, zone)
    return Drawing(width, HEIGHT, panel.title, description, (*shapes, *plotting.plot(panel, frame)))


def many_plots(
    groups: Sequence[Group],
    start: datetime,
    end: datetime,
    zone: tzinfo,
    title: str,
    subtitle: str,
    description: str,
    width: float,
    plot_height: float,
    ribbon: Sequence[Span],
) -> Drawing:
    """Lay out plots in rows of `COLUMNS`, with label and last value; times under each group."""
    shapes: list[Shape] = [Text(EDGE, EDGE + TITLE * 0.8, title, TITLE, strong=True)]
    y = EDGE + TITLE + 6
    if subtitle:
        shapes.append(Text(EDGE, y + WORDS, subtitle, WORDS + 1, "quiet"))
        y += WORDS + 10
    if ribbon:
        words, y = _ribbon(ribbon, Frame(EDGE, y + 2, width - 2 * EDGE, _RIBBON, start, end, zone))
        shapes += words
    wide = (width - 2 * EDGE - (COLUMNS - 1) * _BETWEEN) / COLUMNS
    for group in groups:
        if group.title:
            shapes.append(Text(EDGE, y + WORDS + 2, group.title, WORDS + 2, strong=True))
            shapes.append(Text(width - EDGE, y + WORDS + 2, group.note, WORDS, "quiet", "end"))
            y += WORDS + 14
        for place, panel in enumerate(group.panels):
            row, column = divmod(place, COLUMNS)
            x, top = EDGE + column * (wide + _BETWEEN), y + row * (plot_height + _HEAD + _UNDER)
            shapes += _head(panel, x, top, wide)
            frame = Frame(
                *(x, top + _HEAD, wide, plot_height, start, end, zone),
                figures=False,
                times=place + COLUMNS >= len(group.panels),
                small=True,
            )
            shapes += plotting.plot(panel, frame)
        y += -(-len(group.panels) // COLUMNS) * (plot_height + _HEAD + _UNDER) + _BELOW - _UNDER + 6
    return Drawing(width, y + 4, title, description, (Box(0, 0, width, y + 4, "ground"), *shapes))


def _head(panel: Panel, x: float, y: float, width: float) -> list[Shape]:
    shapes: list[Shape] = [Text(x, y + WORDS + 1, panel.title, WORDS + 1)]
    values = [value for _, value in panel.series[0].points if plotting.is_measured(value)] if panel.series else []
    if values:
        hue = plotting.colours(panel.series)[0]
        shapes.append(Text(x + width, y + WORDS + 1, panel.form(values[-1]), WORDS + 1, hue, "end", strong=True))
    return shapes


def _ribbon(spans: Sequence[Span], frame: Frame) -> tuple[list[Shape], float]:
    """Lay out the ribbon, with a legend for labels that do not fit; returns shapes and bottom."""
    shapes: list[Shape] = []
    unnamed: dict[str, Tone] = {}
    named = set()
    for span in spans:
        left, right = frame.across(span.start), frame.across(span.end)
        if right <= left:
            continue
        shapes.append(Box(left, frame.y, max(1.0, right - left - 1), frame.height, span.tone, _TINT, 3.0, span.label))
        if text_width(span.label, WORDS) + 6 <= right - left:
            middle = frame.y + frame.height / 2 + WORDS * 0.35
            shapes.append(Text((left + right) / 2, middle, span.label, WORDS, anchor="middle"))
            named.add(span.label)
        elif right - left >= 1.0:
            unnamed.setdefault(span.label, span.tone)
    x, y = frame.x, frame.y + frame.height + 6
    for label, tone in unnamed.items():
        wide = 15 + text_width(label, WORDS)
        if label in named:
            continue
        if x + wide > frame.x + frame.width:
            x, y = frame.x, y + 16
        shapes += [Box(x, y, 10, 10, tone, _TINT, 2.0), Text(x + 14, y + 9, label, WORDS, "quiet")]
        x += wide + 12
    return shapes, y + (24 if x > frame.x else 8)


def _legend(panel: Panel, y: float, width: float) -> tuple[list[Shape], float]:
    """Lay out the legend in as many rows as needed; returns its shapes and its bottom."""
    shapes: list[Shape] = []
    x = EDGE
    for label, sample in _samples(panel):
        wide = _SAMPLE + 6 + text_width(label, WORDS + 1)
        if x > EDGE and x + wide > width - EDGE:
            x, y = EDGE, y + WORDS + 7
        shapes += [sample(x, y), Text(x + _SAMPLE + 6, y + 11, label, WORDS + 1)]
        x += wide + 16
    return shapes, y + WORDS + 9


def _samples(panel: Panel) -> Iterator[tuple[str, Callable[[float, float], Shape]]]:
    """Yield the legend's entries: each series, and each level that has a label."""
    for place, (series, hue) in enumerate(zip(panel.series, plotting.colours(panel.series), strict=True)):
        yield series.label, _bar(hue) if series.drawn == "bars" else _dash(hue, LINE, palette.dash(place))
    for level in panel.levels:
        if level.label:
            yield level.label, _dash(level.tone, LINE, plotting.LEVEL)


def _bar(tone: Tone) -> Callable[[float, float], Shape]:
    return lambda x, y: Box(x + _SAMPLE - 11, y + 1, 11, 11, tone, radius=2)


def _dash(tone: Tone, line: float, dash: tuple[float, ...]) -> Callable[[float, float], Shape]:
    return lambda x, y: Polyline(((x, y + 7), (x + _SAMPLE, y + 7)), tone, line, dash)


def describe(panel: Panel) -> str:
    """Describe a plot in words, for blind readers: range and last value of each series."""
    return " ".join(_describe_series(series, panel.form) for series in panel.series)


def _describe_series(series: Series, form: Callable[[float], str]) -> str:
    values = [value for _, value in series.points if plotting.is_measured(value)]
    if not values:
        return say("{label}: nothing was measured.", label=series.label)
    low, high, last = map(form, (min(values), max(values), values[-1]))
    if low == high:
        return f"{series.label}: {low}."
    words = later("{label}: between {low} and {high}, last {last}.")
    return say(words, label=series.label, low=low, high=high, last=last)
