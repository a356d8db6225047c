"""Dot, cosine, unit, centroid and correlation of plain numbers."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.core.similarity import centroid, correlation, cosine, cosine_of_counts, dot, unit, unit_rows

EAST, NORTH, WEST = [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]
rows = st.lists(st.floats(-10, 10), min_size=3, max_size=3).filter(lambda row: math.hypot(*row) > 0.01)


def test_a_dot_product_wants_vectors_of_one_length() -> None:
    assert dot([1.0, 2.0], [3.0, 4.0]) == 11.0
    with pytest.raises(ValueError, match="2 and 1 numbers"):
        dot(EAST, [1.0])


def test_a_cosine_of_what_cannot_be_compared_is_nothing() -> None:
    assert cosine(EAST, [0.6, 0.8]) == pytest.approx(0.6)
    assert cosine(EAST, WEST) == -1
    assert cosine([1.0], [0.6, 0.8]) == cosine([0.0, 0.0], EAST) == 0.0


@given(rows, rows)
def test_a_cosine_is_the_dot_product_of_unit_vectors(one: list[float], other: list[float]) -> None:
    first, second = unit(one), unit(other)
    assert first is not None and second is not None
    assert math.hypot(*first) == pytest.approx(1)
    assert cosine(one, other) == pytest.approx(dot(first, second), abs=1e-9)
    assert -1 <= cosine(one, other) <= 1


def test_counts_are_vectors_by_name() -> None:
    assert cosine_of_counts({"a": 3.0, "b": 4.0}, {"b": 2.0}) == pytest.approx(0.8)
    assert cosine_of_counts({"a": 1.0}, {"b": 1.0}) == cosine_of_counts({}, {"b": 1.0}) == 0.0


def test_a_centroid_weighs_and_leaves_out_what_another_encoder_made() -> None:
    assert centroid([(EAST, 3.0), (NORTH, 4.0)]) == pytest.approx([0.6, 0.8])
    assert centroid([(EAST, 1.0), ([0.0, 0.0, 1.0], 5.0)]) == EAST
    assert centroid([(EAST, 1.0), (WEST, 1.0)]) is None
    assert centroid([]) is None


def test_what_does_not_vary_has_no_correlation() -> None:
    assert correlation([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]) == pytest.approx(1)
    assert correlation([1.0, 2.0, 3.0], [1.0, 0.0, -1.0]) == pytest.approx(-1)
    assert correlation([1.0, 1.0], [0.0, 1.0]) is None
    assert correlation([], []) is None


def test_rows_of_numpy_get_length_one_and_nothing_stays_nothing() -> None:
    found = unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]], np.float32))
    assert found.tolist() == [pytest.approx([0.6, 0.8]), [0.0, 0.0]]
    assert found.dtype == np.float32


def test_it_does_not_load_numpy() -> None:
    code = "import sys, furoshiki.core.similarity as s; s.cosine([1], [1]); sys.exit('numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
