"""What the next message, or a reaction, says about the way the last one was answered."""

from __future__ import annotations

import pytest

from furoshiki.language import nlp
from furoshiki.routing.rules import feedback
from tests.support.laws import english

LABELS = [
    ("RESPOND", "where is the harbour?", "I meant the old harbour", "missed_clarify"),
    ("RESPOND", "what's the best way to the harbour?", "what is the best way to the harbour", "missed_clarify"),
    ("RESPOND", "what's the best way to the harbour?", "what's the best way to the station?", None),
    ("RESPOND", "ok", "ok", None),
    ("RESPOND", "who was that singer?", "can you look that up?", "missed_act"),
    ("RESPOND", "who was that singer?", "do you remember what I told you last time?", "missed_act"),
    ("RESPOND", "how do I cook rice?", "thanks, that helped!", "correct_route"),
    ("RESPOND", "how do I cook rice?", "thanks. I meant brown rice, though", "missed_clarify"),
    ("RESPOND", "how do I cook rice?", "wrong", None),
    ("RESPOND", "how do I cook rice?", "my sister likes it with saffron", None),
    ("ACKNOWLEDGE", "I lost my job today", "that's not helpful", "under_engagement"),
    ("ACKNOWLEDGE", "hi", "perfect", "correct_route"),
    ("ACKNOWLEDGE", "hi", "can you look that up?", None),
    ("CLARIFY", "where is the harbour?", "I meant the old harbour", None),
    ("ACT", "who was that singer?", "great, exactly", "correct_route"),
]


@pytest.mark.parametrize(("mode", "before", "text", "label"), LABELS)
def test_a_message_says_something_about_the_answer_before_it_or_nothing(
    mode: str, before: str, text: str, label: str | None
) -> None:
    assert feedback.label(mode, feedback.following(nlp.read(text, english()), before, text)) == label


@pytest.mark.parametrize(
    ("strengths", "label"),
    [
        ({"praise": 0.6}, "correct_route"),
        ({"frustration": 0.6}, "wrong_route"),
        ({"praise": 0.6, "frustration": 0.6}, "wrong_route"),
        ({"sadness": 0.7}, None),
        ({}, None),
    ],
)
def test_a_reaction_is_about_the_answer_or_about_what_was_told(strengths: dict[str, float], label: str | None) -> None:
    assert feedback.of_reaction(strengths) == label
