"""Times as the database keeps them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given as every
from hypothesis import settings
from hypothesis import strategies as st

from furoshiki.core.timestamps import FIRST, LAST, clamp, later, local, of_seconds, parse, parse_foreign, stamp
from tests.support.laws import BERLIN, NOON

moments = st.datetimes(datetime(1000, 1, 2), datetime(2999, 12, 30), timezones=st.sampled_from([UTC, BERLIN]))


def test_a_stamp_is_utc_with_microseconds() -> None:
    assert stamp(datetime(2026, 7, 1, 14, 0, tzinfo=BERLIN)) == "2026-07-01T12:00:00.000000+00:00"


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        stamp(datetime(2026, 7, 1))


@pytest.mark.parametrize("text", ["2026-03-03T12:00:00", "2026-03-03T12:00Z", "2026-03-03T09:00-03:00"])
def test_any_iso_text_is_read_and_a_naive_one_is_utc(text: str) -> None:
    assert parse(text) == NOON
    assert parse(text).tzinfo is UTC


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@every(moments, moments)
def test_order_of_text_is_order_of_time(one: datetime, other: datetime) -> None:
    assert parse(stamp(one)) == one.astimezone(UTC)  # a moment that the wall shows twice equals none in another zone
    assert (stamp(one) < stamp(other)) == (one.astimezone(UTC) < other.astimezone(UTC))


zones = st.sampled_from([ZoneInfo(name) for name in ("Pacific/Kiritimati", "Etc/GMT+12", "Europe/Berlin", "UTC")])
any_moment = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59), timezones=zones)


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@every(any_moment, zones, st.timedeltas())
def test_any_moment_can_be_kept_shown_and_shifted(moment: datetime, zone: ZoneInfo, span: timedelta) -> None:
    for one in (
        clamp(moment),
        parse(stamp(moment)),
        parse(moment.replace(tzinfo=None).isoformat()),
        later(moment, span),
    ):
        assert FIRST <= one <= LAST
        assert local(one, zone).strftime("%A, %-d %B %Y")
        assert one.astimezone(zone) + timedelta(days=366 * 500) > one


@pytest.mark.parametrize(
    "text",
    [
        "0001-01-01",
        "9999-12-31T23:59:59-12:00",
        "0999-12-31T23:00+00:00",
        "3000-01-01",
        "0001-01-01T00:00+14:00",
        "",
        "soon",
    ],
)
def test_a_date_that_nobody_means_does_not_come_in(text: str) -> None:
    with pytest.raises(ValueError):
        parse_foreign(text)


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), 1e18, -1e15, 10**40])
def test_seconds_that_are_no_time_do_not_come_in(seconds: float) -> None:
    with pytest.raises(ValueError):
        of_seconds(seconds)
