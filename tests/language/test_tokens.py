"""How long a text is for a model."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from furoshiki.language.tokens import cut, estimate


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("日本", 2), ("\ud800", 1)])
def test_four_bytes_are_a_token_and_a_begun_one_counts(text: str, tokens: int) -> None:
    assert estimate(text) == tokens


def test_what_fits_is_left_alone() -> None:
    assert cut("short", 2) == "short"


def test_what_does_not_fit_ends_in_dots() -> None:
    assert cut("one two three four", 3) == "one two t…"


def test_no_budget_leaves_the_dots() -> None:
    assert cut("words", 0) == "…"


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=200), st.integers(1, 40))
def test_a_cut_text_keeps_its_budget_and_its_beginning(text: str, budget: int) -> None:
    found = cut(text, budget)
    assert estimate(found) <= budget
    assert text.encode("utf-8", "replace").decode().startswith(found.removesuffix("…"))
