"""Weekdays and numbers in Chinese signs, which no blank parts from what stands around them."""

from __future__ import annotations

import pytest

from furoshiki.language.dates import chinese
from furoshiki.language.tables.numbers import spelled


@pytest.mark.parametrize(
    ("text", "days"),
    [("不是周三，是周四手术", {2, 3}), ("星期天和礼拜一", {6, 0}), ("下周日", {6}), ("周末", set())],
)
def test_weekdays(text: str, days: set[int]) -> None:
    assert chinese.weekdays_in(text) == days


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
