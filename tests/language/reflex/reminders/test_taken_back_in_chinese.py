"""A time put right in Chinese, with a sigh before it or without."""

from __future__ import annotations

import pytest

from furoshiki.language.reflex.reminders.rearranging import parse_correction


@pytest.mark.parametrize(
    "said", ["啊不，还是四点半吧", "哦不对，四点半", "不，还是四点半吧", "不，四点半", "还是四点半吧"]
)
def test_a_sigh_before_a_corrected_time_changes_nothing(said: str) -> None:
    found = parse_correction(said)
    assert found is not None and "四点半" in found.to


@pytest.mark.parametrize("said", ["四点半", "不舒服", "啊不用了", "啊我不去了"])
def test_what_takes_nothing_back_is_no_correction(said: str) -> None:
    found = parse_correction(said)
    assert found is None or "点" not in found.to
