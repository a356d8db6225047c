"""Figures in equal stretches by the clock of a zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from furoshiki.faces.overview.rules import series
from furoshiki.faces.overview.rules.series import COUNTED, LENGTHS, LEVEL, Line, Span
from tests.support.laws import BERLIN

NOW = datetime(2026, 3, 31, 10, 20, tzinfo=UTC)
"""Two days after Berlin's clocks went forward."""


@pytest.mark.parametrize("span", LENGTHS)
@pytest.mark.parametrize("steps", [LEVEL, COUNTED])
def test_stretches_follow_each_other_and_the_last_holds_now(span: Span, steps: dict[Span, timedelta]) -> None:
    bounds = series.edges(NOW, BERLIN, LENGTHS[span], steps[span])
    assert bounds == sorted(set(bounds)) and bounds[-2] <= NOW < bounds[-1]
    assert bounds[0] <= NOW - LENGTHS[span] + steps[span]


def test_days_begin_at_midnight_of_the_zone_however_long_they_are() -> None:
    bounds = series.edges(NOW, BERLIN, LENGTHS["30d"], COUNTED["30d"])
    assert {at.astimezone(BERLIN).hour for at in bounds} == {0}
    lengths = {later - earlier for earlier, later in zip(bounds, bounds[1:], strict=False)}
    assert lengths == {timedelta(hours=23), timedelta(hours=24)}
    weeks = series.edges(NOW, BERLIN, LENGTHS["1y"], COUNTED["1y"])
    assert {at.astimezone(BERLIN).weekday() for at in weeks} == {0}


def test_what_is_counted_and_what_holds() -> None:
    bounds = [NOW + timedelta(hours=hour) for hour in range(4)]
    points = [(NOW + timedelta(minutes=minute), value) for minute, value in ((0, 1.0), (59, 3.0), (120, 5.0))]
    assert series.fold_points(points, bounds, sum) == (4.0, None, 5.0)
    assert series.fold_points(points, bounds, series.mean) == (2.0, None, 5.0)
    assert series.carry_forward(points[1:], bounds) == (3.0, 3.0, 5.0)
    assert series.carry_forward(points[2:], bounds) == (None, None, 5.0)


@pytest.mark.parametrize(("share", "found"), [(0.5, 11.0), (0.95, 20.0), (0.0, 1.0)])
def test_percentiles_are_values_there_were(share: float, found: float) -> None:
    assert series.percentile(share)([float(value) for value in range(20, 0, -1)]) == found


def test_a_table_has_few_rows_and_leaves_nothing_out() -> None:
    bounds = [NOW + timedelta(hours=hour) for hour in range(97)]
    line = Line("n", "n", tuple(1.0 for _ in range(96)))
    rows = series.coarser([line], bounds, sum)
    assert len(rows) <= series.ROWS and sum(cells[0] or 0 for _, cells in rows) == 96
    assert rows[0][0] > rows[-1][0]
    assert series.summary(Line("n", "n", (None, None)), sum) == series.Summary("n", None, None, None, None)
