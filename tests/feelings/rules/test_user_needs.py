"""What the human seems to need: nudged by words, blended with readings, faded by silence."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.feelings.rules import user_needs
from furoshiki.feelings.rules.user_needs import DIMENSIONS, UserNeed
from furoshiki.language.lexicon import CATEGORIES
from tests.support.laws import NOON, shipped

LAWS = shipped().user_needs
FRESH = user_needs.unknown(NOON, LAWS)
HOUR = timedelta(hours=1)


def sure(**levels: float) -> dict[str, UserNeed]:
    return {**FRESH, **{name: UserNeed(level, 0.8, NOON) for name, level in levels.items()}}


def test_confidence_halves_every_36_hours_of_silence() -> None:
    need = UserNeed(0.7, 0.8, NOON)
    assert user_needs.confidence_at(need, NOON + 36 * HOUR, LAWS) == pytest.approx(0.4)
    assert user_needs.confidence_at(need, NOON + 72 * HOUR, LAWS) == pytest.approx(0.2)
    assert user_needs.confidence_at(need, NOON - HOUR, LAWS) == 0.8


def test_levels_hold_through_silence() -> None:
    assert user_needs.nudge(sure(focus=0.9), {}, 1, NOON + 500 * HOUR, LAWS)["focus"].level == 0.9


@pytest.mark.parametrize(
    ("category", "raised", "lowered"),
    [
        ("disengagement", "space", "companionship"),
        ("sadness", "emotional_support", "playfulness"),
        ("warmth", "companionship", "space"),
        ("worry", "grounding", None),
        ("relief", None, "grounding"),
        ("excitement", "playfulness", None),
        ("curiosity", "challenge", None),
        ("frustration", "focus", None),
    ],
)
def test_signals_nudge(category: str, raised: str | None, lowered: str | None) -> None:
    after = user_needs.nudge(FRESH, {category: 1.0}, 17, NOON, LAWS)
    if raised:
        assert after[raised].level > FRESH[raised].level
        assert after[raised].evidence == (17,)
        assert after[raised].confidence == 0.25
    if lowered:
        assert after[lowered].level < FRESH[lowered].level


def test_what_a_signal_does_not_touch_stays_as_it_was() -> None:
    after = user_needs.nudge(FRESH, {"sadness": 0.5}, 17, NOON + HOUR, LAWS)
    assert after["focus"] is FRESH["focus"]
    assert user_needs.nudge(FRESH, {"sadness": 0.0}, 17, NOON + HOUR, LAWS) == FRESH


@pytest.mark.parametrize(("signal", "after"), [("sadness", "lower"), ("excitement", "a step up")])
def test_a_faint_sign_does_not_bring_back_what_was_weeks_ago(signal: str, after: str) -> None:
    later = NOON + timedelta(days=21)
    needs = user_needs.nudge(sure(playfulness=0.9), {signal: 1.0}, 17, later, LAWS)
    needs = user_needs.nudge(needs, {signal: 1.0}, 18, later, LAWS)
    assert needs["playfulness"].level < 0.6
    assert (needs["playfulness"].level > LAWS.initial_level) is (after == "a step up")
    assert LAWS.directives["playfulness"] not in user_needs.directives(needs, later, LAWS)


def test_what_was_just_now_is_stepped_from_whole() -> None:
    after = user_needs.nudge(sure(playfulness=0.8), {"excitement": 1.0}, 17, NOON + HOUR / 60, LAWS)
    assert after["playfulness"].level == pytest.approx(0.9, abs=0.001)


def test_a_reading_counts_as_much_as_one_is_sure_of_it() -> None:
    needs = {**FRESH, "focus": UserNeed(0.2, 0.6, NOON, (1,))}
    after = user_needs.blend(needs, {"focus": 0.8}, 0.6, (4, 5), NOON, LAWS)["focus"]
    assert after.level == pytest.approx(0.5)
    assert after.confidence == pytest.approx(0.84)
    assert after.evidence == (1, 4, 5)
    old_and_faded = user_needs.blend(needs, {"focus": 0.8}, 0.6, (4,), NOON + 360 * HOUR, LAWS)["focus"]
    assert old_and_faded.level == pytest.approx(0.8, abs=0.01)


def test_a_reading_nobody_trusts_changes_nothing() -> None:
    assert user_needs.blend(FRESH, {"focus": 0.8}, 0.0, (4,), NOON, LAWS) == FRESH


def test_a_reading_of_an_unknown_dimension_is_refused() -> None:
    with pytest.raises(ValueError, match="did you mean 'grounding'"):
        user_needs.blend(FRESH, {"groundin": 0.8}, 0.5, (4,), NOON, LAWS)


def test_evidence_is_bounded_and_without_repeats() -> None:
    needs = FRESH
    for turn in [*range(40), 39, 39]:
        needs = user_needs.nudge(needs, {"sadness": 0.1}, turn, NOON, LAWS)
    assert needs["emotional_support"].evidence == tuple(range(20, 40))


def test_directives_come_strongest_first_and_only_when_sure() -> None:
    needs = sure(playfulness=0.65, space=0.9)
    said = user_needs.directives(needs, NOON, LAWS)
    assert said == (LAWS.directives["space"], LAWS.directives["playfulness"])
    assert user_needs.directives(needs, NOON + 37 * HOUR, LAWS) == ()
    assert user_needs.directives(sure(focus=0.59), NOON, LAWS) == ()


@pytest.mark.parametrize("pair", user_needs.OPPOSED)
def test_opposed_needs_that_are_both_high_are_pointed_out(pair: tuple[str, str]) -> None:
    needs = sure(**dict.fromkeys(pair, 0.8))
    assert user_needs.conflicts(needs, NOON, LAWS) == (LAWS.conflicts[user_needs.conflict_name(pair)],)
    assert user_needs.conflicts(sure(**{pair[0]: 0.8}), NOON, LAWS) == ()


@given(st.lists(st.dictionaries(st.sampled_from(CATEGORIES), st.floats(-3, 3)), max_size=20))
def test_levels_and_confidence_stay_between_0_and_1(turns: list[dict[str, float]]) -> None:
    needs = FRESH
    for i, strengths in enumerate(turns):
        needs = user_needs.nudge(needs, strengths, i, NOON + i * HOUR, LAWS)
    assert set(needs) == set(DIMENSIONS)
    assert all(0 <= n.level <= 1 and 0 <= n.confidence <= 1 for n in needs.values())
