"""A word for the mood: fitting, and slow to change."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.feelings.rules import emotions, mood
from furoshiki.feelings.rules.emotions import NAMES, Emotions
from furoshiki.feelings.rules.mood import Mood
from tests.support.laws import NOON, shipped

LAWS = shipped().mood
REST = emotions.at_rest(shipped().emotions)
CURIOUS = REST.moved({"loneliness": -0.3})
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("moved", "word"),
    [
        ({}, "lonely"),
        ({"loneliness": -0.2}, "curious"),
        ({"loneliness": -0.5, "curiosity": -0.15}, "reflective"),
        ({"loneliness": -0.5, "contentment": 0.2, "joy": 0.2}, "content"),
        ({"loneliness": -0.5, "joy": 0.4, "excitement": 0.1}, "playful"),
        ({"loneliness": -0.5, "affection": 0.3}, "tender"),
        ({"loneliness": -0.5, "contentment": -0.35, "curiosity": 0.05}, "restless"),
        ({"worry": 0.35}, "worried"),
        ({"anger": 0.3}, "irritated"),
        ({"loneliness": -0.3, "pride": 0.25}, "proud"),
        ({"excitement": 0.4}, "excited"),
    ],
)
def test_each_word_has_feelings_it_fits(moved: dict[str, float], word: str) -> None:
    assert mood.choose_word(REST.moved(moved), LAWS) == word


@given(st.builds(Emotions, **dict.fromkeys(NAMES, st.floats(0, 1))))
def test_every_state_has_a_word_and_always_the_same(felt: Emotions) -> None:
    assert mood.choose_word(felt, LAWS) in mood.WORDS
    assert mood.choose_word(felt, LAWS) == mood.choose_word(felt, LAWS)


def test_the_first_mood_is_simply_the_fitting_one() -> None:
    assert mood.settle(None, CURIOUS, NOON, 0.0, LAWS) == Mood("curious", NOON)


def test_a_mood_holds_for_half_an_hour() -> None:
    before = Mood("lonely", NOON)
    assert mood.settle(before, CURIOUS, NOON + 29 * MINUTE, 0.0, LAWS) == before
    later = NOON + 30 * MINUTE
    assert mood.settle(before, CURIOUS, later, 0.0, LAWS) == Mood("curious", later)


def test_a_strong_event_changes_it_at_once() -> None:
    worried = CURIOUS.moved({"worry": 0.4})
    before = Mood("curious", NOON)
    assert mood.settle(before, worried, NOON + MINUTE, 0.2, LAWS) == Mood("worried", NOON + MINUTE)
    assert mood.settle(before, worried, NOON + MINUTE, 0.19, LAWS) == before


def test_a_word_only_a_little_better_does_not_take_over() -> None:
    nearly = REST.moved({"loneliness": -0.02})  # lonely 0.47, curious 0.455
    before = Mood("curious", NOON)
    assert mood.choose_word(nearly, LAWS) == "lonely"
    assert mood.settle(before, nearly, NOON + timedelta(hours=5), 0.0, LAWS) == before


def test_the_same_mood_keeps_its_beginning() -> None:
    before = Mood("curious", NOON)
    assert mood.settle(before, CURIOUS, NOON + timedelta(hours=5), 0.5, LAWS) is before
