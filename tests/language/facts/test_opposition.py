"""Opposed statements are told from others by rule, and by the direction in which their vectors differ."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.language.facts.opposition import (
    ALIKE_PAIRS,
    OPPOSED_PAIRS,
    Directions,
    first_person,
    measure_by_rule,
    measure_leaning,
    poles,
)

OPPOSED = [
    ("I love coffee", "I don't like coffee"),
    ("They like coffee.", "I hate coffee"),
    ("They live in Paris.", "I moved to Lyon"),
    ("The user lives in Paris.", "I live in Lyon now"),
    ("I am happy", "I am sad"),
    ("The flat is big", "The flat is small"),
    ("I eat meat", "I don't eat meat anymore"),
    ("I no longer drink wine", "I drink wine every evening"),
    ("I started smoking", "I stopped smoking"),
    ("I never eat breakfast", "I always eat breakfast"),
    ("I trust Ruben", "I don't trust Ruben at all"),
    ("I am married", "I am single"),
    ("My job is easy", "my job is hard"),
    ("I can swim", "I can't swim"),
    ("my brother is ill", "My brother is healthy again"),
]
NOT_OPPOSED = [
    ("I love coffee", "I hate tea"),
    ("I'm not happy", "I'm sad"),
    ("my sister likes coffee", "I don't like coffee"),
    ("I like long walks", "I like long walks"),
    ("I went to the zoo", "my boss is stupid"),
    ("Their sister is called Anika.", "My sister lives in Rome"),
    ("I like the sea", "I like the mountains"),
    ("It wasn't bad at all", "it was good"),
    ("I have two cats", "I have a dog"),
    ("", "I have a dog"),
]


@pytest.mark.parametrize(("first", "second"), OPPOSED)
def test_opposed_statements_are_seen_in_either_order(first: str, second: str) -> None:
    assert (measure_by_rule(first, second) or 0.0) >= 0.5
    assert (measure_by_rule(second, first) or 0.0) >= 0.5


@pytest.mark.parametrize(("first", "second"), NOT_OPPOSED)
def test_what_is_not_opposed_is_not_taken_for_it(first: str, second: str) -> None:
    assert not measure_by_rule(first, second)
    assert not measure_by_rule(second, first)


@given(st.text(max_size=80), st.text(max_size=80))
def test_the_rules_answer_within_bounds_and_see_no_order(first: str, second: str) -> None:
    sure = measure_by_rule(first, second)
    assert sure is None or 0.0 <= sure <= 1.0
    assert sure == measure_by_rule(second, first)


@given(st.text(max_size=80))
def test_nothing_is_opposed_to_itself(text: str) -> None:
    assert not measure_by_rule(text, text)


def test_a_word_stands_in_one_row_of_opposites_only() -> None:
    assert (measure_by_rule("My uncle is rich.", "My uncle is poor.") or 0.0) >= 0.5
    with pytest.raises(ValueError, match="single"):
        poles("married | single\nsingle | engaged")


@pytest.mark.parametrize(
    ("said", "known", "sure"),
    [
        ("My best friend Tom is a carpenter.", "The user's friend is called Tom", 0.0),
        ("I live in Lyon, near the station", "The user lives in Lyon", 0.0),
        ("My friend is not called Tom.", "The user's friend is called Tom", 0.9),
        ("I work as a nurse but I quit", "I work as a nurse", None),
    ],
)
def test_a_fact_is_not_opposed_by_a_statement_that_holds_it_too(said: str, known: str, sure: float | None) -> None:
    assert measure_by_rule(said, first_person(known)) == sure == measure_by_rule(first_person(known), said)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("The user's best friend is called Tom", "my best friend is called Tom"),
        ("The user's a nurse who is tired", "I am a nurse who is tired"),
        ("The user's very happy", "I am very happy"),
    ],
)
def test_an_apostrophe_is_a_verb_or_says_whose_it_is(told: str, said: str) -> None:
    assert first_person(told) == said


def test_a_statement_about_the_user_can_be_said_by_them() -> None:
    assert first_person("The user lives in Lyon.") == "I live in Lyon."
    assert first_person("They watch birds") == "I watch birds"
    assert first_person("Their sister is called Anika") == "my sister is called Anika"


def test_paraphrases_of_the_table_are_never_opposed_by_rule() -> None:
    assert [pair for pair in ALIKE_PAIRS if measure_by_rule(*pair)] == []


def test_the_table_is_balanced() -> None:
    assert [pair[0] for pair in OPPOSED_PAIRS] == [pair[0] for pair in ALIKE_PAIRS]


X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def test_a_leaning_is_the_share_of_the_distance_that_opposition_has() -> None:
    directions = Directions(against=(X,), alike=(Y,))
    assert measure_leaning((0.0, 0.0, 0.0), X, directions) == pytest.approx(1.0)
    assert measure_leaning((0.0, 0.0, 0.0), Y, directions) == pytest.approx(-1.0)
    assert measure_leaning((0.0, 0.0, 0.0), Z, directions) == pytest.approx(0.0)
    assert measure_leaning(X, X, directions) == 0.0


_VECTOR = st.tuples(*[st.floats(-1, 1) for _ in range(3)])


@given(_VECTOR, _VECTOR)
def test_a_leaning_has_bounds_and_no_order(first: tuple[float, ...], second: tuple[float, ...]) -> None:
    directions = Directions(against=(X,), alike=(Y,))
    found = measure_leaning(first, second, directions)
    assert -1.0 - 1e-9 <= found <= 1.0 + 1e-9
    assert math.isclose(found, measure_leaning(second, first, directions), abs_tol=1e-9)
