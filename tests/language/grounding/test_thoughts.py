"""What the companion may write about somebody, and what about itself."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from furoshiki.language.grounding import thoughts

SAID = "I start my new job at the harbour on Monday, and I still have not told Anika"
TOLD = "You surely love the boats of Porto!"


def judged(text: str, cited: Sequence[str] = (SAID,)) -> str:
    return thoughts.judge(text, cited, [SAID], [TOLD], ("Noor", "Furo")).reason


@pytest.mark.parametrize(
    "text",
    [
        "They start at the harbour on Monday.",
        "Noor starts at the harbour on Monday and still hasn't told Anika. I felt the weight of that.",
        "They sounded worried.",
        "On Monday they start at the harbour; I'm glad they told me.",
    ],
)
def test_what_stands_in_their_words_may_be_written(text: str) -> None:
    assert judged(text) == ""
    assert judged(text, ()) != ""  # but not without saying where


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
    assert judged(text, ()) == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("They won the lottery.", "too few"),
        ("They start at the harbour on Monday. Their mother drinks.", "too few"),
        ("They start at the harbour with Zephyrine.", "Zephyrine"),
        ("They owe Anika 500 euros.", "500"),
        ("I keep thinking of Zephyrine.", "Zephyrine"),
        ("The wedding was cancelled.", "too few"),
        ("I heard the wedding was cancelled.", "too few"),
        ("They love the boats.", "too few"),
        ("They start at the harbour and love boats.", "'boat' was said by the companion alone"),
        ("...", "nothing"),
    ],
)
def test_what_they_did_not_say_may_not(text: str, why: str) -> None:
    assert why in judged(text)


def test_nearness_stands_in_for_words_and_never_for_names() -> None:
    def near(_text: str, _cited: Sequence[str]) -> float:
        return 0.9

    assert thoughts.judge("They begin work beside the water.", [SAID], [SAID], [], (), near).ok
    assert not thoughts.judge("They begin work beside Zephyrine.", [SAID], [SAID], [], (), near).ok


def test_a_guess_or_a_question_is_never_free() -> None:
    assert thoughts.judge_claim("A kind word before the new job.", [SAID], [SAID], []).ok
    assert not thoughts.judge_claim("I want a long talk about my dreams.", [SAID], [SAID], []).ok
    assert not thoughts.judge_claim("They may need help.", [SAID], [SAID], []).ok


@given(st.text(max_size=200), st.lists(st.text(max_size=60), max_size=3))
def test_any_text_is_judged_and_a_refusal_has_a_reason(text: str, cited: list[str]) -> None:
    verdict = thoughts.judge(text, cited, cited, [], ("Noor",))
    assert verdict.ok is (verdict.reason == "")


@settings(max_examples=40)
@given(st.from_regex(r"[QXZ][a-z]{4,9}", fullmatch=True))
def test_no_name_that_nobody_said_is_ever_written(name: str) -> None:
    assert judged(f"They start at the harbour with {name}.") != ""
    assert judged(f"I think of {name}.", ()) != ""


@pytest.mark.parametrize(
    ("first", "second", "cosine", "one"),
    [
        ("They miss the sea.", "They miss the sea.", None, True),
        ("They miss the sea at night.", "The sea at night: they miss it.", None, True),
        ("They miss the sea.", "They miss Anika.", None, False),
        ("They miss the sea.", "They miss the sea.", 0.5, False),
        ("Rain.", "Wet weather.", 0.85, True),
        ("", "", None, True),
    ],
)
def test_the_same_thought(first: str, second: str, cosine: float | None, one: bool) -> None:
    assert thoughts.same(first, second, cosine) is one
