"""What is planted in a simulated owner is found within a month, and nothing where nothing is."""

from __future__ import annotations

import pytest

from bench.loops import LOOPS, MOST_FALSE, Loop, measured

FINDS = [one for one in LOOPS if one.name in ("promotion", "style", "outreach")]


@pytest.mark.slow
@pytest.mark.parametrize("loop", FINDS, ids=lambda one: one.name)
def test_a_loop_finds_what_is_planted_and_nothing_else(loop: Loop) -> None:
    found = measured(loop, 2)
    assert found["found"] >= 0.8
    assert found["without"] == 0.0
    assert found["false"] <= MOST_FALSE
