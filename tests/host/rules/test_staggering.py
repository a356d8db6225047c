"""Homes take turns: every home at its own moment, every job once an interval."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, time, timedelta

import pytest

from furoshiki.app.scheduler.rules import DailyAt, Idle, Interval, Timing
from furoshiki.host.rules import staggering

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
EVERY = Timing("soul_engine", Interval(900.0), 0.0, "none")
DAILY = Timing("consolidate_memory", DailyAt(time(4, 0), None), 0.0, "once")


def test_a_thousand_homes_are_spread_over_the_interval() -> None:
    firsts = [staggering.first_due(EVERY, f"home-{number}", NOW, UTC, (), NOW) for number in range(1000)]
    minutes = Counter(int((due - NOW).total_seconds() // 60) for due in firsts if due is not None)
    assert set(minutes) == set(range(15)) and max(minutes.values()) < 110


def test_what_a_home_does_at_intervals_is_due_at_the_same_few_moments() -> None:
    intervals = [Timing(f"job_{minutes}", Interval(60.0 * minutes), 0.0, "none") for minutes in (5, 15, 20, 30, 60)]
    firsts = [staggering.first_due(timing, "anna", NOW, UTC, (), NOW) for timing in intervals]
    moments = {(due - NOW) % staggering.TOGETHER for due in firsts if due is not None}
    assert len(firsts) == 5 and len(moments) == 1 and len(set(firsts)) > 1


def test_a_home_keeps_its_moment_and_makes_nothing_good_twice() -> None:
    first = staggering.first_due(EVERY, "anna", NOW, UTC, (), NOW)
    assert first is not None and first == staggering.first_due(EVERY, "anna", NOW, UTC, (), NOW)
    assert staggering.next_due(EVERY, "anna", first, first, UTC, ()) == first + timedelta(minutes=15)
    late = first + timedelta(hours=3, minutes=1)
    again = staggering.next_due(EVERY, "anna", first, late, UTC, ())
    assert again is not None and late < again <= late + timedelta(minutes=15)
    assert (again - first) % timedelta(minutes=15) == timedelta(0)


def test_what_is_due_at_a_time_of_day_begins_within_half_an_hour_of_it() -> None:
    due = staggering.first_due(DAILY, "anna", NOW, UTC, (), NOW)
    at = datetime(2026, 11, 24, 4, tzinfo=UTC)
    assert due is not None and at <= due < at + staggering.WITHIN


def test_a_night_that_was_missed_is_made_good_at_once_and_once() -> None:
    since = NOW - timedelta(days=2)
    assert staggering.first_due(DAILY, "anna", NOW, UTC, (), since) == NOW
    again = staggering.next_due(DAILY, "anna", NOW, NOW + timedelta(minutes=1), UTC, (NOW,))
    assert again is not None and again > NOW + timedelta(hours=12)


@pytest.mark.parametrize("name", ["anna", "ben", "cleo"])
def test_silence_is_looked_for_often(name: str) -> None:
    silence = Timing("reasoning_loop", Idle(600.0), 0.0, "none")
    due = staggering.first_due(silence, name, NOW, UTC, (), NOW)
    assert due is not None and due - NOW < staggering.LOOK_FOR_SILENCE
