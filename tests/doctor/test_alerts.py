"""When somebody is bothered: once, again after a day, once when it is over, and never in between."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from doctor_checks.findings import Alert, Finding, well, wrong
from doctor_checks.telling import alerts
from hypothesis import given
from hypothesis import strategies as st

from tests.doctor.conftest import NOON

FULL = wrong("disk", "the disk is full", "make room")
DARK = wrong("database", "the database is damaged", "restore")


def told(days: Sequence[tuple[float, Sequence[Finding]]], results: Sequence[str] = ()) -> list[str]:
    """What is said at each look (hours, findings); `results` are what Telegram made of the first messages."""
    kept: dict[str, Any] = {}
    said, ends = [], iter(results)
    for hours, found in days:
        now = NOON + timedelta(hours=hours)
        kept, message = alerts.judged(found, kept, now)
        said.append("" if message is None else message.text)
        if message is not None:
            end = next(ends, "sent")
            if end == "sent":
                alerts.sent(kept, message, now)
            elif end == "not sent":
                alerts.not_sent(kept, message)
    return said


def test_a_condition_is_told_once_again_after_a_day_and_when_it_is_over() -> None:
    said = told([(0, [FULL]), (1, [FULL]), (23.9, [FULL]), (24.1, [FULL]), (25, [FULL]), (26, []), (27, []), (99, [])])
    assert said == [
        "✗ the disk is full\n   → make room",
        "",
        "",
        "✗ the disk is full\n   → make room",
        "",
        "✓ over: the disk is full",
        "",
        "",
    ]


def test_what_is_well_is_never_told() -> None:
    assert told([(0, [well("disk", "there is room")])]) == [""]


def test_two_conditions_come_in_one_message() -> None:
    first, second = told([(0, [FULL, DARK]), (1, [DARK])])
    assert "the disk is full" in first
    assert "the database is damaged" in first
    assert second == "✓ over: the disk is full"


def test_what_comes_and_goes_is_told_once_an_hour() -> None:
    looks = [(number / 6, [FULL] if number % 2 == 0 else []) for number in range(24)]
    said = told(looks)
    assert sum("✗" in words for words in said) == 4
    assert sum("over" in words for words in said) <= 4


@pytest.mark.parametrize(
    ("alert", "expected"),
    [("once", ["x", "", "", ""]), ("while", ["x", "", "x", "over"]), ("never", ["", "", "", ""])],
)
def test_how_often_goes_by_its_kind(alert: Alert, expected: list[str]) -> None:
    one = Finding("clock", "wrong", "the clock is odd", "", alert)
    said = told([(0, [one]), (1, [one]), (25, [one]), (26, [])])
    assert [bool(words) for words in said] == [bool(words) for words in expected]


def test_an_event_is_told_each_time_and_never_as_over() -> None:
    closed = Finding("secrets", "mended", "closed .env", "", "event")
    assert [bool(words) for words in told([(0, [closed]), (1, []), (2, [closed]), (3, [])])] == [
        True,
        False,
        True,
        False,
    ]


def test_an_event_that_comes_with_every_look_is_told_once_an_hour() -> None:
    closed = Finding("secrets", "mended", "closed .env", "", "event")
    assert sum(bool(words) for words in told([(number / 6, [closed]) for number in range(18)])) == 3


def test_what_telegram_did_not_take_is_told_with_the_next_look() -> None:
    looks = [(number / 6, [FULL]) for number in range(6)]
    assert [bool(words) for words in told(looks, ["not sent"] * 3)] == [True, True, True, True, False, False]


def test_what_nobody_knows_the_end_of_is_tried_three_times() -> None:
    looks = [(number / 6, [FULL]) for number in range(6)]
    assert [bool(words) for words in told(looks, ["unknown"] * 9)] == [True, True, True, False, False, False]


def test_a_day_later_they_are_tried_again() -> None:
    looks = [(float(hours), [FULL]) for hours in range(0, 30, 6)]
    said = told([(0, [FULL]), (0.2, [FULL]), (0.4, [FULL]), *looks[1:]], ["unknown"] * 3)
    assert [bool(words) for words in said] == [True, True, True, False, False, False, False]
    assert told([*((number / 6, [FULL]) for number in range(4)), (25, [FULL])], ["unknown"] * 3)[-2:] == [
        "",
        "✗ the disk is full\n   → make room",
    ]


def test_a_condition_nobody_heard_of_ends_in_silence() -> None:
    assert told([(0, [FULL]), (1, [])], ["not sent"]) == ["✗ the disk is full\n   → make room", ""]


def test_a_clock_set_back_keeps_nobody_from_being_told() -> None:
    said = told([(100, [FULL]), (0, [FULL]), (1, [FULL])])
    assert [bool(words) for words in said] == [True, True, False]


def test_without_any_memory_there_is_one_look_a_day_that_may_tell() -> None:
    looks = [NOON + timedelta(minutes=10 * number) for number in range(144 * 3)]
    assert sum(map(alerts.in_slot, looks)) == 3


@given(
    st.dictionaries(
        st.sampled_from(["disk", "database", "clock"]),
        st.one_of(
            st.none(),
            st.integers(),
            st.dictionaries(
                st.sampled_from(["since", "told_at", "over", "tries", "kind", "words", "told_over"]),
                st.one_of(st.none(), st.text(max_size=30), st.integers(), st.booleans(), st.just("2026-05-13T12:00")),
            ),
        ),
    )
)
def test_a_garbled_memory_breaks_nothing(kept: dict[str, Any]) -> None:
    after, message = alerts.judged([FULL], kept, NOON)
    if message is not None:
        alerts.sent(after, message, NOON)
    again, _ = alerts.judged([FULL], after, NOON + timedelta(minutes=10))
    assert isinstance(again["disk"], dict)
