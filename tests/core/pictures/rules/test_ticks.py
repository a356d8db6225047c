"""Marks of scales: round numbers, and hours, days, weeks and months by the clock of a zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from furoshiki.core.pictures.rules import ticks

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [
        (0.0, 1.0, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (0.0, 0.037, [0.0, 0.01, 0.02, 0.03, 0.04]),
        (3.0, 3.0, [1.0, 2.0, 3.0, 4.0, 5.0]),
        (0.0, 0.0, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (-7.0, 1234.0, [-250.0, 0.0, 250.0, 500.0, 750.0, 1000.0, 1250.0]),
    ],
)
def test_marks_are_round_and_cover_the_figures(low: float, high: float, marks: list[float]) -> None:
    assert ticks.numbers(low, high) == marks


def labels(start: datetime, length: timedelta, most: int) -> list[str]:
    return [one.label for one in ticks.times(start, start + length, BERLIN, most)]


@pytest.mark.parametrize(
    ("days", "most", "first"),
    [
        (1, 9, ["18:00", "21:00", "Tue 17", "03:00"]),
        (2, 9, ["18:00", "Tue 17", "06:00", "12:00"]),
        (7, 9, ["Mon 16", "Tue 17", "Wed 18"]),
        (30, 9, ["23 Nov", "30 Nov", "7 Dec", "14 Dec"]),
        (90, 9, ["Nov", "Dec", "2027", "Feb"]),
        (366, 9, ["2027", "Mar", "May", "Jul"]),
        (3000, 9, ["2026", "2027", "2028"]),
    ],
)
def test_the_finest_marks_that_fit_are_taken(days: int, most: int, first: list[str]) -> None:
    start = datetime(2026, 11, 16, 15, 30, tzinfo=BERLIN)
    assert labels(start, timedelta(days=days), most)[: len(first)] == first


def test_days_of_23_and_25_hours_begin_at_midnight_and_no_hour_is_made_up() -> None:
    spring = ticks.times(datetime(2027, 3, 27, tzinfo=BERLIN), datetime(2027, 3, 30, tzinfo=BERLIN), BERLIN, 5)
    assert [(one.until - one.at) / timedelta(hours=1) for one in spring if one.until] == [24, 23, 24]
    night = datetime(2027, 3, 28, tzinfo=BERLIN), datetime(2027, 3, 28, 6, tzinfo=BERLIN)
    assert [one.label for one in ticks.times(*night, BERLIN, 9)] == [
        "Sun 28",
        "01:00",
        "03:00",
        "04:00",
        "05:00",
        "06:00",
    ]
    autumn = ticks.times(datetime(2026, 10, 25, tzinfo=BERLIN), datetime(2026, 10, 25, 4, tzinfo=BERLIN), BERLIN, 9)
    assert [(one.label, one.at.hour) for one in autumn] == [
        ("Sun 25", 22), ("01:00", 23), ("02:00", 0), ("03:00", 2), ("04:00", 3)
    ]  # fmt: skip


def test_marks_stand_where_the_clock_of_the_zone_says() -> None:
    [noon] = [
        one
        for one in ticks.times(datetime(2026, 7, 1, tzinfo=UTC), datetime(2026, 7, 1, 20, tzinfo=UTC), BERLIN, 4)
        if one.label == "12:00"
    ]
    assert noon.at == datetime(2026, 7, 1, 10, tzinfo=UTC)
