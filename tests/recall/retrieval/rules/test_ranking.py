"""How rankings are fused."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.recall.retrieval.rules.ranking import FULL_TEXT_WEIGHT, RANK_OFFSET, final, fuse, recency

NOW = datetime(2026, 3, 14, tzinfo=UTC)


def test_being_named_by_both_voices_beats_being_first_of_one() -> None:
    fused = fuse([(1.0, ["a", "b"]), (1.0, ["c", "b"])])
    assert max(fused, key=lambda name: fused[name]) == "b"
    assert fused["a"] == 1 / (RANK_OFFSET + 1)


@given(st.lists(st.integers(0, 50), unique=True, max_size=30), st.lists(st.integers(0, 50), unique=True, max_size=30))
def test_fusing_keeps_everyone_and_the_order_within_a_single_voice(one: list[int], two: list[int]) -> None:
    first, second = [str(i) for i in one], [str(i) for i in two]
    fused = fuse([(1.0, first), (FULL_TEXT_WEIGHT, second)])
    assert set(fused) == set(first) | set(second)
    alone = fuse([(1.0, first)])
    assert sorted(alone, key=lambda name: -alone[name]) == first


def test_recency_halves_each_week() -> None:
    assert recency(NOW, NOW) == 1
    assert recency(NOW - timedelta(days=7), NOW) == pytest.approx(0.5)
    assert recency(NOW - timedelta(days=21), NOW) == pytest.approx(0.125)
    assert recency(NOW + timedelta(days=3), NOW) == 1


def test_recency_decides_only_between_near_equals() -> None:
    old, new = NOW - timedelta(days=900), NOW
    third, fourth = 1 / (RANK_OFFSET + 3), 1 / (RANK_OFFSET + 4)
    assert final(fourth, "turn", new, NOW) > final(third, "turn", old, NOW)
    assert final(1 / (RANK_OFFSET + 1), "turn", old, NOW) > final(1 / (RANK_OFFSET + 20), "turn", new, NOW)


def test_a_session_document_counts_less_than_the_words_in_it() -> None:
    assert final(0.02, "session", NOW, NOW) < final(0.02, "turn", NOW, NOW) == final(0.02, "memory", NOW, NOW)
