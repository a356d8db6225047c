"""What moved feelings besides time, and how their curve and the moods of a day come about."""

from __future__ import annotations

from datetime import timedelta

import pytest

from furoshiki.feelings.rules import emotions
from furoshiki.feelings.rules.mood import Moment, curve, largest, list_prevailing
from tests.support.laws import NOON, shipped

LAWS = shipped().emotions
REST = emotions.at_rest(LAWS)
HOUR = timedelta(hours=1)


def at(hours: float, felt: emotions.Emotions = REST, mood: str = "content", *causes: str) -> Moment:
    return Moment(NOON + hours * HOUR, felt, mood, causes)


def test_what_time_does_is_no_move() -> None:
    glad = REST.moved({"joy": 0.5})
    assert largest([at(0, glad), at(3, emotions.drift(glad, 3, LAWS)), at(90)], LAWS) is None
    assert largest([], LAWS) is None and largest([at(0)], LAWS) is None


def test_the_largest_move_is_found_through_the_drift_the_later_of_equals() -> None:
    sad = REST.moved({"worry": 0.4})
    less = emotions.drift(sad, 1, LAWS).moved({"joy": 0.2, "pride": -0.1})
    found = largest([at(0), at(1, sad, "worried", "worry_triggered"), at(2, less)], LAWS)
    assert found is not None
    assert (found.emotion, found.at, found.causes) == ("worry", NOON + HOUR, ("worry_triggered",))
    assert found.by == pytest.approx(0.4)
    fallen = largest([at(1, sad), at(1.5, sad.moved({"worry": -0.4}))], LAWS)
    assert fallen is not None and fallen.by < -0.3
    twice = largest([at(0), at(1, REST.moved({"joy": 0.3})), at(20), at(21, REST.moved({"joy": 0.3}))], LAWS)
    assert twice is not None and twice.at == NOON + 21 * HOUR


def test_a_curve_has_a_mean_for_each_stretch_and_gaps_where_nobody_looked() -> None:
    moments = [at(1, REST.moved({"joy": 0.1})), at(2, REST.moved({"joy": 0.3})), at(9), at(99)]
    joy = curve(moments, NOON, NOON + 12 * HOUR, 3)["joy"]
    assert joy[0] == pytest.approx(REST.joy + 0.2) and joy[1] is None and joy[2] == pytest.approx(REST.joy)


def test_a_day_is_called_after_the_moods_that_lasted() -> None:
    moments = [at(0, mood="curious"), at(1, mood="lonely"), at(6, mood="curious"), at(6.5, mood="tender")]
    days = {"today": (NOON, NOON + 7 * HOUR), "tomorrow": (NOON + 7 * HOUR, NOON + 9 * HOUR)}
    assert list_prevailing(moments, days) == {"today": ["lonely", "curious"], "tomorrow": []}
