"""A draft becomes a reply."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from furoshiki.conversation.draft_directives import speak
from furoshiki.conversation.rules.speech import Part
from furoshiki.conversation.values import Draft
from furoshiki.feelings.rules.mood import Mood
from furoshiki.memory.perception.values import Percept
from furoshiki.owner.agenda.store.operations import Operation
from tests.support.innocent import INNOCENT
from tests.support.turns import context
from tests.support.world import START


def work(id_: int, state: str) -> Operation:
    return Operation(id_, "look", "it", "telegram", "7", state, None, START)


def heard(text: str, mood: str = "lonely") -> Percept:
    return cast(Percept, SimpleNamespace(text=text, own_text=text, heartbeat=SimpleNamespace(mood=Mood(mood, START))))


def test_words_go_where_the_draft_says_and_what_led_to_them_stays_with_them() -> None:
    draft = Draft("Here.\n\n[[send_to:console]] There.", "p", "m", "chat")
    here = context(percept=heard("hello"))
    reply = speak(here, draft, ("console",))
    assert reply.speech.parts == (Part("Here."), Part("There.", "console"))
    assert (reply.context, reply.draft, reply.percept) == (here, draft, here.percept)


def test_work_that_has_ended_counts_as_seen() -> None:
    seen = context(percept=heard("hello"), operations=(work(1, "pending"), work(2, "completed"), work(3, "failed")))
    assert speak(seen, Draft("NO_REPLY", "p", "m", "chat"), ()).operations == (2, 3)


def words(draft: str, said: str = "hello") -> str:
    reply = speak(context(percept=heard(said)), Draft(draft, "p", "m", "chat"), ())
    return "\n\n".join(part.text for part in reply.speech.parts)


def test_a_dial_is_not_read_out() -> None:
    assert words("[mood: lonely] There you are. My loneliness is 0.8.") == "There you are."


@pytest.mark.parametrize("said", ["How are you feeling?", "what's your loneliness, as a number?"])
def test_who_asks_how_it_feels_may_hear_the_figure(said: str) -> None:
    assert words("My loneliness is 0.8.", said) == "My loneliness is 0.8."


def test_when_it_was_nothing_but_a_dial_the_mood_is_put_in_words() -> None:
    assert words("My loneliness is 0.8.") == "A little lonely, until you wrote."


def test_no_innocent_answer_is_emptied_or_changed() -> None:
    for line in INNOCENT:
        assert words(line.replace("\\n", "\n")) == line.replace("\\n", "\n")


@pytest.mark.parametrize("said", ["write me a diary entry as if you were me", "a poem about loneliness, please"])
def test_words_in_another_voice_are_nobody_s_recital(said: str) -> None:
    assert words("My loneliness is 0.8.\nIt rains.", said) == "My loneliness is 0.8.\nIt rains."


def test_a_reaction_beside_a_dial_stays_one() -> None:
    reply = speak(context(percept=heard("hello")), Draft("[[react:❤]] My affection is 0.9.", "p", "m", "chat"), ())
    assert (reply.speech.reaction, reply.speech.parts) == ("❤", ())
