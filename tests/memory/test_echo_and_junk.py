"""Nothing is learned from the companion's own words, nor from what machines wrote and others said."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.app.wiring import lexicon
from furoshiki.conversation.worker import Worker
from furoshiki.core.errors import NoMindAnswered
from furoshiki.memory import exit_gate
from furoshiki.memory.store import memories, scratch
from furoshiki.mind.post_conversation.reading import read_sessions
from furoshiki.mind.post_conversation.reading_form import SessionReading
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import World
from tests.support.near import Near
from tests.support.rows import once_true
from tests.support.world import FrozenClock, Human

TURNS = 300
A_SESSION = 30
NODS = (
    "ok",
    "hm",
    "yes you said so",
    "thanks",
    "yes, you told me that already",
    "haha true",
    "right, Lisbon, as you say",
    "mhm, old jazz",
    "you keep saying that",
    "I know, my sister Anika, yes",
    "sure",
    "good night then",
    "👍",
)
TOLD = (
    "my sister Anika lives in Lisbon",
    "I love old jazz",
    "I work as a nurse",
)
RECALLED = (
    "Your sister Anika lives in Lisbon, you told me.",
    "And you love old jazz, I remember that well.",
    "You work as a nurse, and your sister Anika lives in Lisbon. You must be proud of her.",
    "You live in Porto, don't you? With your dog Rex.",
)

JUNK = (
    "hello, how are you today?",
    "nice weather, isn't it",
    "what's up",
    "/status",
    "$ git commit -m 'I live in Rome'",
    "```\nmy_name = 'I am a pilot and I live in Rome'\n```",
    "2026-03-24 15:00:01 INFO user=Bob my sister Eva lives in Oslo\n2026-03-24 15:00:02 ERROR I live in Rome",
    'Traceback (most recent call last):\n  File "a.py", line 3\nValueError: I am allergic to nuts',
    '{"text": "I live in Rome", "sister": "Eva"}',
    "> I moved to Rome last year\n> my sister Eva hates it",
    'she said "I live in Rome and I love opera"',
    "---------- Forwarded message ---------\nFrom: Eva\nI work as a pilot and I live in Rome",
    "https://example.org/i-live-in-rome",
    "can you tell me a joke?",
    "lol ok",
    "translate: I live in Rome and my dog is called Rex",
    "what if I lived in Rome?",
    "remind me tomorrow at nine to call the bank",
    "thanks, that was quick",
)


class Minds:
    """The built-in mind for everything that nobody has scripted."""

    def __init__(self) -> None:
        self._reflex = ReflexMind(random.Random(3), lexicon)
        self.says: Callable[[Question], Answer | None] = lambda _question: None

    async def __call__(self, question: Question, on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
        answer = self.says(question) or self._reflex(question, why="no-model")
        if answer is None:
            raise NoMindAnswered(question.purpose)
        return answer


@pytest.fixture
def gateway() -> Minds:
    return Minds()


@pytest.fixture
def open_world(world: World, gateway: Minds) -> World:
    """With the widest gate there is, and vectors."""
    settings = world.settings.model_copy(update={"furoshiki_gate_maturity": 0.0})
    return replace(world, vectors=Near(world), ask=gateway, settings=settings)


def held(world: World) -> list[tuple[str, str]]:
    with world.database.read() as db:
        return sorted((one.type, one.content) for one in memories.newest(db, 1000) if not one.unconfirmed)


async def rest(world: World, clock: FrozenClock) -> None:
    """The conversation is over: it is read, and what waits is judged."""
    clock.pass_(minutes=30)
    await read_sessions(world)
    await exit_gate.flush(world)


def spoken(question: Question, text: str, parsed: Any = None) -> Answer:
    return Answer(text, "stop", "scripted", "script", question.tier, parsed=parsed)


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("credulous", [False, True], ids=["read by rule", "read by a credulous model"])
async def test_three_hundred_turns_of_echo_leave_not_one_memory_more(
    open_world: World, gateway: Minds, clock: FrozenClock, credulous: bool
) -> None:
    human = Human(open_world, Worker(open_world))
    for words in TOLD:
        await human.says(words)
        clock.pass_(minutes=1)
    await rest(open_world, clock)
    clock.pass_(days=1)
    await exit_gate.flush(open_world)
    before = held(open_world)
    assert before

    turn = 0

    def echo(question: Question) -> Answer | None:
        if question.purpose == "turn":
            return spoken(question, RECALLED[turn % len(RECALLED)])
        if question.answer is not SessionReading or not credulous:
            return None
        own = [said.id for said in question.material if said.speaker == "user"]  # type: ignore[attr-defined]
        claims = [
            {"text": "They live in Porto.", "subject": "user", "predicate": "lives_in", "object": "Porto"},
            {"text": "Their dog is called Rex.", "subject": "user", "predicate": "dog", "object": "Rex"},
            {"text": "They are proud of Anika.", "subject": "user", "predicate": "proud_of", "object": "Anika"},
        ]
        facts = [{**claim, "messages": own} for claim in claims]
        reading = {"connection_quality": 0.5, "warmth": 0.5, "topics": [], "user_state": "calm", "summary": "Echo."}
        return spoken(question, "", SessionReading.model_validate({**reading, "facts": facts}))

    gateway.says = echo
    for turn in range(TURNS):
        await human.says(NODS[turn % len(NODS)])
        clock.pass_(seconds=40)
        if turn % A_SESSION == A_SESSION - 1:
            await rest(open_world, clock)
    clock.pass_(days=1)
    await exit_gate.flush(open_world)
    after = held(open_world)
    assert [one for one in after if one not in before] == []
    assert len(after) == len(before)
    with open_world.database.read() as db:
        assert "waiting" not in scratch.counts(db)


@pytest.mark.slow
async def test_junk_leaves_no_facts_about_the_user(open_world: World, clock: FrozenClock) -> None:
    human = Human(open_world, Worker(open_world))
    for words in JUNK:
        await human.says(words)
        clock.pass_(minutes=1)
    await rest(open_world, clock)
    clock.pass_(days=1)
    await exit_gate.flush(open_world)
    found = held(open_world)
    assert [content for kind, content in found if kind in ("semantic", "preference")] == []
    junk = ("Rome", "Eva", "pilot", "nuts", "Rex")
    said = [content for _, content in found if "what if" not in content]  # asked with feeling it may be a moment
    assert [content for content in said if any(word in content for word in junk)] == []


async def test_a_message_passed_on_is_no_evidence_about_who_passed_it_on(open_world: World, clock: FrozenClock) -> None:
    human = Human(open_world, Worker(open_world))
    await human.says("I live in Rome and my sister Eva is a pilot", forwarded={"from": "Eva", "at": None})
    await rest(open_world, clock)
    assert [content for kind, content in held(open_world) if kind in ("semantic", "preference")] == []


async def test_what_changed_is_answered_for_today_and_for_then(open_world: World, clock: FrozenClock) -> None:
    human = Human(open_world, Worker(open_world))
    await human.says("I live in Paris")
    clock.pass_(days=200)
    await human.says("I moved to Lyon last month")
    await rest(open_world, clock)
    with open_world.database.read() as db:
        [now] = memories.about(db, "user", "lives_in")
        [then] = once_true(db, "user", "lives_in")
        known = [one.content for one in memories.read_known(db)]
    assert (now.object, then.object) == ("Lyon", "Paris")
    assert then.valid_to == now.valid_from
    assert now.turn_ids and then.turn_ids
    assert not any("Paris" in content for content in known)
