"""Which words of a question are looked up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.language.tables.function_words import MOST_WORDS, query_words


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
