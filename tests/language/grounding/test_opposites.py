"""Of two sentences one says what the other denies."""

from __future__ import annotations

import pytest

from furoshiki.language.grounding.words import opposite


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("They have not told Amparo yet that they failed.", "They told Amparo, who answered that a car is only metal."),
        ("They told Amparo.", "They have not told Amparo yet."),
        ("They live with Tom.", "They don't live with Tom any more."),
        ("Their sister does not speak to their mother.", "Their sister speaks to their mother again."),
        ("They have not found a flat.", "They found a flat in March."),
    ],
)
def test_a_sentence_and_what_it_denies_are_opposite(one: str, other: str) -> None:
    assert opposite(one, other) and opposite(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("They have not told Amparo about the exam.", "They told Amparo about the move."),
        ("They do not eat meat at Anna's.", "They eat meat at home."),
        ("They have not told Ruth about it.", "They want to tell Ruth about it."),
        ("They have not told Ruth.", "They never told Declan."),
        ("They told Ruth.", "They told Declan."),
        ("They are not well.", "They are well known in Oslo."),
    ],
)
def test_what_is_of_another_matter_or_still_to_come_is_no_opposite(one: str, other: str) -> None:
    assert not opposite(one, other) and not opposite(other, one)
