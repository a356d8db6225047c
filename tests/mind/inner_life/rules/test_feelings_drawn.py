"""The course of feelings as panels and words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from furoshiki.feelings.rules.emotions import NAMES, at_rest
from furoshiki.feelings.rules.mood import Moment
from furoshiki.feelings.rules.needs import NEEDS
from furoshiki.mind.inner_life.rules import feelings_drawn
from furoshiki.mind.inner_life.rules.feelings_drawn import GAP
from tests.support.laws import shipped

START = datetime(2026, 3, 24, tzinfo=UTC)
LAWS = shipped()
REST = at_rest(LAWS.emotions)


def moment(hours: float, mood: str = "content", **emotions: float) -> Moment:
    return Moment(START + timedelta(hours=hours), replace(REST, **emotions), mood)


def test_all_that_is_felt_and_needed_is_there_once() -> None:
    emotions, needs = feelings_drawn.groups([moment(0, joy=0.7), moment(1, joy=0.2)], LAWS, GAP)
    assert sorted(one.title for one in emotions.panels) == sorted(NAMES)
    assert [one.title for one in needs.panels] == [feelings_drawn.name_need(name) for name in NEEDS]
    [joy] = [one for one in emotions.panels if one.title == "joy"]
    assert [value for _, value in joy.series[0].points] == [0.7, 0.2]
    assert joy.levels[0].value == LAWS.emotions.natural["joy"]
    law = LAWS.needs.each["connection"]
    [bands] = [one.bands for one in needs.panels if one.title == "connection"]
    assert [(one.low, one.high, one.tone) for one in bands] == [(law.amber, law.rose, "amber"), (law.rose, 1.0, "rose")]


def test_a_mood_holds_until_the_next_but_not_where_nothing_was_written_down() -> None:
    lived = [moment(0), moment(1), moment(2, "curious"), moment(10, "lonely"), moment(11, "lonely")]
    found = feelings_drawn.moods(lived, START + timedelta(hours=12), GAP)
    hours = [
        (one.label, (one.start - START) / timedelta(hours=1), (one.end - START) / timedelta(hours=1)) for one in found
    ]
    assert hours == [("content", 0, 2), ("lonely", 10, 12)]


def test_a_long_course_is_told_in_means_and_ends_with_what_is_now() -> None:
    month = [moment(hour / 4, "curious" if hour % 3 else "content", joy=hour % 2 * 0.4) for hour in range(30 * 96)]
    shown, stretch = feelings_drawn.smooth(month, START, month[-1].at)
    assert stretch == timedelta(hours=4) and len(shown) == 181
    assert {round(one.emotions.joy, 6) for one in shown[:-2]} == {0.2} and shown[5].mood == "curious"
    assert shown[-1] == month[-1]
    week = [one for one in month if one.at < START + timedelta(days=7)]
    assert feelings_drawn.smooth(week, START, week[-1].at) == (week, None)


def test_it_is_told_in_words() -> None:
    lived = [moment(0, "lonely", joy=0.1), moment(1, "lonely", joy=0.9), moment(2), moment(2.5)]
    told = feelings_drawn.in_words(lived, LAWS)
    assert told.startswith("Mostly lonely, then content. What moved most: joy (10 to 90%, now 30%).")
    assert feelings_drawn.in_words([moment(0)], LAWS).startswith("Mostly content. Hardly anything moved.")
    assert "I needed connection." in feelings_drawn.in_words([moment(0, loneliness=1.0, affection=0.0)], LAWS)
