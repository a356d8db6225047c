"""From figures to shapes: where lines run, where they are broken, what bars stand on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from furoshiki.core.pictures.rules import palette, plotting
from furoshiki.core.pictures.rules.plotting import Frame
from furoshiki.core.pictures.rules.shapes import Box, Dot, Polyline, Shape, Text
from furoshiki.core.pictures.values import Band, Level, Panel, Series

START = datetime(2026, 11, 23, tzinfo=UTC)
HOUR = timedelta(hours=1)
FRAME = Frame(0, 0, 100, 50, START, START + 10 * HOUR, UTC)


def points(*values: float | None) -> list[tuple[datetime, float | None]]:
    return [(START + index * HOUR, value) for index, value in enumerate(values)]


def lines(shapes: Sequence[Shape], tone: str) -> list[tuple[tuple[float, float], ...]]:
    return [one.points for one in shapes if isinstance(one, Polyline) and one.tone == tone]


def test_figures_stand_at_their_time_and_height() -> None:
    drawn = plotting.plot(Panel([Series("joy", points(0.0, 1.0, 0.5))], low=0, high=1), FRAME)
    assert lines(drawn, "blue") == [((0, 50), (10, 0), (20, 25))]


def test_what_was_not_measured_is_not_drawn() -> None:
    panel = Panel([Series("joy", points(0.0, 1.0, None, 0.5, None, 0.2, 0.2))], low=0, high=1)
    drawn = plotting.plot(panel, FRAME)
    assert [len(one) for one in lines(drawn, "blue")] == [2, 2]
    assert [(one.x, one.y) for one in drawn if isinstance(one, Dot)] == [(30, 25)]
    far = Series("joy", [(START, 0.1), (START + HOUR, 0.2), (START + 5 * HOUR, 0.3), (START + 6 * HOUR, 0.3)], gap=HOUR)
    assert [len(one) for one in lines(plotting.plot(Panel([far]), FRAME), "blue")] == [2, 2]


def test_a_line_is_cut_where_it_leaves_the_time_that_is_shown() -> None:
    series = Series("joy", [(START - HOUR, 0.0), (START + HOUR, 1.0), (START + 19 * HOUR, 0.0)])
    assert lines(plotting.plot(Panel([series], low=0, high=1), FRAME), "blue") == [((0, 25), (10, 0), (100, 25))]


def test_a_year_of_figures_keeps_its_peaks_in_few_points() -> None:
    year = [(START + index * timedelta(minutes=15), 0.5) for index in range(35_000)]
    year[20_123] = (year[20_123][0], 1.0)
    frame = Frame(0, 0, 100, 50, START, year[-1][0], UTC)
    [line] = lines(plotting.plot(Panel([Series("joy", year)], low=0, high=1), frame), "blue")
    assert len(line) <= 404 and min(y for _, y in line) == 0


def test_bars_stand_on_nought_side_by_side_and_as_wide_as_their_time() -> None:
    panel = Panel([Series("spent", points(2.0, -1.0), drawn="bars"), Series("saved", points(1.0, 1.0), drawn="bars")])
    drawn = plotting.plot(panel, FRAME)
    bars = [(one.tone, one.x, one.width, one.y, one.height) for one in drawn if isinstance(one, Box)]
    scale = plotting.scale(panel)
    nought, two = scale.up(FRAME, 0), scale.up(FRAME, 2)
    assert bars[0] == ("blue", 1.0, 4.0, two, nought - two)
    assert bars[1][:3] == ("blue", 11.0, 4.0) and bars[1][3] == nought
    assert bars[2][:3] == ("orange", 5.0, 4.0)


def test_what_figures_are_compared_with_is_drawn_behind_and_before_them() -> None:
    panel = Panel(
        [Series("joy", points(0.2, 0.4))],
        low=0,
        high=1,
        bands=[Band(0.5, 0.75)],
        levels=[Level(0.5, "rests")],
    )
    drawn = plotting.plot(panel, FRAME)
    assert [(one.y, one.height) for one in drawn if isinstance(one, Box) and one.tone == "amber"] == [(12.5, 12.5)]
    told = [one.told for one in drawn if isinstance(one, (Box, Polyline)) and one.told]
    assert told == ["joy", "rests"]


def test_an_empty_plot_has_a_scale() -> None:
    assert plotting.scale(Panel([])).marks == (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    words = [one.words for one in plotting.plot(Panel([Series("joy", [])]), FRAME) if isinstance(one, Text)]
    assert plotting.NOTHING in words


def test_lines_of_a_picture_differ_in_colour_and_dash() -> None:
    drawn = plotting.plot(Panel([Series(str(one), points(0.1, 0.2)) for one in range(9)], low=0, high=1), FRAME)
    styles = [(one.tone, one.dash) for one in drawn if isinstance(one, Polyline) and one.tone in palette.COLOURS]
    assert len({tone for tone, _ in styles}) == 9 and len({dash for _, dash in styles[:5]}) == 5
