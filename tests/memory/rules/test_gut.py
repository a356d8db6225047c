"""Gut feeling as geometry: intensity is a distance, valence a direction, and an empty mind feels nothing."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.memory.rules import gut
from furoshiki.memory.rules.gut import NEUTRAL, Gut, UsualFeelings

numbers = st.floats(-1, 1)
vectors = st.lists(numbers, min_size=4, max_size=4).filter(lambda vector: math.hypot(*vector) > 0.01)
units = vectors.map(lambda vector: [value / math.hypot(*vector) for value in vector])

EAST, NORTH, WEST = [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]


def test_the_subconscious_is_half_identity_a_quarter_goals_a_quarter_everything() -> None:
    found = gut.subconscious([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0])
    assert found is not None
    assert [value / sum(found) for value in found] == pytest.approx([0.5, 0.25, 0.25])
    assert math.hypot(*found) == pytest.approx(1)


def test_what_there_is_none_of_leaves_its_share_to_the_others() -> None:
    assert gut.subconscious(None, None, NORTH) == NORTH
    assert gut.subconscious(None, None, None) is None


def test_what_was_just_said_holds_the_most_attention() -> None:
    found = gut.attention([(EAST, 0.0), (NORTH, 600.0)])
    assert found is not None
    assert found[1] / found[0] == pytest.approx(0.5)


@given(units, units)
def test_intensity_is_half_the_distance(here: list[float], deep: list[float]) -> None:
    felt = gut.feel(here, deep)
    assert 0 <= felt.intensity <= 1
    assert felt.intensity == pytest.approx(math.dist(here, deep) / 2, abs=1e-9)
    assert -1 <= felt.valence <= 1
    assert 0 <= felt.charge <= 1


@given(units, units, units)
def test_the_direction_of_good_outcomes_decides_the_valence(
    here: list[float], deep: list[float], direction: list[float]
) -> None:
    felt = gut.feel(here, deep, direction)
    other = gut.feel(here, deep, [-value for value in direction])
    assert felt.valence == pytest.approx(-other.valence) or felt.intensity == 0


def test_without_a_direction_the_familiar_feels_good() -> None:
    assert gut.feel(EAST, EAST).valence == 1
    assert gut.feel(NORTH, EAST).valence == 0
    assert gut.feel(WEST, EAST).valence == -1
    assert gut.feel(WEST, EAST, direction=WEST).valence == 1


@pytest.mark.parametrize(("here", "deep"), [(None, EAST), (EAST, None), (None, None), ([1.0, 0.0, 0.0], EAST)])
def test_with_nothing_to_feel_it_is_neutral(here: list[float] | None, deep: list[float] | None) -> None:
    assert gut.feel(here, deep) == NEUTRAL
    assert (NEUTRAL.word, NEUTRAL.feelings, NEUTRAL.charge) == (None, {}, 0)


@pytest.mark.parametrize(
    ("outcomes", "misled"),
    [
        ([-0.8] * 6 + [0.7] * 6, True),
        ([0.7] * 6 + [-0.8] * 6, False),
        ([-0.8] * 3 + [0.7] * 3, False),
        ([0.0] * 12, False),
        ([None] * 12, False),
        ([0.5, -0.5] * 6, False),
    ],
    ids=["always wrong", "right", "too few", "nothing followed", "not known", "now and then"],
)
def test_a_gut_that_was_wrong_again_and_again_is_believed_no_more(outcomes: list[float | None], misled: bool) -> None:
    half = len(outcomes) // 2
    felt = [(0.2, 0.5 if at < half else -0.5, outcome) for at, outcome in enumerate(outcomes)]
    usual = UsualFeelings.of([*felt, *[(0.2 + 0.01 * (at % 2), 0.1, None) for at in range(20)]])
    assert usual.misled is misled
    found = gut.feel(EAST, [0.5, math.sqrt(0.75)], usual=usual)
    assert found.valence > gut.CLEAR_VALENCE, "what it felt is noted all the same, to be judged"
    assert (found.word, found.charge > 0) == (("stirred", False) if misled else ("drawn", True))


@pytest.mark.parametrize(
    ("here", "direction", "usual", "word"),
    [
        (NORTH, NORTH, UsualFeelings(20, 0.5, 0.1), "drawn"),
        (NORTH, [0.0, -1.0], UsualFeelings(20, 0.5, 0.1), "wary"),
        (NORTH, None, UsualFeelings(20, 0.5, 0.1), "stirred"),
        (NORTH, NORTH, UsualFeelings(20, 0.65, 0.1), None),  # hardly more than usual
        (NORTH, NORTH, UsualFeelings(19, 0.5, 0.1), None),  # too early to say what is usual
        (NORTH, NORTH, UsualFeelings(20, 0.5, 0.0), None),
    ],
)
def test_only_an_unusual_feeling_is_noticed(
    here: list[float], direction: list[float] | None, usual: UsualFeelings, word: str | None
) -> None:
    assert gut.feel(here, EAST, direction, usual).word == word


def test_a_feeling_is_about_the_end_of_the_axis_it_points_to() -> None:
    axes = [("sea, boat ↔ office, boss", [-0.7, 0.7]), ("quiet", [0.0, 1.0])]
    assert gut.feel(NORTH, EAST, axes=axes).about == "sea, boat"
    assert gut.feel(EAST, NORTH, axes=axes).about == "office, boss"
    assert gut.feel(EAST, NORTH, axes=axes[1:]).about is None  # nothing is called by the other end
    assert gut.feel(EAST, NORTH, axes=[("a ↔ b", [1.0, 1.0, 1.0])]).about is None


@pytest.mark.parametrize(
    ("signals", "outcome"),
    [
        ({}, 0.0),
        ({"praise": 0.8}, 0.8),
        ({"anger": 0.7, "warmth": 0.2}, -0.5),
        ({"disengagement": 1.0}, -1.0),
        ({"sadness": 1.0, "worry": 0.9}, 0.0),
    ],
)
def test_what_is_said_next_tells_how_it_went(signals: dict[str, float], outcome: float) -> None:
    assert gut.outcome(signals) == pytest.approx(outcome)


def test_a_feeling_colours_relevance_as_a_signal() -> None:
    assert Gut(intensity=0.5, valence=0.4).feelings == {"warmth": pytest.approx(0.2)}
    assert Gut(intensity=0.5, valence=-0.4).feelings == {"worry": pytest.approx(0.2)}


@pytest.mark.parametrize(
    ("correlation", "outcomes", "telling"),
    [(0.5, 40, True), (-0.5, 40, True), (0.2, 400, False), (0.5, 9, False), (0.5, 12, False), (None, 99, False)],
)
def test_an_axis_means_something_when_it_goes_with_outcomes(
    correlation: float | None, outcomes: int, telling: bool
) -> None:
    assert gut.telling(correlation, outcomes) is telling


def test_an_axis_is_called_by_words_that_its_memories_share_and_others_do_not() -> None:
    texts = [("sea", "boat", "noor", "2026"), ("sea", "boat", "noor"), ("sea", "sand", "noor", "ox")]
    words = gut.key_words(texts, {"noor": 0.9, "sea": 0.02, "boat": 0.01})
    assert words == ["sea", "boat"]
    assert gut.name(words, ["boss", "sea"]) == "sea, boat ↔ boss"
    assert gut.name(words, ["sea"]) == "sea, boat"
    assert gut.name([], ["boss"]) is None
    assert gut.key_words([], {}) == []
