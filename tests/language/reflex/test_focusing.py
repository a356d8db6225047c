"""A focus session in plain words, without a model: begun, looked at, ended; and what only sounds like one."""

from __future__ import annotations

import pytest

from furoshiki.language.reflex import focusing
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.wording import Wording
from tests.support.friend import Talk

SET = {
    "focus for 25 minutes": ("", 25),
    "let me focus on the thesis for 45 minutes": ("the thesis", 45),
    "please focus 90 min on my taxes": ("my taxes", 90),
    "I want to focus on the slides for an hour": ("the slides", 60),
    "start a focus session": ("", None),
    "start a focus session on the visa form for 2 hours": ("the visa form", 120),
}


def called(said: str) -> dict[str, object] | None:
    talk = Talk()
    situation = talk._situation(said, ())
    found = focusing.request(Heard(situation), Wording(situation, talk.rng))
    return None if found is None else {"skill": found.calls[0].name, **found.calls[0].args}


@pytest.mark.parametrize(("said", "wanted"), SET.items())
def test_a_session_is_asked_for_in_plain_words(said: str, wanted: tuple[str, int | None]) -> None:
    topic, minutes = wanted
    more = {} if minutes is None else {"minutes": minutes}
    assert called(said) == {"skill": "focus", "action": "set", "topic": topic, **more}


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("stop focusing", {"skill": "focus", "action": "clear"}),
        ("am I still focusing?", {"skill": "focus", "action": "check"}),
        ("which tools do you have?", {"skill": "find_tools"}),
        ("i need to focus on my health", None),
        ("we focus on sales for the next quarter", None),
        ("the focus session at work was awful", None),
    ],
)
def test_what_is_meant_and_what_only_sounds_like_it(said: str, wanted: dict[str, object] | None) -> None:
    assert called(said) == wanted
