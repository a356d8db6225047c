"""Activation: what ACT-R itself printed, and the laws of its approximation."""

from __future__ import annotations

import math
import random
from statistics import fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.memory.rules import activation
from furoshiki.memory.store.accesses import KEPT

# Base levels that the ACT-R software (Lisp, with :act t) printed, published with their histories: the first two in the
# example model of its extension that eliminates references when chunks merge, the next in that of its spacing-effect
# extension (the schedule of Pavlik & Anderson 2005, with d fixed at .5); the last two, with `:ol 15` (Petrov's hybrid),
# in the tests of jACT-R (DefaultBaseLevelLearningTest, after a model of the NRL). Columns: clock, times of use, first
# use, number of uses, printed base level.
PRINTED_BY_ACT_R = [
    (2.767, [1.368, 0.0], 0.0, 2, 0.36923242),
    (2.767, [0.550, 0.300], 0.3, 2, 0.26871443),
    (5877.0, [4844.0, 252.0, 126.0, 0.0], 0.0, 4, -2.649625),
    (
        789951.153,
        [703211.94, 527465.75, 526783.4, 352191.1, 351877.84, 351706.38, 351595.1, 351529.25, 264139.03, 263885.56]
        + [176681.58, 176403.27, 176135.89, 175781.58, 88255.03],
        720.557,
        19,
        -3.5563608,
    ),
    (
        878734.486,
        [791320.75, 790070.8, 703376.5, 703198.5, 702295.2, 615071.07, 527492.9, 527275.25, 527024.57, 526952.9]
        + [351581.56, 264605.0, 264283.38, 263723.03, 176766.86],
        193.896,
        25,
        -3.212534,
    ),
]

# Not printed anywhere we know of: computed by hand from the published equation B = ln(sum t^-.5).
FROM_THE_EQUATION = [
    ([1.0], 0.0),
    ([4.0], -math.log(2)),
    ([100.0], -math.log(10)),
    ([4.0, 4.0, 4.0, 4.0], math.log(2)),
    ([1.0, 4.0, 16.0], math.log(1.75)),
    ([86400.0], -0.5 * math.log(86400)),
    ([0.0], 0.0),
    ([], -math.inf),
]

ages = st.floats(0, 3e8)


@pytest.mark.parametrize(("clock", "uses", "first", "count", "printed"), PRINTED_BY_ACT_R)
def test_base_levels_are_those_that_act_r_printed(
    clock: float, uses: list[float], first: float, count: int, printed: float
) -> None:
    found = activation.base_level_approx([clock - use for use in uses], count, clock - first)
    assert found == pytest.approx(printed, abs=1e-6)


def test_the_sum_of_base_level_and_spreading_is_the_activation_that_act_r_printed() -> None:
    assert activation.activation(-3.5563608, spreading=1.011163) == pytest.approx(-2.5451978, abs=1e-6)


@pytest.mark.parametrize(("ages_s", "expected"), FROM_THE_EQUATION)
def test_base_levels_follow_the_equation(ages_s: list[float], expected: float) -> None:
    assert activation.base_level(ages_s) == pytest.approx(expected)


@pytest.mark.parametrize(("d", "expected"), [(0.25, 4**-0.25), (0.5, 0.5), (0.75, 4**-0.75)])
def test_decay_is_a_power_of_age(d: float, expected: float) -> None:
    assert activation.base_level([4.0], d) == pytest.approx(math.log(expected))


@given(st.lists(ages, min_size=1, max_size=40), ages)
def test_another_use_never_makes_a_memory_less_active(uses: list[float], another: float) -> None:
    assert activation.base_level([*uses, another]) > activation.base_level(uses)


@given(st.lists(ages, min_size=1, max_size=40), st.floats(0, 1e8))
def test_time_never_makes_a_memory_more_active(uses: list[float], gone: float) -> None:
    assert activation.base_level([age + gone for age in uses]) <= activation.base_level(uses) + 1e-12


@given(st.lists(st.floats(1, 3e8), min_size=1, max_size=200), st.floats(0.05, 0.95))
def test_the_approximation_stays_within_its_bound_however_the_uses_lay(uses: list[float], d: float) -> None:
    uses.sort()
    recent, count, lifetime = uses[:KEPT], len(uses), uses[-1]
    approximated = activation.base_level_approx(recent, count, lifetime, d)
    bound = _error_bound(recent, count, lifetime, d)
    assert abs(approximated - activation.base_level(uses, d)) <= bound + 1e-9
    # Among these the kept ones weigh most, so that it can never be worse than this:
    assert bound <= math.log(max(count, KEPT) / KEPT) + 1e-9


@given(st.integers(1, 1000), st.floats(60, 1e6))
def test_for_uses_at_even_distances_it_is_all_but_exact(count: int, apart: float) -> None:
    uses = [apart * number for number in range(1, count + 1)]
    approximated = activation.base_level_approx(uses[:KEPT], count, uses[-1])
    assert approximated == pytest.approx(activation.base_level(uses), abs=0.02)


@given(st.lists(st.floats(1, 1e8), min_size=1, max_size=20))
def test_a_history_that_is_known_whole_is_exact(uses: list[float]) -> None:
    assert activation.base_level_approx(uses, len(uses), max(uses)) == activation.base_level(uses)
    assert _error_bound(uses, len(uses), max(uses)) == 0


def test_without_any_age_it_is_the_optimised_equation() -> None:
    # ACT-R's :ol t, B = ln(n/(1-d)) - d ln(L)
    assert activation.base_level_approx([], 12, 5000.0) == pytest.approx(math.log(12 / 0.5) - 0.5 * math.log(5000))
    assert _error_bound([], 12, 5000.0) == math.inf


def test_each_mismatch_costs_one() -> None:
    assert activation.activation(0.5, 0.3) - activation.activation(0.5, 0.3, mismatches=2) == pytest.approx(2.0)


def test_noise_is_logistic() -> None:
    rng = random.Random(4)
    drawn = [activation.noise(rng) for _ in range(20_000)]
    assert fmean(drawn) == pytest.approx(0, abs=0.02)
    assert pstdev(drawn) == pytest.approx(math.pi * 0.4 / math.sqrt(3), abs=0.02)
    above = fmean(draw > 0.4 for draw in drawn)
    assert above == pytest.approx(activation.probability(-0.4), abs=0.01)


@pytest.mark.parametrize(("found", "expected"), [(0.0, 0.5), (0.4, 1 / (1 + math.exp(-1))), (-1e9, 0.0), (1e9, 1.0)])
def test_at_the_threshold_half_is_recalled(found: float, expected: float) -> None:
    assert activation.probability(found) == pytest.approx(expected)


def _error_bound(recent: list[float], count: int, lifetime: float, d: float = activation.DECAY) -> float:
    """How far the approximation can be from the exact B at most, however the older uses really lay.

    They lay between the oldest age given and the lifetime, so their sum is bounded by all of them at one end or the
    other, and so is the estimate. Infinite when no age is given at all.
    """
    older = count - len(recent)
    if older <= 0:
        return 0.0
    if not recent:
        return math.inf
    known = math.fsum(age**-d for age in recent)
    nearest, furthest = older * max(recent) ** -d, older * lifetime**-d
    return math.log((known + nearest) / (known + furthest))
