"""How far along it is, as it is asked in a chat."""

from __future__ import annotations

import pytest

from furoshiki.conversation import interactions
from furoshiki.conversation.interactions import Spoken
from furoshiki.mind.readiness import rules
from tests.support.commands import Commander


async def test_every_milestone_has_its_line_and_the_life_its_figures(command: Commander) -> None:
    text = (await command("/readiness")).text
    assert text.startswith("**0 of 10 milestones**")
    assert all(one.title in text for one in rules.milestones().values())
    lived = (
        "I have lived for 0 days, since 24 March 2026. I was awake for less than an hour of it. "
        "I was restarted 0 times."
    )
    assert text.endswith(lived)


@pytest.mark.parametrize("words", ["How far along are you?", "so, how far along are you by now?"])
def test_it_may_be_asked_in_plain_words(words: str) -> None:
    assert interactions.find_spoken(words) == Spoken("readiness")


def test_how_far_along_something_else_is_is_to_be_talked_about() -> None:
    assert interactions.find_spoken("How far along are you with the book?") is None
