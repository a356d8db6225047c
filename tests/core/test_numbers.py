"""One converter for numbers from outside, and what such numbers did to a turn before there was one."""

from __future__ import annotations

import pytest

from furoshiki.core import numbers, refs
from tests.support.odd_numbers import ODD


@pytest.mark.parametrize("text", ODD)
def test_an_odd_text_is_no_row_and_no_number(text: str) -> None:
    assert numbers.row(text) is None and numbers.whole(text) is None
    with pytest.raises(ValueError, match="no whole number"):
        numbers.require_int(text)
    with pytest.raises(ValueError, match="no whole number"):
        refs.row(f"turn:{text}")
    assert refs.Ref("turn", text).row is None


def test_what_is_one() -> None:
    made = {"0": 0, "007": 7, "12": 12, str(numbers.MOST): numbers.MOST, 14: 14, 13.0: 13}
    assert {one: numbers.row(one) for one in made} == made
    assert numbers.row("-1") is None and numbers.whole("-1") == -1 and numbers.row(True) is None
    assert [numbers.row(one) for one in (float("nan"), float("inf"), 1.5, 10**23, 1e23, None, [], {})] == [None] * 8
    assert numbers.whole("8", 0, 7) is None and numbers.whole("7", 0, 7) == 7


def test_numbers_with_a_part() -> None:
    assert [numbers.decimal(one) for one in ("0", "-1.5", "0.25", 3, 2.5)] == [0, -1.5, 0.25, 3.0, 2.5]
    odd = ("nan", "inf", "1e400", "1_0.0", " 1", "+1", "٣.٥", "1.", ".5", "1" * 30, True, None, float("nan"), 10**400)
    assert [numbers.decimal(one) for one in odd] == [None] * len(odd)
    assert numbers.decimal("5", 0, 4) is None
