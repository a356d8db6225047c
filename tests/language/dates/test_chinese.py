"""Weekdays and numbers in Chinese signs, which no blank parts from what stands around them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from furoshiki.language.dates import chinese
from furoshiki.language.dates.parsing import When, parse_when
from furoshiki.language.tables.numbers import spelled


@pytest.mark.parametrize(
    ("text", "days"),
    [("不是周三，是周四手术", {2, 3}), ("星期天和礼拜一", {6, 0}), ("下周日", {6}), ("周末", set())],
)
def test_weekdays(text: str, days: set[int]) -> None:
    assert chinese.weekdays_in(text) == days


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("明天早上7點半", "2026-12-01T07:30"),
        ("後天晚上8點", "2026-12-02T20:00"),
        ("下週三下午3點", "2026-12-09T15:00"),
        ("12月9日15時", "2026-12-09T15:00"),
        ("今夜9時", "2026-11-30T21:00"),
        ("明日の朝7時半", None),
        ("3時間後", None),
    ],
)
def test_traditional_signs_are_read_and_japanese_is_not(text: str, at: str | None) -> None:
    """“後天晚上8點” was tomorrow at seven, and “明日の朝7時半” at nine."""
    found = parse_when(text, datetime(2026, 11, 30, 20, tzinfo=UTC))
    assert (found.at.isoformat()[:16] if isinstance(found, When) else None) == at


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("我妈三年前走的", 3),
        ("能下地走两步了", 2),
        ("今年五十二岁", 52),
        ("包吃两百六", 260),
        ("两百零六块", 206),
        ("一千二百万人", 12_000_000),
        ("二零一九年", 2019),
        ("十八楼", 18),
    ],
)
def test_numbers(text: str, number: int) -> None:
    assert spelled(text, "zh") == [number]
