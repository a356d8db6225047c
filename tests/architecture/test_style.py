"""The code gets no denser: what `python -m bench.style` counts may only fall, and its bound here with it.

Conditional expressions and comprehensions are held by number, not by share: else a file the less would make the rest
denser, and a folder of empty ones would make it airy.
"""

from __future__ import annotations

from bench.style import PRODUCT, is_participle, measured


def test_the_code_is_no_denser_than_it_was() -> None:
    found = measured(PRODUCT)
    assert found.long <= 0.0865
    assert found.ternaries * found.lines / 1000 <= 4_128
    assert found.comprehensions * found.lines / 1000 <= 5_606
    assert found.nested <= 137
    assert found.participles <= 0.038
    assert found.crowded <= 77
    assert found.longest <= 76


def test_a_participle_is_no_verb() -> None:
    assert all(map(is_participle, ("told", "_said_back", "shown", "learned")))
    assert not any(map(is_participle, ("tell", "embed", "bring_back", "read", "find", "needs")))
