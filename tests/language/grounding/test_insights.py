"""An insight follows from the memories it cites, or it is none."""

from __future__ import annotations

import pytest

from furoshiki.language.grounding import insights

KNOWN = {
    1: "They swim in the sea after hard days.",
    2: "They work at the harbour.",
    3: "They grew up by the water in Setúbal.",
    4: "Their sister Anika plays chess.",
    5: "They walk to the sea when work was hard.",
}


@pytest.mark.parametrize(
    ("text", "cited", "why"),
    [
        ("When work is hard they go to the sea.", [1, 99], "no memory 99"),
        ("When work is hard they go to the sea.", [], "too few memories: 0"),
        ("When work is hard they go to the sea.", [1, 1], "too few memories: 1"),
        ("They swim in the sea after hard days.", [1, 5], "again"),
        (" ", [1, 5], "says nothing"),
        ("Water is where they recover.", [1, 5], ""),
    ],
)
def test_what_is_no_conclusion_whatever_it_means(text: str, cited: list[int], why: str) -> None:
    found = insights.unfit(text, cited, KNOWN, insights.LEAST_CITED, new=True)
    assert bool(found) == bool(why) and why in found


@pytest.mark.parametrize(
    ("first", "second", "cosine", "same"),
    [
        ("They go to the sea when work is hard.", "They go to the sea, when work is hard", None, True),
        ("They go to the sea when work is hard.", "They visit Anika on Sundays.", None, False),
        ("They go to the sea when work is hard.", "Water calms them.", 0.95, True),
        ("They go to the sea when work is hard.", "Water calms them.", 0.6, False),
    ],
)
def test_an_insight_said_again_is_the_same(first: str, second: str, cosine: float | None, same: bool) -> None:
    assert insights.same(first, second, cosine) is same
