"""How much of a description of oneself has changed, and its sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.core.paths import ROOT
from furoshiki.mind.inner_life.rules import self_description

SHIPPED = (ROOT / "config" / "identity" / "SELF.md").read_text(encoding="utf-8")
TEN = "one two three four five six seven eight nine ten"


@pytest.mark.parametrize(
    ("after", "similar", "changed"),
    [
        (TEN, 1.0, 0.0),
        ("one two three four five six\nseven eight   nine ten", 1.0, 0.0),
        (TEN.replace("ten", "TEN"), 0.9, 0.1),
        (f"{TEN} and ten more words here", 20 / 25, 5 / 15),
        ("one two three four five", 10 / 15, 0.5),
        ("", 0.0, 1.0),
        ("nothing of all that", 0.0, 1.0),
    ],
)
def test_how_much_changed_is_counted_in_words(after: str, similar: float, changed: float) -> None:
    assert self_description.similarity(TEN, after) == pytest.approx(similar)
    assert self_description.measure_change(TEN, after) == pytest.approx(changed)


@given(st.lists(st.sampled_from("abcd")), st.lists(st.sampled_from("abcd")))
def test_shares_are_shares_and_do_not_care_for_line_breaks(first: list[str], second: list[str]) -> None:
    a, b = " ".join(first), " ".join(second)
    assert 0.0 <= self_description.measure_change(a, b) <= 1.0
    assert 0.0 <= self_description.similarity(a, b) <= 1.0
    assert self_description.measure_change(a, "\n".join(first)) == 0.0
    if self_description.measure_change(a, b) == 0.0:
        assert self_description.same(a, b)


@pytest.mark.parametrize("words", [1, 79, 400, 700, 900])
def test_what_there_is_room_for_is_never_too_much(words: int) -> None:
    before = " ".join(f"word{number}" for number in range(words))
    after = before + " new" * self_description.room(before)
    assert self_description.measure_change(before, after) <= self_description.MOST_CHANGED + 1e-9
    assert len(after.split()) <= max(self_description.MOST_WORDS, words)


def test_a_diff_shows_the_sentences_that_changed() -> None:
    after = SHIPPED.replace("I am new here.", "I have been here for a while.")
    told = self_description.diff(SHIPPED, after).splitlines()
    assert [line for line in told if line[:1] in "+-" and line[:3] not in ("+++", "---")] == [
        "-I am new here.",
        "+I have been here for a while.",
    ]
    assert self_description.diff(SHIPPED, " ".join(SHIPPED.split())) == ""


def test_a_text_is_put_together_again_as_it_was_laid_out() -> None:
    text = "I am here.\nI wait.\n\n- I like rain\n- I like the\n  sea\n\n# Mine\nI stay."
    assert self_description.sentences(text) == [
        "I am here.",
        "I wait.",
        "- I like rain",
        "- I like the sea",
        "# Mine",
        "I stay.",
    ]
    assert self_description.assemble("I don\u2019t wait.", [["I don't wait."]]) == "I don\u2019t wait."
    told = [["i am here.", "I wait."], ["- I like rain", "- I like the sea", "- I like snow"], ["I go."]]
    assert self_description.assemble(text, told) == (
        "I am here.\nI wait.\n\n- I like rain\n- I like the sea\n- I like snow\n\nI go."
    )


def test_a_sentence_is_taken_out_and_the_rest_stays() -> None:
    text = "I am here.  I say “wait.” (Yes.)\n\nI like\nrain."
    assert self_description.without(text, ["(yes.)"]) == "I am here. I say “wait.”\n\nI like\nrain."
    assert self_description.without(text, ["I like rain."]) == "I am here.  I say “wait.” (Yes.)"
    assert self_description.without(text, ["I never stood here."]) is text
    assert self_description.without(text, self_description.sentences(text)) == ""
