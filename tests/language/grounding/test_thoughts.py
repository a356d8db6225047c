"""What the companion writes about itself alone, and when two thoughts are one."""

from __future__ import annotations

import pytest

from furoshiki.language.grounding import thoughts


@pytest.mark.parametrize(
    "text",
    [
        "I keep coming back to that.",
        "I feel a small tug whenever the evenings go quiet.",
        "Tonight I was lonely. What do I want from a day?",
        "I'm slower than I would like to be.",
    ],
)
def test_what_it_felt_needs_no_proof(text: str) -> None:
    assert thoughts.of_oneself(text)


@pytest.mark.parametrize(
    "text",
    [
        "They sounded worried.",
        "Noor starts on Monday, and I felt that.",
        "I heard it was a long day.",
        "Anika is away.",
    ],
)
def test_what_is_about_others_is_not(text: str) -> None:
    assert not thoughts.of_oneself(text)


@pytest.mark.parametrize(
    ("first", "second", "cosine", "one"),
    [
        ("They miss the sea.", "They miss the sea.", None, True),
        ("They miss the sea at night.", "The sea at night: they miss it.", None, True),
        ("They miss the sea.", "They miss Anika.", None, False),
        ("They miss the sea.", "They miss the sea.", 0.5, False),
        ("Rain.", "Wet weather.", 0.85, True),
        ("Ich vermisse das Meer.", "Silke hat angerufen, und er war wütend.", 0.4, False),
        ("Ich vermisse das Meer.", "Das Meer fehlt mir.", 0.87, True),
        ("", "", None, True),
    ],
)
def test_the_same_thought(first: str, second: str, cosine: float | None, one: bool) -> None:
    assert thoughts.same(first, second, cosine) is one
