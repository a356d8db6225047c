"""Contractions written without their apostrophe, and words that only look like them."""

from __future__ import annotations

import pytest

from furoshiki.language.words import with_apostrophes


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("whats on it", "what's on it"),
        ("im sure theyre home and youve seen them", "i'm sure they're home and you've seen them"),
        ("dont, cant, wont, isnt, havent, shouldnt", "don't, can't, won't, isn't, haven't, shouldn't"),
        ("hes late, thats all", "he's late, that's all"),
        ("its ill, the well were dry, id est", "its ill, the well were dry, id est"),
        ("i want an important cantata", "i want an important cantata"),
    ],
)
def test_only_what_is_no_word_of_its_own_is_mended(written: str, meant: str) -> None:
    assert with_apostrophes(written) == meant
