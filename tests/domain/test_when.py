"""Times as the database keeps them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from furoshiki.domain.when import parse, stamp
from tests.domain.laws import BERLIN, NOON

moments = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.sampled_from([UTC, BERLIN]))


def test_a_stamp_is_utc_with_microseconds() -> None:
    assert stamp(datetime(2026, 7, 1, 14, 0, tzinfo=BERLIN)) == "2026-07-01T12:00:00.000000+00:00"


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        stamp(datetime(2026, 7, 1))


@pytest.mark.parametrize("text", ["2026-03-03T12:00:00", "2026-03-03T12:00Z", "2026-03-03T09:00-03:00"])
def test_any_iso_text_is_read_and_a_naive_one_is_utc(text: str) -> None:
    assert parse(text) == NOON
    assert parse(text).tzinfo is UTC


@settings(deadline=None, max_examples=60)
@given(moments, moments)
def test_order_of_text_is_order_of_time(one: datetime, other: datetime) -> None:
    assert parse(stamp(one)) == one.astimezone(UTC)  # a moment that the wall shows twice equals none in another zone
    assert (stamp(one) < stamp(other)) == (one.astimezone(UTC) < other.astimezone(UTC))
