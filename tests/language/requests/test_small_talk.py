"""A message that only greets is told from one that tells something."""

from __future__ import annotations

import pytest

from furoshiki.language.requests.small_talk import find_meaning
from furoshiki.recall.retrieval.other_languages import load_languages

FRENCH = next(one for one in load_languages().each if one.code == "fr")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("hello toi, me revoilà", "greets"),
        ("hier camille m'a sorti des horreurs. ça m'est resté en travers", None),
    ],
)
def test_a_long_message_is_no_greeting_by_its_meaning(text: str, meaning: str | None) -> None:
    assert find_meaning(FRENCH, text, "Furo", {"greets": 0.6}) == meaning
