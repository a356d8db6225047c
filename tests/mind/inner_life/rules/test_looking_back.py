"""A long look at oneself by rule: a sentence or two, only of what was kept or keeps going wrong, and never twice."""

from __future__ import annotations

from typing import Any

import pytest

from furoshiki.core.paths import ROOT
from furoshiki.mind.inner_life.rules import self_description
from furoshiki.mind.inner_life.rules.looking_back import MOST_LEARNED, WeekInReview, look

SHIPPED = (ROOT / "config" / "identity" / "SELF.md").read_text(encoding="utf-8").strip()


def text(found: Any) -> str:
    told = [[one["text"] for one in part["sentences"]] for part in found["description"]]
    return self_description.assemble(SHIPPED, told)


def added(week: WeekInReview) -> list[str]:
    before = set(self_description.sentences(week.before))
    return [one for one in self_description.sentences(text(look(week))) if one not in before]


@pytest.mark.parametrize(
    ("promise", "learned"),
    [
        ("Ask before giving advice", "I have learned to ask before giving advice."),
        ("Keep replies short when they are tired.", "I have learned to keep replies short when they are tired."),
        ("Never answer a question with a question", "I have learned not to answer a question with a question."),
        ("Don't apologise twice", "I have learned not to apologise twice."),
        ("I will wait for the end", "I have learned to wait for the end."),
    ],
)
def test_what_needed_no_promise_any_more_was_learned(promise: str, learned: str) -> None:
    assert added(WeekInReview(SHIPPED, retired=(("commitment:1", promise),))) == [learned]


def test_what_goes_wrong_once_teaches_nothing_and_twice_something() -> None:
    poor = [(f"memory:{n}", f"On 2026-03-0{n} my replies were not authentic enough (2 of 5).") for n in (1, 2)]
    assert added(WeekInReview(SHIPPED, observed=(poor[0],))) == []
    found = look(WeekInReview(SHIPPED, observed=tuple(poor)))
    assert found["description"][-1]["sentences"] == [
        {
            "text": "I am learning to let my replies be authentic, and my own.",
            "rests_on": ["memory:1", "memory:2"],
        }
    ]


def test_a_promise_that_was_broken_again_and_again_is_admitted() -> None:
    broken = ("memory:7", "I promised myself this and broke it 3 times in a row: ask before giving advice.")
    assert added(WeekInReview(SHIPPED, observed=(broken,))) == ["I still find it hard to ask before giving advice."]


def test_a_week_changes_no_more_than_two_sentences_and_far_less_than_a_proposal() -> None:
    promises = tuple((f"commitment:{n}", f"Speak of the {word}") for n, word in enumerate(("sea", "rain", "wind")))
    week = WeekInReview(SHIPPED, retired=promises)
    assert len(added(week)) == 2
    assert self_description.measure_change(SHIPPED, text(look(week))) < self_description.MOST_CHANGED
    assert added(WeekInReview("I am Furo.", retired=promises)) == [], "a text so short would be another one"


def test_of_many_lessons_the_oldest_gives_way() -> None:
    before = SHIPPED
    for n, word in enumerate(("sea", "rain", "wind", "snow", "hail", "fog", "frost", "storm")):
        before = text(look(WeekInReview(before, retired=((f"commitment:{n}", f"Speak of the {word}"),))))
    lessons = self_description.sentences(self_description.paragraphs(before)[-1])
    assert len(lessons) == MOST_LEARNED
    assert (lessons[0], lessons[-1]) == (
        "I have learned to speak of the wind.",
        "I have learned to speak of the storm.",
    )
    assert before.startswith(SHIPPED)


def test_nothing_was_learned_and_nothing_changes() -> None:
    assert text(look(WeekInReview(SHIPPED))) == SHIPPED
    assert look(WeekInReview(SHIPPED))["shifts"] == []


def test_a_theme_is_what_comes_up_in_three_entries() -> None:
    entries = tuple((f"entry:{n}", told) for n, told in enumerate(("the harbour", "the harbour, chess", "my harbour")))
    assert look(WeekInReview(SHIPPED, entries=entries[:2]))["themes"] == []
    assert look(WeekInReview(SHIPPED, entries=entries))["themes"] == [
        {"text": "What came up again and again: harbour.", "rests_on": ["entry:0", "entry:1", "entry:2"]}
    ]
