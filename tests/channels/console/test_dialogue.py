"""Talking at a terminal: answered here when nobody else is the mind, and through the boxes when somebody is."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from furoshiki.channels.console import NAME, dialogue, mailbox
from furoshiki.channels.console.dialogue import Talk
from furoshiki.channels.local.live_reply import MemoryBoard
from furoshiki.channels.local.mailbox import Mailbox
from furoshiki.conversation.worker import Worker
from furoshiki.core.database import troubles
from furoshiki.core.errors import StorageUnavailable
from furoshiki.messages.store import outbox
from furoshiki.messages.values import NewOutgoing
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import World
from tests.support.world import FrozenClock, Script

SECONDS = 10.0


def nothing(_text: str) -> None:
    """Nobody watches."""


def _put(world: World, text: str, key: str | None, policy: str = "reply") -> None:
    with world.database.write() as db:
        outbox.put(db, [NewOutgoing("console", "console", text, policy=policy)], world.now, None, key)  # type: ignore[arg-type]


def test_a_line_is_answered_once_and_nothing_is_left_over(talk: Talk, model: Script) -> None:
    model.lines = ["Hello, you."]
    envelope = talk.say("hello")
    answer = talk.wait(envelope, nothing, SECONDS)
    assert answer is not None
    assert answer.texts == ("Hello, you.",) and answer.turn_key == f"inbox:{envelope}" and answer.failure is None
    with talk.world.database.read() as db:
        assert outbox.count_pending(db) == 0
    assert talk.unprompted() == []


def test_silence_is_an_answer_without_parts(talk: Talk, model: Script) -> None:
    model.lines = ["NO_REPLY"]
    answer = talk.wait(talk.say("never mind"), nothing, SECONDS)
    assert answer is not None and answer.parts == () and answer.failure is None


def test_commands_are_answered_without_a_model_and_their_buttons_can_be_pressed(talk: Talk, model: Script) -> None:
    answer = talk.wait(talk.say("/remind tomorrow at 9 call Anika"), nothing, SECONDS)
    assert answer is not None
    [(label, data)] = answer.buttons
    assert label == "Take it back"
    pressed = talk.wait(talk.press(data), nothing, SECONDS)
    assert pressed is not None and pressed.texts == ("Taken back: call Anika.",)
    assert model.questions == []


def test_the_answer_is_seen_while_it_grows(console_world: World, board: MemoryBoard) -> None:
    seen: list[str] = []
    going_on = asyncio.Event()

    async def slowly(question: Question, on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
        assert on_text is not None
        await on_text("Once upon")
        while not any("Once" in text for text in seen):
            await asyncio.sleep(0.01)
        going_on.set()
        return Answer("Once upon a time.", "stop", "scripted", "script", question.tier)

    with Talk(replace(console_world, ask=slowly), board) as talk:
        answer = talk.wait(talk.say("tell me a story"), seen.append, SECONDS)
    assert answer is not None and answer.texts == ("Once upon a time.",)
    assert "Once upon" in seen


def test_what_takes_too_long_comes_late_and_once(console_world: World, board: MemoryBoard) -> None:
    go_on = False

    async def slowly(question: Question, on_text: object = None) -> Answer:
        while not go_on:
            await asyncio.sleep(0.01)
        return Answer("There you are.", "stop", "scripted", "script", question.tier)

    with Talk(replace(console_world, ask=slowly), board) as talk:
        assert talk.wait(talk.say("think hard"), nothing, 0.2) is None
        go_on = True
        until = time.monotonic() + SECONDS
        while not (late := talk.unprompted()) and time.monotonic() < until:
            time.sleep(0.02)
        assert [part.text for part in late] == ["There you are."]
        assert talk.unprompted() == []


def test_while_another_process_is_the_mind_the_console_waits_and_then_takes_over(
    console_world: World, board: MemoryBoard, model: Script
) -> None:
    model.lines = ["Here I am."]
    elsewhere = Worker(console_world)
    assert elsewhere.try_hold()
    with Talk(console_world, board) as talk:
        envelope = talk.say("anybody there?")
        assert talk.wait(envelope, nothing, 0.3) is None
        assert model.questions == []
        elsewhere.let_go()
        answer = talk.wait(envelope, nothing, SECONDS)
    assert answer is not None and answer.texts == ("Here I am.",)


def test_a_mind_elsewhere_answers_what_is_posted_here(console_world: World, board: MemoryBoard, model: Script) -> None:
    model.lines = ["From over there."]
    with Talk(console_world, board), Talk(replace(console_world), MemoryBoard()) as second:
        answer = second.wait(second.say("hello"), nothing, SECONDS)
    assert answer is not None and answer.texts == ("From over there.",)


def test_what_breaks_the_worker_is_not_waited_for(
    console_world: World, board: MemoryBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_self: Worker, _stop: asyncio.Event) -> None:
        raise MemoryError("gone")

    monkeypatch.setattr(Worker, "run", broken)
    with Talk(console_world, board) as talk, pytest.raises(MemoryError):
        talk.wait(talk.say("hello"), nothing, SECONDS)


def test_a_database_that_cannot_be_used_is_said_and_not_waited_for(
    console_world: World, board: MemoryBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hindered(worker: Worker, stop: asyncio.Event) -> None:
        worker.waits_for = "the disk is full: free some space and nothing is lost"
        await stop.wait()

    monkeypatch.setattr(Worker, "run", hindered)
    monkeypatch.setattr(dialogue, "HINDERED_SECONDS", 0.05)
    with (
        Talk(console_world, board) as talk,
        pytest.raises(StorageUnavailable, match=r"is full.*nothing is lost\. Your message is saved"),
    ):
        talk.wait(talk.say("hello"), nothing, SECONDS)


def _standing(world: World) -> list[troubles.Trouble]:
    with world.database.read() as db:
        return troubles.read_all(db)


def test_a_message_that_cannot_be_answered_is_a_failure_with_words(console_world: World, board: MemoryBoard) -> None:
    def broken(_question: Question) -> Answer:
        raise ZeroDivisionError("never again")

    with Talk(replace(console_world, ask=Script([broken] * 3)), board) as talk:
        answer = talk.wait(talk.say("hello"), nothing, SECONDS)
        [standing] = _standing(console_world)
        assert talk.wait(talk.say("and now?"), nothing, SECONDS) is not None
    assert _standing(console_world) == [], "it can answer again"
    assert answer is not None and answer.failure is not None
    assert "set it aside" in answer.texts[0]
    assert "answering breaks (ZeroDivisionError)" in standing.words and "furoshiki restore" in standing.words


def test_reminders_are_printed_once_and_answers_of_others_are_left_to_them(world: World, clock: FrozenClock) -> None:
    _put(world, "Call Anika.", "task:1", "reminder")
    _put(world, "Something another console waits for.", "inbox:9")
    found = mailbox.list_unprompted(world.database, world.now)
    assert [part.text for part in found] == ["Call Anika."]
    mailbox.mark_printed(world.database, found, world.now)
    assert mailbox.list_unprompted(world.database, world.now) == []
    clock.pass_(seconds=11)
    left = mailbox.list_unprompted(world.database, world.now)
    assert [part.text for part in left] == ["Something another console waits for."], "nobody came for it"


def test_hello_is_asked_for_once_in_a_life(world: World) -> None:
    boxes = Mailbox(world.database, NAME)
    assert boxes.hello(world.now) is not None
    assert boxes.hello(world.now) is None


def test_lines_of_two_consoles_that_joined_are_answered_to_both(
    console_world: World, board: MemoryBoard, model: Script
) -> None:
    model.lines = ["Both of you."]
    boxes = Mailbox(console_world.database, NAME)
    first = boxes.say("hello", "m1", console_world.now)
    second = boxes.say("and good evening", "m2", console_world.now)
    with Talk(console_world, board) as talk:
        answers = [talk.wait(one, nothing, SECONDS) for one in (first, second)]
    assert [answer.turn_key for answer in answers if answer] == [f"inbox:{first}"] * 2
