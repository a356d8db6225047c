"""What waits for the owner is worded as it goes through a mind, and tells which is which by its key."""

from __future__ import annotations

import pytest

from furoshiki.mind.outreach.rules import thoughts


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ("How was it?", "How was it?"),
        ("The frost is over. Did the tomatoes survive? Tell me!", "Did the tomatoes survive?"),
        ("Is it you? Or is it me?", "Or is it me?"),
        ("I thought of you.", None),
        ("May I count on this for good: \u201cThey row.\u201d? Just tap a button.", "May I count on this for good?"),
        ("You said \u201cWhy?\u201d and left. What did you mean?", "What did you mean?"),
        ("", None),
    ],
)
def test_the_question_of_a_message_is_its_last(words: str, question: str | None) -> None:
    assert thoughts.find_question(words) == question


def test_a_promise_kept_in_between_is_asked_about_again() -> None:
    first, same, later = (thoughts.of_failing_promise(4, honoured) for honoured in (0, 0, 1))
    assert first.key == same.key != later.key


def test_nothing_of_a_proposal_stands_in_its_thought() -> None:
    assert "ab12" not in thoughts.of_proposal("ab12").summary


def test_a_list_is_called_what_its_owner_calls_it() -> None:
    assert thoughts.of_list("user_house_work", 1).summary == "the house work list: done"
