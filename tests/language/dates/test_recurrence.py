"""What recurs comes at the same hour on the wall, once each time, whatever the clocks do."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from furoshiki.language.dates import recurrence
from furoshiki.language.dates.recurrence import find_next

ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "America/Santiago", "Africa/Cairo")
BERLIN = ZoneInfo("Europe/Berlin")


def at(zone: str, text: str, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)


def run(rule: str, first: datetime, zone: ZoneInfo, times: int) -> list[datetime]:
    """The moments something recurs at when each is said a few seconds late."""
    found, now = [first], first
    for _ in range(times):
        after = find_next(rule, first, now + timedelta(seconds=7), zone)
        if after is None:
            break
        found.append(after)
        now = after
    return found


def changes(zone: ZoneInfo, year: int) -> list[date]:
    """The days on which the clocks are changed."""
    noons = [datetime(year, 1, 1, 12, tzinfo=zone) + timedelta(days=number) for number in range(365)]
    return [
        after.date() for before, after in zip(noons, noons[1:], strict=False) if before.utcoffset() != after.utcoffset()
    ]


@pytest.mark.parametrize("zone", ZONES)
def test_what_comes_weekly_keeps_its_hour_through_the_year(zone: str) -> None:
    where = ZoneInfo(zone)
    year = run("FREQ=WEEKLY", at(zone, "2026-01-01T09:00"), where, 52)
    assert {moment.astimezone(where).strftime("%a %H:%M") for moment in year} == {"Thu 09:00"}
    assert len(year) == len({moment.astimezone(where).date() for moment in year}) == 53


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("hour", ["00:15", "01:30", "02:30", "23:45"])
def test_an_hour_that_is_missing_or_comes_twice_is_used_once_and_moves_nothing(zone: str, hour: str) -> None:
    where = ZoneInfo(zone)
    for day in changes(where, 2026):
        first = at(zone, f"{day - timedelta(days=3)}T{hour}")
        week = run("RRULE:FREQ=DAILY", first, where, 6)
        assert week == sorted(set(week))
        assert len(week) == 7
        elsewhere = [moment for moment in week if moment.astimezone(where).strftime("%H:%M") != hour]
        assert [moment.astimezone(where).date() for moment in elsewhere] in ([], [day])


def test_said_late_in_the_hour_that_comes_twice_it_is_not_said_again() -> None:
    first = at("Europe/Berlin", "2026-10-24T02:30")
    late = at("Europe/Berlin", "2026-10-25T02:10", fold=1)
    assert find_next("FREQ=DAILY", first, late, BERLIN) == at("Europe/Berlin", "2026-10-26T02:30")


def test_what_is_counted_ends() -> None:
    assert len(run("FREQ=DAILY;COUNT=3", at("Europe/Berlin", "2026-03-28T02:30"), BERLIN, 10)) == 3
    assert len(run("FREQ=HOURLY;COUNT=4", at("Europe/Berlin", "2026-03-28T02:30"), BERLIN, 10)) == 4


@pytest.mark.parametrize("until", ["20260105", "20260105T083000Z", "20260105T093000"])
def test_a_last_day_is_still_a_day(until: str) -> None:
    found = run(f"FREQ=DAILY;UNTIL={until}", at("Europe/Berlin", "2026-01-01T09:30"), BERLIN, 10)
    assert [moment.day for moment in found] == [1, 2, 3, 4, 5]


def test_every_second_week_stays_every_second_week_when_one_was_slept_through() -> None:
    first = at("Europe/Berlin", "2026-01-05T08:00")
    late = at("Europe/Berlin", "2026-01-20T08:00")
    assert find_next("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", first, late, BERLIN) == at("Europe/Berlin", "2026-02-02T08:00")


def test_the_thirty_first_waits_for_a_month_that_has_one() -> None:
    found = run("FREQ=MONTHLY", at("Europe/Berlin", "2026-01-31T08:00"), BERLIN, 3)
    assert [moment.month for moment in found] == [1, 3, 5, 7]


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 59), st.integers(0, 20 * 365 * 24 * 60))
def test_years_of_minutes_cost_nothing_and_keep_their_step(every: int, minutes: int) -> None:
    first = datetime(2026, 1, 1, 8, 0, tzinfo=UTC)
    now = first + timedelta(minutes=minutes)
    found = find_next(f"FREQ=MINUTELY;INTERVAL={every}", first, now, UTC)
    assert found is not None
    assert timedelta(0) < found - now <= timedelta(minutes=every)
    assert (found - first) % timedelta(minutes=every) == timedelta(0)


def test_a_leap_day_comes_every_fourth_year() -> None:
    found = run("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", at("Europe/Berlin", "2024-02-29T08:00"), BERLIN, 2)
    assert [moment.year for moment in found] == [2024, 2028, 2032]


def test_asked_ahead_of_its_time_it_names_the_second_time() -> None:
    first = datetime(2026, 5, 1, 8, 0, tzinfo=UTC)
    assert find_next("FREQ=DAILY", first, first - timedelta(days=9), UTC) == first + timedelta(days=1)


@pytest.mark.parametrize(
    "rule",
    [
        "",
        "every day",
        "FREQ=SOMETIMES",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;INTERVAL=x",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;BYMONTH=4,6;BYMONTHDAY=-31",
        "FREQ=DAILY;UNTIL=soon",
        "FREQ=DAILY;BYEASTER=1",
        "DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY",
        "BYDAY=MO",
        "INTERVAL=2",
    ],
)
def test_a_rule_that_is_none_is_refused_at_once(rule: str) -> None:
    with pytest.raises(ValueError):
        find_next(rule, datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC), BERLIN)


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=YEARLY;BYSETPOS=400;BYDAY=MO",
        "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=3",
        "FREQ=MONTHLY;BYMONTHDAY=1;BYSETPOS=9",
        "FREQ=DAILY;INTERVAL=7;BYDAY=WE",
        "FREQ=HOURLY;INTERVAL=168;BYDAY=WE",
        "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=SECONDLY;BYMONTH=4;BYMONTHDAY=31",
        "FREQ=DAILY;INTERVAL=99999",
        "FREQ=YEARLY;INTERVAL=5000",
        "FREQ=SECONDLY;INTERVAL=9999999999",
    ],
)
def test_a_rule_that_never_comes_true_is_refused_before_it_is_looked_for(rule: str) -> None:
    tuesday = datetime(2026, 3, 3, 9, 0, tzinfo=UTC)
    began = time.process_time()
    with pytest.raises(ValueError):
        find_next(rule, tuesday, tuesday, UTC)
    assert time.process_time() - began < 2.0


@pytest.mark.parametrize(
    ("rule", "comes"),
    [
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "2028-02-29T09:00"),
        ("FREQ=DAILY;INTERVAL=7;BYDAY=TU", "2026-03-10T09:00"),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-03-31T09:00"),
        ("FREQ=MONTHLY;BYDAY=1MO", "2026-04-06T09:00"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", "2026-03-31T09:00"),
    ],
)
def test_what_is_rare_is_found(rule: str, comes: str) -> None:
    tuesday = datetime(2026, 3, 3, 9, 0, tzinfo=UTC)
    assert find_next(rule, tuesday, tuesday, UTC) == datetime.fromisoformat(comes).replace(tzinfo=UTC)


def test_days_are_left_out_and_counted_from_the_first_time() -> None:
    first = at("Europe/Berlin", "2026-12-01T08:00")
    rule = recurrence.leave_out("FREQ=DAILY;COUNT=4", date(2026, 12, 2), date(2026, 11, 30))
    assert rule == "FREQ=DAILY;COUNT=4;EXDATE=20261202"
    third = find_next(rule, first, first, BERLIN)
    assert third == at("Europe/Berlin", "2026-12-03T08:00")
    comes = [day for day in range(1, 8) if recurrence.comes_on(rule, first, third, date(2026, 12, day), BERLIN)]
    assert comes == [3, 4], "not what is over, not what is left out, nothing after the fourth"
    assert recurrence.leave_out(rule, date(2026, 12, 4), date(2026, 12, 3)).endswith(";EXDATE=20261204")


@pytest.mark.parametrize("wrong", ["EXDATE=MO", "EXDATE=20261340", "EXDATE="])
def test_what_is_no_day_cannot_be_left_out(wrong: str) -> None:
    first = at("Europe/Berlin", "2026-12-01T08:00")
    with pytest.raises(ValueError, match=r"EXDATE|month"):
        find_next(f"FREQ=DAILY;{wrong}", first, first, BERLIN)
