"""Which words were said: what changes a life in whatever words, and Japanese to the letter."""

from __future__ import annotations

import pytest

from furoshiki.language.grounding.words import collect_words, mostly_said, unsaid_grave


@pytest.mark.parametrize(
    ("claim", "said", "ok"),
    [
        ("They start at the harbour on Monday after their divorce.", "I start at the harbour on Monday", False),
        ("They are pregnant and work at the harbour.", "I work at the harbour, the baby is due in May", True),
        ("Their cat Momo died in May.", "Momo, my cat, passed away in May", True),
        ("Their cat Momo died in May.", "Momo, my cat, slept all of May", False),
        ("They lost their job at the harbour.", "I was fired at the harbour, I lost the job", True),
    ],
)
def test_other_words_may_not_add_what_changes_a_life(claim: str, said: str, ok: bool) -> None:
    assert (unsaid_grave(claim, collect_words([said], claim)) == "") is ok


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("10日になった", True),
        ("ゼミ", True),
        ("手術", True),
        ("卒論", False),
        ("引っ越した", False),
        ("メール", False),
    ],
)
def test_words_are_said_to_the_letter_in_japanese(text: str, said: bool) -> None:
    """“10日になった” was said of “9日じゃなくて10日になった”, and “ゼミ” in “今日ゼミで”."""
    evidence = collect_words(["祖母の手術、9日じゃなくて10日になった", "今日ゼミで発表した"])
    assert mostly_said(text, evidence, 1.0) is said
