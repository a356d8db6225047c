"""What nobody can see is no answer."""

from __future__ import annotations

import pytest

from furoshiki.conversation.rules import speech
from furoshiki.core.framing import is_blank


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t",
        "\u200b",
        "\u200b\u200d\ufeff \u2060",
        "\u3164",
        "\u2800\u2800",
        "\ufe0f",
        "\u0301",
        "\x00\x07",
        "\u00ad",
    ],
)
def test_what_shows_nothing_is_blank_and_never_said(text: str) -> None:
    assert is_blank(text)
    assert speech.parse(text, ()).silent


@pytest.mark.parametrize("text", ["a", "…", "👍", "👨\u200d👩\u200d👧", "❤\ufe0f", "ก็", "\u200b.", "¿"])
def test_what_shows_something_is_not(text: str) -> None:
    assert not is_blank(text)
    assert not speech.parse(text, ()).silent


def test_a_blank_paragraph_is_no_bubble_of_its_own() -> None:
    assert speech.bubbles("one\n\n\u200b\n\ntwo") == ["one", "two"]
