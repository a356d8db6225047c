"""How rankings are fused, and which words of a question are looked up."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.domain.ranking import (
    FULL_TEXT_WEIGHT,
    MOST_WORDS,
    RANK_OFFSET,
    final,
    fuse,
    query_words,
    recency,
)

NOW = datetime(2026, 3, 14, tzinfo=UTC)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("When did Anika move to Lisbon?", ("anika", "move", "lisbon")),
        ("who are you", ("who", "are", "you")),
        ("Lisbon, Lisbon; LISBON!", ("lisbon",)),
        ('"quoted" AND (x OR y*) NEAR/2 col:z -w ^v', ("quoted", "x", "y", "near", "2", "col", "z", "w", "v")),
        ("don't", ("don", "t")),
        ("snake_case", ("snake", "case")),
        ("Où est l'été?", ("où", "est", "l", "été")),
        ("", ()),
        ("?!…", ()),
    ],
)
def test_the_words_worth_looking_up(query: str, words: tuple[str, ...]) -> None:
    assert query_words(query) == words


@given(st.text(max_size=400))
def test_no_query_yields_more_than_plain_words(query: str) -> None:
    words = query_words(query)
    assert len(words) <= MOST_WORDS
    assert len(set(words)) == len(words)
    assert all(word and '"' not in word and not word.isspace() for word in words)


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
