"""What is near enough to be shown unasked, and which messages lean on the words before them."""

from __future__ import annotations

import pytest

from furoshiki.recall.retrieval.rules import nearness
from furoshiki.recall.retrieval.rules.nearness import Strength, leans


@pytest.mark.parametrize(
    ("text", "named", "floor"),
    [
        ("what is my parrot called?", False, "asked"),
        ("when did we go to the lake", False, "asked"),
        ("and where does Ruth live?", True, "asked"),
        ("Do you remember what I told you about the flat?", False, "asked"),
        ("what is the capital of Peru?", False, "told"),
        ("what should I cook tonight?", False, "told"),
        ("i feel like such a failure", False, "told"),
        ("Ruth called again", True, "told"),
        ("haha yes", False, "told"),
    ],
)
def test_who_asks_about_a_life_is_shown_more(text: str, named: bool, floor: str) -> None:
    assert nearness.floor_for(text, named=named) == floor


def test_what_is_far_is_left_out_and_nothing_is_near_where_the_best_is_not() -> None:
    near, far = Strength(0.86, 0.8), Strength(0.7, 0.5)
    strengths = {"turn:1": near, "turn:2": far, "turn:3": Strength(0.86, 0.6), "turn:4": Strength(0.75, 0.75)}
    found = nearness.near_enough(strengths, {}, "colbert-small.4", "told")
    assert found == {"turn:1"}, "also small words must not make it alone"
    assert nearness.near_enough(strengths, {}, "colbert-small.4", "asked") == {"turn:1", "turn:3", "turn:4"}
    cosines = {"turn:2": 0.4, "turn:4": 0.0}
    assert "turn:2" in nearness.near_enough(strengths, cosines, "colbert-small.4", "asked"), "the whole counts, too"
    weak = {"turn:4": Strength(0.82, 0.82)}
    assert nearness.near_enough(weak, {}, "colbert-small.4", "told") == frozenset()
    assert nearness.near_enough(strengths, {}, "my-own.1", "told") == set(strengths), "nobody knows its figures"


@pytest.mark.parametrize(
    ("query", "text", "told", "asked"),
    [
        ("i feel like such a failure", "I feel great at pottery these days", False, True),
        ("i feel like such a failure", "after the exam I felt a failure, and feel it still", True, True),
        ("the harbour again", "the harbour is loud at night", True, True),
        ("the ferry and the harbour and the rain", "the harbour is loud", False, True),
        ("what is my parrot called?", "they live in Lisbon", False, False),
    ],
)
def test_without_an_encoder_words_must_do(query: str, text: str, told: bool, asked: bool) -> None:
    assert nearness.shares_enough(query, text, "told") is told
    assert nearness.shares_enough(query, text, "asked") is asked


@pytest.mark.parametrize(
    ("text", "so"),
    [
        ("and when was that?", True),
        ("what did she say?", True),
        ("does she still live there?", True),
        ("and the flat?", True),
        ("why?", True),
        ("what did Ruth say?", False),
        ("when was the wedding?", False),
        ("how are you?", False),
        ("i feel like such a failure", False),
        ("haha yes", False),
        ("what was the name of that restaurant in Porto?", False),
    ],
)
def test_a_message_leans_on_the_talk_where_its_own_words_do_not_tell(text: str, so: bool) -> None:
    assert leans(text, answers=False) is so


def test_a_short_answer_leans_on_the_question() -> None:
    assert leans("yes", answers=True)
    assert not leans("in the flat in Porto", answers=True)
