"""An insight follows from the memories it cites, or it is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.language.grounding import insights

KNOWN = {
    1: "They swim in the sea after hard days.",
    2: "They work at the harbour.",
    3: "They grew up by the water in Setúbal.",
    4: "Their sister Anika plays chess.",
    5: "They walk to the sea when work was hard.",
}


@pytest.mark.parametrize(
    ("text", "cited", "carried_by"),
    [
        ("When work is hard they go to the sea.", [1, 5], (1, 5)),
        ("When work is hard they go to the sea.", [1, 5, 4], (1, 5)),  # chess has nothing to do with it
        ("They look for the sea after hard days at the harbour.", [1, 2, 1], (1, 2)),
    ],
)
def test_an_insight_is_carried_by_what_has_to_do_with_it(
    text: str, cited: list[int], carried_by: tuple[int, ...]
) -> None:
    assert insights.judge(text, cited, KNOWN) == insights.Judgement(carried_by)


@pytest.mark.parametrize(
    ("text", "cited", "why"),
    [
        ("When work is hard they go to the sea.", [1, 99], "no memory 99"),
        ("When work is hard they go to the sea.", [], "0 of its 0"),
        ("When work is hard they go to the sea.", [1], "1 of its 1"),
        ("When work is hard they go to the sea.", [4, 1], "1 of its 2"),
        ("They fear aeroplanes and turbulence and long queues near hard benches at sea.", [1, 5], "too few"),
        ("They miss Paris when the sea is hard.", [1, 5], "'Paris'"),
        ("Paris is a sea after hard work.", [1, 5], "'Paris'"),
        ("They have swum 40 times in the sea after work.", [1, 5], "'40'"),
        ("They swim in the sea after hard days.", [1, 5], "again"),
        ("They often seem to like things.", [1, 5], "says nothing"),
    ],
)
def test_what_does_not_follow_is_refused_with_a_reason(text: str, cited: list[int], why: str) -> None:
    verdict = insights.judge(text, cited, KNOWN)
    assert not verdict.ok
    assert why in verdict.reason
    assert verdict.carried_by == ()


def test_likeness_stands_in_for_words_but_not_for_names() -> None:
    text = "They turn to open water for comfort on bad evenings."
    near = dict.fromkeys(KNOWN, 0.5)
    assert not insights.judge(text, [1, 5], KNOWN).ok
    assert insights.judge(text, [1, 5], KNOWN, near).ok
    assert not insights.judge(text.replace("open water", "Lake Geneva"), [1, 5], KNOWN, near).ok


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


@given(st.text(max_size=200), st.lists(st.integers(0, 9), max_size=8))
def test_nothing_is_ever_carried_by_what_was_not_cited_and_shown(text: str, cited: list[int]) -> None:
    verdict = insights.judge(text, cited, KNOWN)
    assert set(verdict.carried_by) <= set(cited) & set(KNOWN)
    assert verdict.ok is (len(verdict.carried_by) >= insights.LEAST_CITED)
