"""When jobs run: over ten zones and ten years, over clocks that jump, and over nights that have no 02:30."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.app.scheduler.rules import Cron, DailyAt, Idle, Interval, Timing, next_run, parse_when, slots
from tests.support.zones import ZONES

NOON = datetime(2026, 3, 24, 12, 0, tzinfo=UTC)


def starts(timing: Timing, zone: ZoneInfo, since: datetime, until: datetime) -> list[datetime]:
    """The starts of a job that is never late."""
    ran: list[datetime] = []
    now = since
    while True:
        due = next_run(timing, now, zone, ran[-8:], since)
        assert due is not None
        if due >= until:
            return ran
        now = max(now, due)
        ran.append(now)


@pytest.mark.slow
@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("at", [time(0, 0), time(0, 30), time(2, 30), time(23, 30)])
def test_a_daily_job_runs_once_on_every_local_day_of_ten_years(zone: str, at: time) -> None:
    place = ZoneInfo(zone)
    first, last = datetime(2020, 1, 1, 12, tzinfo=UTC), datetime(2030, 1, 1, 12, tzinfo=UTC)
    found = list(slots_until(Timing("job", DailyAt(at)), first, last, place))
    by_day = Counter(moment.astimezone(place).date() for moment in found)
    begin, end = first.astimezone(place).date(), last.astimezone(place).date()
    days = [begin + timedelta(days=number) for number in range(1, (end - begin).days)]
    assert [day for day in days if by_day[day] != 1] == []


def slots_until(timing: Timing, first: datetime, last: datetime, zone: ZoneInfo) -> list[datetime]:
    found = []
    for moment in slots(timing, first, zone):
        if moment >= last:
            break
        found.append(moment)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("zone", ZONES)
def test_running_and_asking_again_never_doubles_or_loses_a_day(zone: str) -> None:
    place = ZoneInfo(zone)
    ran = starts(
        Timing("job", DailyAt(time(2, 30))),
        place,
        datetime(2025, 1, 1, 12, tzinfo=UTC),
        datetime(2027, 1, 1, tzinfo=UTC),
    )
    days = [moment.astimezone(place).date() for moment in ran]
    assert days == [days[0] + timedelta(days=number) for number in range(len(days))]


def test_a_day_that_a_zone_left_out_has_no_run() -> None:
    apia = ZoneInfo("Pacific/Apia")
    found = slots_until(
        Timing("job", DailyAt(time(10, 0))), datetime(2011, 12, 28, tzinfo=UTC), datetime(2012, 1, 2, tzinfo=UTC), apia
    )
    days = [moment.astimezone(apia).date() for moment in found]
    assert date(2011, 12, 30) not in days
    assert len(days) == len(set(days))
    assert {date(2011, 12, 29), date(2011, 12, 31)} <= set(days)


def test_a_time_that_is_skipped_is_moved_and_one_that_is_shown_twice_happens_once() -> None:
    lisbon = ZoneInfo("Europe/Lisbon")
    timing = Timing("job", DailyAt(time(1, 30)))
    spring = next(slots(timing, datetime(2026, 3, 28, 12, tzinfo=UTC), lisbon))
    assert spring.astimezone(lisbon).isoformat() == "2026-03-29T02:30:00+01:00"
    autumn = list(islice(slots(timing, datetime(2026, 10, 24, 12, tzinfo=UTC), lisbon), 2))
    assert [moment.astimezone(lisbon).isoformat() for moment in autumn] == [
        "2026-10-25T01:30:00+01:00",
        "2026-10-26T01:30:00+00:00",
    ]


def test_cron_counts_every_ten_minutes_through_the_hour_that_comes_twice() -> None:
    lisbon = ZoneInfo("Europe/Lisbon")
    found = slots_until(
        Timing("job", Cron("*/10 * * * *")),
        datetime(2026, 10, 24, 23, 55, tzinfo=UTC),
        datetime(2026, 10, 25, 2, 55, tzinfo=UTC),
        lisbon,
    )
    assert found == [datetime(2026, 10, 25, tzinfo=UTC) + timedelta(minutes=10 * number) for number in range(18)]


@given(
    after=st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC)),
    zone=st.sampled_from(ZONES),
    timing=st.sampled_from(
        [
            Timing("a", Interval(300)),
            Timing("b", Interval(1800), jitter_s=540),
            Timing("c", DailyAt(time(4, 0)), jitter_s=600),
            Timing("d", DailyAt(time(10, 0), 2)),
            Timing("e", Cron("*/10 * * * *")),
            Timing("f", Cron("30 1 * * *")),
            Timing("g", Cron("0 9 1 * *")),
        ]
    ),
)
def test_slots_lie_ahead_in_order_and_do_not_depend_on_when_one_asks(
    after: datetime, zone: str, timing: Timing
) -> None:
    place = ZoneInfo(zone)
    found = list(islice(slots(timing, after, place), 4))
    assert after < found[0]
    assert found == sorted(set(found))
    assert next(slots(timing, found[0], place)) == found[1]


def test_a_missed_daily_job_is_made_good_once_and_then_keeps_its_hour() -> None:
    timing = Timing("consolidate", DailyAt(time(4, 0)), catch_up="once")
    ran = [datetime(2026, 3, 20, 4, tzinfo=UTC)]
    assert next_run(timing, NOON, UTC, ran, ran[0]) == NOON
    assert next_run(timing, NOON, UTC, [*ran, NOON], ran[0]) == datetime(2026, 3, 25, 4, tzinfo=UTC)


def test_made_good_in_the_morning_it_does_not_run_again_at_its_hour_that_day() -> None:
    timing = Timing("reflection", DailyAt(time(10, 0)), catch_up="once")
    yesterday, boot = datetime(2026, 3, 22, 10, tzinfo=UTC), datetime(2026, 3, 24, 9, 30, tzinfo=UTC)
    assert next_run(timing, boot, UTC, [yesterday], yesterday) == boot
    assert next_run(timing, boot, UTC, [yesterday, boot], yesterday) == datetime(2026, 3, 25, 10, tzinfo=UTC)


def test_outreach_is_never_made_good() -> None:
    timing = Timing("outreach", DailyAt(time(10, 0)))
    ran = [datetime(2026, 3, 20, 10, tzinfo=UTC)]
    assert next_run(timing, NOON, UTC, ran, ran[0]) == datetime(2026, 3, 25, 10, tzinfo=UTC)


def test_a_little_late_is_not_missed() -> None:
    timing = Timing("outreach", DailyAt(time(10, 0)))
    late = datetime(2026, 3, 24, 10, 3, tzinfo=UTC)
    due = next_run(timing, late, UTC, [datetime(2026, 3, 23, 10, tzinfo=UTC)], NOON - timedelta(days=9))
    assert due == datetime(2026, 3, 24, 10, tzinfo=UTC)


@pytest.mark.parametrize("days", [1, -1])
def test_after_a_jump_of_the_clock_no_local_day_is_served_twice(days: int) -> None:
    timing = Timing("job", DailyAt(time(10, 0)), catch_up="once")
    ran = [datetime(2026, 3, day, 10, tzinfo=UTC) for day in (21, 22, 23)]
    now = datetime(2026, 3, 24, 9, 30, tzinfo=UTC) + timedelta(days=days)
    for _ in range(4):
        due = next_run(timing, now, UTC, ran, ran[0])
        assert due is not None
        now = max(now, due)
        ran.append(now)
    served = Counter(moment.date() for moment in ran)
    assert max(served.values()) == 1


def test_a_run_noted_by_a_clock_far_ahead_does_not_silence_a_job_for_years() -> None:
    timing = Timing("job", DailyAt(time(10, 0)))
    wrong = [datetime(2031, 1, 1, 10, tzinfo=UTC)]
    assert next_run(timing, NOON, UTC, wrong, NOON) == datetime(2026, 3, 25, 10, tzinfo=UTC)


def test_intervals_do_not_burst_after_a_pause_and_do_not_stall_when_the_clock_goes_back() -> None:
    timing = Timing("pulse", Interval(300))
    soon = timedelta(seconds=300)
    for last in (NOON - timedelta(days=3), NOON + timedelta(days=1), NOON + timedelta(days=900)):
        due = next_run(timing, NOON, UTC, [last], last)
        assert due is not None
        assert NOON - soon <= due <= NOON + soon
        after = next_run(timing, max(NOON, due), UTC, [last, max(NOON, due)], last)
        assert after is not None
        assert after > max(NOON, due)


def test_silence_is_noticed_once() -> None:
    timing = Timing("loop", Idle(600))
    spoken = NOON - timedelta(minutes=2)
    due = next_run(timing, NOON, UTC, [], NOON, spoken)
    assert due == spoken + timedelta(seconds=600)
    assert next_run(timing, NOON, UTC, [due], NOON, spoken) is None
    assert next_run(timing, NOON, UTC, [], NOON, None) is None
    assert list(slots(timing, NOON, ZoneInfo("UTC"))) == []


def test_jobs_of_one_interval_do_not_start_in_step() -> None:
    dues = {next(slots(Timing(name, Interval(900)), NOON, ZoneInfo("UTC"))) for name in ("soul", "post", "pulse")}
    assert len(dues) == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("every 5 minutes", Interval(300)),
        ("every hour", Interval(3600)),
        ("every 3 hours", Interval(10800)),
        ("Daily 06:00", DailyAt(time(6, 0))),
        ("wednesday 10:00", DailyAt(time(10, 0), 2)),
        ("cron: */10 * * * *", Cron("*/10 * * * *")),
        ("idle 600 s", Idle(600)),
    ],
)
def test_the_forms_that_are_understood(text: str, expected: object) -> None:
    assert parse_when(text) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sometimes", "write it like"),
        ("dayly 06:00", "did you mean 'daily'"),
        ("wensday 10:00", "did you mean 'wednesday'"),
        ("daily 25:00", "25:00 is not a time of day"),
        ("every 0 minutes", "at least one second"),
        ("cron: * * * *", "five fields"),
        ("cron: 61 * * * *", "61"),
        ("cron: 0 0 30 2 *", "cron"),
    ],
)
def test_what_is_not_understood_is_said(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=r".+") as caught:
        parse_when(text)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("when", "jitter"), [(Interval(60), 31.0), (DailyAt(time(23, 55)), 600.0), (DailyAt(time(4, 0)), -1.0)]
)
def test_a_jitter_that_would_mix_up_slots_is_refused(when: Interval | DailyAt, jitter: float) -> None:
    with pytest.raises(ValueError, match="jitter"):
        Timing("job", when, jitter)
