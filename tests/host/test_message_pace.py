"""A person is never slowed down, somebody who floods is."""

from __future__ import annotations

import pytest

from furoshiki.host.minds import AT_ONCE, PER_SECOND, MessagePace


def test_a_person_who_writes_is_answered_without_a_pause() -> None:
    pace = MessagePace(0.0)
    assert not any(pace.count(3, float(second)) for second in range(60))


def test_a_flood_is_answered_at_a_steady_pace() -> None:
    pace, now, answered = MessagePace(0.0), 0.0, 0
    for _ in range(50):
        now += pace.count(20, now)
        answered += 20
    assert answered / now == pytest.approx(PER_SECOND, rel=0.05)


def test_after_a_rest_as_much_as_before_is_answered_at_once() -> None:
    pace = MessagePace(0.0)
    assert pace.count(100, 0.0) == pytest.approx((100 - AT_ONCE) / PER_SECOND)
    assert not pace.count(int(AT_ONCE), 3600.0)
    assert pace.count(1, 3600.0) > 0.0
