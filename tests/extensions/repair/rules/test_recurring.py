"""Three of a kind within a day are a job; what was decided, stopped, or reported twice is not counted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from furoshiki.extensions.repair.rules import recurring
from furoshiki.extensions.repair.rules.recurring import Failure
from furoshiki.extensions.repair.rules.signatures import Raised

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)


def failed(hours: float, script: str = "brain", message: str = "no row 3", runs: bool = False) -> Failure:
    """A failure so many hours ago; with `runs` the end of a run that took an hour."""
    at = NOW - timedelta(hours=hours)
    return Failure(script, at, Raised("ValueError", message), f"at {hours}", at - timedelta(hours=1) if runs else None)


def test_three_of_a_kind_within_a_day_come_back() -> None:
    (found,) = recurring.find_recurring([failed(3, message="no row 9"), failed(23.9), failed(1)], {}, NOW)
    assert (found.script, found.kind, found.times) == ("brain", "ValueError", 3)
    assert (found.first_at, found.last_at) == (NOW - timedelta(hours=23.9), NOW - timedelta(hours=1))
    assert (found.message, found.evidence) == ("no row 3", "at 1")


def test_two_of_a_kind_or_older_ones_do_not() -> None:
    assert recurring.find_recurring([failed(1), failed(2), failed(24.1), failed(3, "listener")], {}, NOW) == []


def test_what_lies_in_the_future_is_a_clock_gone_wrong() -> None:
    assert recurring.find_recurring([failed(1), failed(2), failed(-0.1)], {}, NOW) == []


def test_what_was_before_the_last_decision_counts_no_more() -> None:
    all_ = [failed(hours) for hours in (1, 2, 3, 4)]
    settled = {all_[0].signature: NOW - timedelta(hours=3)}
    assert recurring.find_recurring(all_, settled, NOW) == []
    assert recurring.find_recurring([*all_, failed(0.5)], settled, NOW)[0].times == 3


def test_a_run_that_failed_and_logged_why_is_one_failure() -> None:
    logged = [failed(hours + 0.5) for hours in (1, 2)]
    run = [failed(hours, message="told otherwise", runs=True) for hours in (1, 2)]
    assert recurring.find_recurring([*run, *logged], {}, NOW) == []
    alone = [failed(hours, message="told otherwise", runs=True) for hours in (5, 6, 7)]
    assert [one.times for one in recurring.find_recurring([*run, *logged, *alone], {}, NOW)] == [3]


def test_the_newest_stands_last_and_evidence_is_the_end_of_what_there_is() -> None:
    other = [Failure("p", NOW, Raised("E", "x"), "y" * 20_000 + "end")] * 3
    found = recurring.find_recurring([*other, *[failed(hours) for hours in (1, 2, 3)]], {}, NOW)
    assert [one.script for one in found] == ["brain", "p"]
    assert len(found[1].evidence) == recurring.LONGEST_EVIDENCE and found[1].evidence.endswith("end")
