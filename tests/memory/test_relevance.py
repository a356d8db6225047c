"""How the voices of relevance are weighed: the figures at both ends, and what outcomes may and may not do."""

from __future__ import annotations

import random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.memory import relevance_learning
from furoshiki.memory.relevance_learning import COMPONENTS, MOST_TILT, Outcome

shares = st.floats(0, 1)
voices = st.fixed_dictionaries(dict.fromkeys(COMPONENTS, shares))
outcomes = st.lists(st.builds(Outcome, voices, st.booleans()), max_size=12)
tilts = st.dictionaries(st.sampled_from(COMPONENTS), st.floats(-5, 5))


@pytest.mark.parametrize(
    ("memories", "parameters"),
    [
        (0, (12, 1, 0.5, 0.5, 3)),
        (500, (10, 3, 0.5, 1.75, 2.5)),
        (1000, (8, 5, 0.5, 3, 2)),
        (100_000, (8, 5, 0.5, 3, 2)),
    ],
)
def test_with_more_memories_meaning_makes_room_for_association_and_feeling(
    memories: int, parameters: tuple[float, ...]
) -> None:
    assert relevance_learning.relevance(memories).parameters == pytest.approx(parameters)


def test_the_mean_is_each_share_of_the_sum() -> None:
    assert relevance_learning.relevance(0).mean["semantic"] == pytest.approx(12 / 17)


def test_drawn_weights_scatter_around_the_mean() -> None:
    rng, blend = random.Random(3), relevance_learning.relevance(1000)
    drawn = [blend.draw(rng) for _ in range(4000)]
    for name, expected in blend.mean.items():
        assert fmean(one[name] for one in drawn) == pytest.approx(expected, abs=0.01)
    assert len({one["semantic"] for one in drawn}) > 3900


@pytest.mark.slow
@given(st.integers(0, 10_000), tilts, st.integers())
def test_weights_are_shares_whatever_was_learnt(memories: int, learnt: dict[str, float], seed: int) -> None:
    blend = relevance_learning.relevance(memories, learnt)
    for weights in (blend.mean, blend.draw(random.Random(seed))):
        assert sum(weights.values()) == pytest.approx(1)
        assert all(0 <= weight <= 1 for weight in weights.values())
    assert sum(blend.parameters) == pytest.approx(sum(relevance_learning.relevance(memories).parameters))


@given(st.integers(0, 2000), tilts)
def test_no_learning_takes_a_voice_further_than_a_factor_of_four(memories: int, learnt: dict[str, float]) -> None:
    for before, after in zip(
        relevance_learning.relevance(memories).parameters,
        relevance_learning.relevance(memories, learnt).parameters,
        strict=True,
    ):
        assert before / 4 - 1e-9 <= after <= before * 4 + 1e-9


@pytest.mark.slow
@given(tilts, st.lists(outcomes, max_size=3))
def test_learning_is_bounded_in_each_step_and_in_all(first: dict[str, float], batches: list[list[Outcome]]) -> None:
    known = relevance_learning.learnt(first, [])
    for batch in batches:
        after = relevance_learning.learnt(known, batch)
        for name, tilt in after.items():
            assert abs(tilt) <= MOST_TILT
            assert abs(tilt - known[name]) <= relevance_learning.LARGEST_STEP + 1e-12
        assert "noise" not in after
        known = after


@given(outcomes, st.booleans())
def test_where_all_or_nothing_was_used_nothing_is_learnt(batch: list[Outcome], used: bool) -> None:
    same = [Outcome(one.voices, used) for one in batch]
    assert set(relevance_learning.learnt({}, same).values()) == {0.0}


def _said(semantic: float, co_access: float, used: bool) -> Outcome:
    return Outcome({"semantic": semantic, "co_access": co_access}, used)


def test_the_voice_that_spoke_for_what_was_used_is_heard_more() -> None:
    batch = [_said(0.5, 0.9, True), _said(0.6, 0.1, False), _said(0.4, 0.8, True), _said(0.7, 0.2, False)] * 10
    after = relevance_learning.learnt({}, batch)
    assert after["co_access"] > 0 > after["semantic"]
    assert after["recency"] == 0
    assert abs(relevance_learning.learnt({}, batch[:4])["co_access"]) < after["co_access"]
    blend = relevance_learning.relevance(1000, after).mean
    assert blend["co_access"] > relevance_learning.relevance(1000).mean["co_access"]


def test_an_improvement_is_more_used_things_above_unused_ones() -> None:
    batch = [_said(0.2, 0.9, True), _said(0.8, 0.1, False), _said(0.1, 0.1, False)]
    by_meaning, by_company = {"semantic": 1.0}, {"co_access": 1.0}
    assert relevance_learning.improvements(by_meaning, by_company, batch) == [pytest.approx(0.5)]
    assert relevance_learning.improvements(by_company, by_meaning, batch) == [pytest.approx(-0.5)]
    assert relevance_learning.improvements(by_meaning, by_company, batch[:1]) == []
