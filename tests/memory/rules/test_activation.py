"""Activation: what ACT-R itself printed, and the laws of its base level and noise."""

from __future__ import annotations

import math
import random
from statistics import fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.memory.rules import exit_gate as activation

# Base levels that the ACT-R software (Lisp, with :act t) printed, published with their histories: the first two in the
# example model of its extension that eliminates references when chunks merge, the last in that of its spacing-effect
# extension (the schedule of Pavlik & Anderson 2005, with d fixed at .5). Columns: clock, times of use, printed.
PRINTED_BY_ACT_R = [
    (2.767, [1.368, 0.0], 0.36923242),
    (2.767, [0.550, 0.300], 0.26871443),
    (5877.0, [4844.0, 252.0, 126.0, 0.0], -2.649625),
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


@pytest.mark.parametrize(("clock", "uses", "printed"), PRINTED_BY_ACT_R)
def test_base_levels_are_those_that_act_r_printed(clock: float, uses: list[float], printed: float) -> None:
    assert activation.base_level([clock - use for use in uses]) == pytest.approx(printed, abs=1e-6)


@pytest.mark.parametrize(("ages_s", "expected"), FROM_THE_EQUATION)
def test_base_levels_follow_the_equation(ages_s: list[float], expected: float) -> None:
    assert activation.base_level(ages_s) == pytest.approx(expected)


def test_decay_is_a_power_of_age() -> None:
    assert activation.base_level([4.0]) == pytest.approx(math.log(0.5))


@given(st.lists(ages, min_size=1, max_size=40), ages)
def test_another_use_never_makes_a_memory_less_active(uses: list[float], another: float) -> None:
    assert activation.base_level([*uses, another]) > activation.base_level(uses)


@given(st.lists(ages, min_size=1, max_size=40), st.floats(0, 1e8))
def test_time_never_makes_a_memory_more_active(uses: list[float], gone: float) -> None:
    assert activation.base_level([age + gone for age in uses]) <= activation.base_level(uses) + 1e-12


def test_noise_is_logistic() -> None:
    rng = random.Random(4)
    drawn = [activation.noise(rng) for _ in range(20_000)]
    assert fmean(drawn) == pytest.approx(0, abs=0.02)
    assert pstdev(drawn) == pytest.approx(math.pi * 0.4 / math.sqrt(3), abs=0.02)
