"""Feelings drift home exactly, stay within bounds, and move by the laws of config/inner_life.toml."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.feelings.rules import emotions
from furoshiki.feelings.rules.emotions import NAMES, Emotions
from furoshiki.language.lexicon import CATEGORIES
from tests.support.laws import NOON, shipped

LAWS = shipped().emotions
REST = emotions.at_rest(LAWS)
levels = st.floats(0, 1)
feelings = st.builds(Emotions, **dict.fromkeys(NAMES, levels))


def close(a: Emotions, b: Emotions) -> bool:
    return emotions.largest_move(a, b) < 1e-9


@given(feelings, st.floats(0, 12), st.integers(1, 6))
def test_one_long_rest_equals_many_short_ones(felt: Emotions, hours: float, parts: int) -> None:
    whole = emotions.drift(felt, hours, LAWS)
    pieces = felt
    for _ in range(parts):
        pieces = emotions.drift(pieces, hours / parts, LAWS)
    assert close(whole, pieces)


@given(feelings, st.floats(-1e6, 1e6))
def test_drift_goes_towards_the_natural_level_and_never_past_it(felt: Emotions, hours: float) -> None:
    after = emotions.drift(felt, hours, LAWS).as_mapping()
    for name, was in felt.as_mapping().items():
        home = LAWS.natural[name]
        assert min(was, home) <= after[name] <= max(was, home)


def test_six_hours_of_absence_in_figures() -> None:
    stirred = {"joy": 0.8, "curiosity": 0.9, "contentment": 0.6, "excitement": 0.6, "affection": 0.9, "pride": 0.3}
    felt = Emotions(**stirred, loneliness=0.5, worry=0.5, anger=0.5)
    after = emotions.drift(felt, 6, LAWS)
    assert after.loneliness == pytest.approx(0.74)
    assert after.joy == pytest.approx(0.44)
    assert after.curiosity == pytest.approx(0.72)
    assert after.contentment == pytest.approx(0.54)
    assert after.excitement == pytest.approx(0.30)
    assert after.affection == pytest.approx(0.78)
    assert after.worry == pytest.approx(0.32)
    assert after.pride == pytest.approx(0.06)
    assert after.anger == pytest.approx(0.41)


def test_anger_fades_slowest_of_what_passes() -> None:
    assert all(LAWS.drift_per_hour["anger"] < LAWS.drift_per_hour[n] for n in ("joy", "worry", "pride", "excitement"))


def test_a_clock_that_jumps_counts_for_at_most_three_days_and_never_backwards() -> None:
    assert emotions.count_hours(NOON, NOON + timedelta(days=400), LAWS) == 72
    assert emotions.count_hours(NOON, NOON - timedelta(days=400), LAWS) == 0
    assert emotions.count_hours(NOON, NOON + timedelta(minutes=90), LAWS) == 1.5


def test_every_message_eases_loneliness_a_little() -> None:
    assert emotions.after_message(REST, LAWS).loneliness == pytest.approx(0.97)


def test_a_warm_session_in_figures() -> None:
    after = emotions.after_session(REST, quality=0.8, warmth=0.6, laws=LAWS)
    assert after.loneliness == pytest.approx(0.6)
    assert after.joy == pytest.approx(0.45)
    assert after.contentment == pytest.approx(0.57)
    assert after.affection == pytest.approx(0.56)


def test_a_cold_session_stings_instead() -> None:
    before = REST.moved({"loneliness": -0.5})
    after = emotions.after_session(before, quality=0.29, warmth=1.0, laws=LAWS)
    assert after.loneliness == pytest.approx(0.55)
    assert after.joy == pytest.approx(0.25)
    assert after.affection == before.affection


@pytest.mark.parametrize(
    ("event", "name", "by"),
    [
        ("excitement_triggered", "excitement", 0.25),
        ("worry_triggered", "worry", 0.20),
        ("anger_triggered", "anger", 0.20),
        ("pride_triggered", "pride", 0.12),
        ("pride_triggered", "affection", 0.04),
    ],
)
def test_events(event: str, name: str, by: float) -> None:
    after = emotions.after_event(REST, event, LAWS)
    assert getattr(after, name) == pytest.approx(getattr(REST, name) + by)


def test_an_unknown_event_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="joy_triggered"):
        emotions.after_event(REST, "joy_triggered", LAWS)


MIDDLE = Emotions(*[0.5] * 9)


@pytest.mark.parametrize(
    ("category", "up", "down"),
    [
        ("anger", {"anger"}, {"joy", "contentment"}),
        ("frustration", {"anger"}, {"joy", "contentment"}),
        ("praise", {"joy", "pride"}, set()),
        ("warmth", {"affection", "joy"}, {"anger"}),
        ("excitement", {"excitement", "joy"}, set()),
        ("worry", {"worry"}, {"contentment"}),
        ("sadness", {"worry"}, {"joy"}),
        ("curiosity", {"curiosity"}, set()),
        ("disengagement", set(), {"affection"}),
        ("relief", {"contentment"}, {"worry", "anger"}),
    ],
)
def test_signals_move_what_the_chapter_says(category: str, up: set[str], down: set[str]) -> None:
    after = emotions.after_signals(MIDDLE, {category: 0.5}, LAWS).as_mapping()
    assert {n for n in NAMES if after[n] > 0.5} == up
    assert {n for n in NAMES if after[n] < 0.5} == down


@given(feelings, st.dictionaries(st.sampled_from(CATEGORIES), st.floats(-5, 5)))
def test_signals_never_leave_the_range(felt: Emotions, strengths: dict[str, float]) -> None:
    after = emotions.after_signals(felt, strengths, LAWS)
    assert all(0 <= v <= 1 for v in after.as_mapping().values())


def test_a_weak_signal_moves_less() -> None:
    weak = emotions.after_signals(MIDDLE, {"worry": 0.3}, LAWS)
    strong = emotions.after_signals(MIDDLE, {"worry": 0.5}, LAWS)
    assert 0.5 < weak.worry < strong.worry


def test_questions_feed_curiosity_and_talk_spends_it() -> None:
    assert emotions.after_question(REST, LAWS).curiosity > REST.curiosity
    assert emotions.after_curiosity(REST, LAWS).curiosity == pytest.approx(0.57)


def test_a_feeling_outside_its_range_is_refused() -> None:
    with pytest.raises(ValueError, match="worry"):
        Emotions(**{**REST.as_mapping(), "worry": 1.2})


def test_feelings_survive_the_way_through_a_mapping() -> None:
    assert Emotions.from_mapping(REST.as_mapping()) == REST
    with pytest.raises(ValueError, match=r"emotions\.anger is missing"):
        Emotions.from_mapping({n: 0.1 for n in NAMES if n != "anger"})
    with pytest.raises(ValueError, match="did you mean 'joy'"):
        Emotions.from_mapping({**REST.as_mapping(), "joi": 0.1})
