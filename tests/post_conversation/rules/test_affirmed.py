"""A fact is told by its user, as true: not asked, quoted, supposed, reported about them, or denied."""

from __future__ import annotations

from typing import Any

import pytest

from furoshiki.language.facts.extraction import facts_in
from furoshiki.post_conversation.rules.affirmed import affirmed
from tests.support.statements import STATED

TOLD: list[tuple[str, str, str, dict[str, Any]]] = [
    ("They work at the harbour.", "harbour", "I start my new job at the harbour on Monday", {}),
    ("They live in Lyon.", "Lyon", "I used to live in Lyon", {}),  # when is judged by what keeps it
    ("They live in Lyon.", "Lyon", "I don't live in Paris any more, I live in Lyon now", {}),
    ("They dislike olives.", "olives", "I don't like olives", {"category": "preference"}),
    ("They are allergic to nuts.", "nuts", "I can't eat nuts, I'm allergic", {"category": "health"}),
    ("They quit smoking.", "smoking", "I quit smoking in May", {}),
    ("Their sister is called Anika.", "Anika", "did I tell you about my sister Anika?", {"category": "family"}),
    ("They read Dune.", "Dune", 'I\'m reading "Dune" just now', {}),
    ("They would love to see Japan.", "Japan", "I would love to see Japan one day", {"category": "preference"}),
    ("They plan to visit Oslo.", "Oslo", "I might visit Oslo in May", {"category": "plan"}),
    ("Their sister moved to Rome.", "Rome", "my sister says she moved to Rome", {"about_user": False}),
    ("They told their boss they leave in June.", "leave in June", "I told my boss that I'm leaving in June", {}),
    ("They live in Lyon.", "Lyon", "I live in Lyon now, remember?", {}),
]
NOT_TOLD: list[tuple[str, str, str, dict[str, Any]]] = [
    ("They work at the zoo.", "zoo", "I don't work at the zoo", {}),
    ("They live in Lyon.", "Lyon", "I never lived in Lyon", {}),
    ("They have a dog.", "dog", "no, I don't have a dog", {"category": "possession"}),
    ("They like olives.", "olives", "I can't stand olives, I don't like olives at all", {"category": "preference"}),
    ("They are married.", "married", "I'm divorced, not married", {"category": "relationship"}),
    ("They live in Lyon.", "Lyon", "should I move to Lyon?", {}),
    ("They plan to move to Lyon.", "Lyon", "should I move to Lyon?", {"category": "plan"}),
    ("They live in Lyon.", "Lyon", "if I lived in Lyon I would be happy", {}),
    ("They are lazy.", "lazy", "my boss says I am lazy", {}),
    ("They hate their mother.", "mother", 'the song goes "I hate my mother and my mother hates me"', {}),
    ("They have cancer.", "cancer", "I dreamt that I had cancer", {"category": "health"}),
    ("They have cancer.", "cancer", "do you think my lump is cancer?", {"category": "health"}),
    ("They are a spy.", "spy", "write a story in which I am a spy", {}),
    ("They moved to Japan.", "Japan", "I would love to see Japan one day", {}),
]


@pytest.mark.parametrize(("claim", "object_", "text", "more"), TOLD)
def test_what_they_tell_is_affirmed(claim: str, object_: str, text: str, more: dict[str, Any]) -> None:
    assert affirmed(claim, object_, [text], **more).ok


@pytest.mark.parametrize(("claim", "object_", "text", "more"), NOT_TOLD)
def test_what_they_do_not_tell_is_not(claim: str, object_: str, text: str, more: dict[str, Any]) -> None:
    assert not affirmed(claim, object_, [text], **more).ok


def test_one_message_that_tells_is_enough() -> None:
    assert affirmed("They have a dog.", "dog", ["do I have a dog?", "I have a dog, yes"]).ok


@pytest.mark.parametrize("message", [message for message in STATED if message])
def test_every_fact_the_patterns_find_is_affirmed_in_its_message(message: str) -> None:
    for found in facts_in(message):
        verdict = affirmed(
            found.text,
            found.object,
            [message],
            category=found.category,
            about_user=found.subject == "user",
        )
        assert verdict.ok, (found, verdict.reason)
