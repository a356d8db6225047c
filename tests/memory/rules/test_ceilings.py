"""The safety ceilings: laws that hold whatever is asked, and the figures they are known by."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.memory.rules import ceilings
from furoshiki.memory.rules.ceilings import Coherence, MemoryStanding
from furoshiki.memory.rules.weights import NEW, Weight

ALL = frozenset("ABC")
A = frozenset("A")
B = frozenset("B")
NONE: frozenset[str] = frozenset()

parts = st.floats(0.01, 200)
weighed = st.builds(Weight, parts, parts)
amounts = st.floats(0, 50)


def standing(weight: Weight = NEW, start: Weight | None = None, **more: object) -> MemoryStanding:
    return MemoryStanding(weight, start or weight, **more)  # type: ignore[arg-type]


def names(verdicts: tuple[ceilings.Verdict, ...]) -> list[str]:
    return [verdict.ceiling for verdict in verdicts]


@given(weighed, amounts)
def test_no_gain_lifts_a_centre_over_the_ceiling(weight: Weight, asked: float) -> None:
    allowed, _ = ceilings.gain(standing(weight), asked, A)
    after = Weight(weight.alpha + allowed, weight.beta)
    assert 0 <= allowed <= asked
    assert after.centre <= max(0.95, weight.centre) + 1e-12


@given(weighed, amounts, st.integers(2, 9), st.floats(0.1, 5))
def test_no_gain_lifts_a_goal_over_its_share(weight: Weight, asked: float, goals: int, others: float) -> None:
    allowed, _ = ceilings.gain(standing(weight, goals=(goals, others)), asked, A)
    before = weight.centre / (weight.centre + others)
    centre = Weight(weight.alpha + allowed, weight.beta).centre
    assert centre / (centre + others) <= max(before, ceilings.most_goal_share(goals)) + 1e-9


def test_a_goal_may_have_forty_percent_where_there_are_enough_of_them() -> None:
    assert [ceilings.most_goal_share(n) for n in (1, 2, 3, 4, 20)] == pytest.approx([1.2, 0.6, 0.4, 0.4, 0.4])


def test_a_goal_at_its_share_gains_nothing_until_the_others_have_caught_up() -> None:
    heavy = Weight(4, 4)
    allowed, verdicts = ceilings.gain(standing(heavy, goals=(3, 0.4)), 1.0, A)
    assert allowed == 0
    assert "goal_share" in names(verdicts)
    allowed, _ = ceilings.gain(standing(heavy, goals=(3, 1.0)), 1.0, A)
    assert allowed > 0


@given(st.floats(0.01, 50), st.floats(0, 1e6))
def test_gains_diminish_with_the_evidence_and_are_never_enlarged(wanted: float, evidence: float) -> None:
    less = ceilings.diminish(wanted, evidence)
    assert 0 < less <= wanted
    assert ceilings.diminish(wanted, evidence + 1) <= less


def test_a_new_memory_gains_by_the_logarithm_of_its_evidence() -> None:
    allowed, verdicts = ceilings.gain(standing(), 0.1, A)
    assert allowed == pytest.approx(0.1 / math.log2(6))
    assert names(verdicts) == ["diminishing_returns"]


def test_a_loss_is_not_diminished() -> None:
    assert ceilings.loss(standing(Weight(40, 4)), 1.0, A) == (1.0, ())


@given(weighed, st.lists(st.tuples(st.booleans(), amounts), max_size=8))
def test_in_one_cycle_no_centre_moves_by_more_than_a_tenth_of_itself(
    start: Weight, wishes: list[tuple[bool, float]]
) -> None:
    weight = start
    for up, asked in wishes:
        judged = ceilings.gain if up else ceilings.loss
        allowed, _ = judged(standing(weight, start), asked, B)
        weight = Weight(weight.alpha + allowed, weight.beta) if up else Weight(weight.alpha, weight.beta + allowed)
        assert abs(weight.centre - start.centre) <= 0.1 * start.centre + 1e-9


@given(weighed, weighed, amounts, st.integers(0, 5), st.floats(0, 1))
def test_a_ceiling_that_is_not_enforced_changes_nothing_and_still_says_what_it_would_have(
    weight: Weight, start: Weight, asked: float, repeats: int, entropy: float
) -> None:
    there = standing(weight, start, goals=(3, 0.5), repeats=repeats, entropy=entropy, mean=0.2)
    allowed, verdicts = ceilings.gain(there, asked, NONE)
    assert allowed == asked
    assert all(not verdict.enforced and verdict.allowed < verdict.asked == asked for verdict in verdicts)
    alone = {verdict.ceiling for verdict in verdicts}
    strict, held = ceilings.gain(there, asked, ALL)
    assert strict <= asked
    assert {verdict.ceiling for verdict in held} <= alone | {"diminishing_returns"}


def test_the_circuit_breaks_after_the_same_pattern_three_times() -> None:
    assert ceilings.gain(standing(repeats=2), 1.0, frozenset("C"))[0] == 1.0
    allowed, verdicts = ceilings.gain(standing(repeats=3), 1.0, frozenset("C"))
    assert (allowed, names(verdicts)[-1], verdicts[-1].enforced) == (0.0, "circuit_breaker", True)


def test_while_the_weights_collapse_only_the_light_ones_gain() -> None:
    heavy, light = Weight(9, 1), Weight(1, 9)
    collapsed = {"entropy": 0.3, "mean": 0.5}
    assert ceilings.gain(standing(heavy, **collapsed), 1.0, frozenset("C"))[0] == 0.0
    assert ceilings.gain(standing(light, **collapsed), 1.0, frozenset("C"))[0] == 1.0


@given(st.lists(st.floats(0.001, 0.999), min_size=2, max_size=50))
def test_entropy_is_a_share_of_its_highest_value(centres: list[float]) -> None:
    assert 0 <= ceilings.entropy(centres) <= 1
    assert ceilings.entropy([0.3] * len(centres)) == pytest.approx(1)


def test_one_that_outweighs_all_others_has_little_entropy() -> None:
    # Ten weights, one at .95 and nine at .05: shares 19/28 and 1/28; H = 1.9248 bits of log2(10) = 3.3219.
    assert ceilings.entropy([0.95] + [0.05] * 9) == pytest.approx(0.5794, abs=1e-4)


@pytest.mark.parametrize(
    ("gains", "parameters", "passed"),
    [
        ([0.1] * 30, 3, True),
        ([0.1] * 29, 3, False),  # ten outcomes for each parameter
        ([0.005] * 40, 1, False),  # better, and not by the margin
        ([1.0, -0.9] * 20, 1, False),  # better on average, and as likely chance
        ([], 1, False),
        ([0.5], 1, False),
    ],
)
def test_a_parameter_passes_two_gates(gains: list[float], parameters: int, passed: bool) -> None:
    assert ceilings.gates(gains, parameters).passed is passed


def test_coherence_is_whole_where_nothing_is_known() -> None:
    assert ceilings.coherence(0, 0, 0, 0, 0, 0) == Coherence(1, 1, 1)


amount = st.floats(0, 99)


@given(amount, st.floats(0, 1), amount, amount, amount, amount)
def test_coherence_lies_between_nought_and_one(
    held: float, disputed: float, good: float, bad: float, values: float, tensions: float
) -> None:
    found = ceilings.coherence(held, held * disputed, good, bad, values, tensions)
    assert all(0 <= axis <= 1 for axis in (found.epistemic, found.action, found.value))
    worse = ceilings.coherence(held + 1, held * disputed + 1, good, bad + 10, values, tensions + 10)
    assert worse.epistemic <= found.epistemic
    assert worse.action < found.action
    assert worse.value < found.value


def test_no_axis_hides_behind_the_others() -> None:
    assert Coherence(1, 1, 0).score == 0
    assert Coherence(0.9, 1, 1).worse_than(Coherence(1, 1, 1))
    assert not Coherence(0.99, 1, 1).worse_than(Coherence(1, 1, 1))
