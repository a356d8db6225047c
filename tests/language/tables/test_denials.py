"""Whether a text denies, word by word and as a whole."""

from __future__ import annotations

import pytest

from furoshiki.language.tables.function_words import DENIES, is_denial


@pytest.mark.parametrize(
    "text", ["They have no car", "It isn\u2019t far", "Nobody came", "She can't swim", "Hardly ever"]
)
def test_a_text_with_a_word_that_denies_denies(text: str) -> None:
    assert DENIES.search(text)
    assert any(map(is_denial, text.lower().split()))


@pytest.mark.parametrize("text", ["They know Norman", "A note, and another", "The knot held", "An ant"])
def test_letters_inside_other_words_deny_nothing(text: str) -> None:
    assert DENIES.search(text) is None
    assert not any(map(is_denial, text.lower().split()))
