"""One line more in a conversation that has gone quiet: wanted, once, and never over somebody who writes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from furoshiki.conversation.worker import Worker
from furoshiki.core.errors import NoMindAnswered
from furoshiki.mind.outreach import continuity
from furoshiki.mind.outreach.forms import OneLineMore
from furoshiki.mind.outreach.store import continuity as timers
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import World
from tests.support.unasked import in_telegram
from tests.support.world import FrozenClock, Human, Script

LINE = "And the name, will it keep it?"
LONGEST = 12


def adds(line: str | None = LINE) -> Any:
    """The small model, asked for one line more."""

    def answer(question: Question) -> Answer:
        return Answer("", "stop", "scripted", "micro", question.tier, parsed=OneLineMore(line=line))

    return answer


def asked(model: Script) -> int:
    return sum(question.purpose == "continuity" for question in model.questions)


def rows(world: World, question: str) -> list[tuple[Any, ...]]:
    with world.database.read() as db:
        return [tuple(row) for row in db.execute(question)]


def lines(world: World) -> list[str]:
    return [text for (text,) in rows(world, "SELECT text FROM turns WHERE kind='continuity'")]


def decided(world: World) -> list[tuple[Any, ...]]:
    return rows(world, "SELECT verdict, gate FROM outreach_decisions WHERE kind='continuity' ORDER BY id")


@pytest.fixture
async def talk(world: World, model: Script) -> Human:
    """A conversation in which one line more is welcome."""
    owned = in_telegram(world)
    human = Human(owned, Worker(owned))
    assert "3 to 12 minutes" in (await human.says("/settings continuity on"))[0]
    return human


async def looks(human: Human) -> None:
    """What the worker does between messages."""
    await asyncio.wait_for(human.worker.answer_all(), 20)
    await human.worker.quiet()


async def test_one_line_follows_when_it_stays_quiet_and_only_one(
    talk: Human, clock: FrozenClock, model: Script
) -> None:
    model.lines = ["Twelve summers is a long time.", adds()]
    await talk.says("the boat is sold")
    await looks(talk)
    assert lines(talk.world) == [] and asked(model) == 0
    for _ in range(3):
        clock.pass_(minutes=LONGEST)
        await looks(talk)
    assert lines(talk.world) == [LINE] and asked(model) == 1
    assert rows(talk.world, "SELECT text, policy FROM outbox ORDER BY id DESC LIMIT 1") == [(LINE, "unprompted")]
    assert decided(talk.world) == [("sent", None)]
    assert "[they] the boat is sold\n[Furo] Twelve summers is a long time." in model.questions[-1].messages[-1].text
    [why] = await talk.says("/why all")
    assert f"I wrote this today at 15:12, on my own:\n> {LINE}" in why
    assert "- nobody had said goodbye" in why and "The words are from micro." in why


async def test_a_line_that_was_said_lately_is_not_said_again(talk: Human, clock: FrozenClock, model: Script) -> None:
    for day, words in enumerate(("Twelve summers is a long time.", "Oh, lovely.")):
        model.lines = [words, adds()]
        await talk.says(f"the boat is sold, {day}")
        clock.pass_(minutes=LONGEST)
        await looks(talk)
        clock.pass_(days=3)
    assert lines(talk.world) == [LINE] and decided(talk.world) == [("sent", None), ("held", "novelty")]


async def test_the_more_it_is_stirred_the_sooner(talk: Human, clock: FrozenClock, model: Script) -> None:
    talk.world.state.change(lambda beat: replace(beat, emotions=beat.emotions.moved({"affection": 1.0})))
    model.lines = ["Twelve summers is a long time.", adds()]
    await talk.says("the boat is sold")
    clock.pass_(minutes=4)
    await looks(talk)
    assert lines(talk.world) == [LINE]


async def test_off_unless_it_was_asked_for(human: Human, clock: FrozenClock, model: Script) -> None:
    await human.says("the boat is sold")
    clock.pass_(minutes=LONGEST)
    await looks(human)
    assert asked(model) == 0 and lines(human.world) == []
    assert "quiet: off (/settings continuity on)" in (await human.says("/settings"))[0]
    assert "/settings continuity on" in (await human.says("/settings continuity maybe"))[0]


async def test_switched_off_meanwhile_it_stays_silent(talk: Human, clock: FrozenClock, model: Script) -> None:
    await talk.says("the boat is sold")
    with talk.world.database.write() as db:
        timers.enable(db, False, clock.now())
    clock.pass_(minutes=LONGEST)
    await looks(talk)
    assert asked(model) == 0 and decided(talk.world) == [("held", None)]


async def test_a_message_ends_it_and_its_answer_starts_another(talk: Human, clock: FrozenClock, model: Script) -> None:
    model.lines = ["Twelve summers is a long time.", "Who bought it?", adds()]
    await talk.says("the boat is sold")
    clock.pass_(minutes=2)
    await talk.says("to a neighbour")
    clock.pass_(minutes=3)
    await looks(talk)
    assert lines(talk.world) == []
    clock.pass_(minutes=LONGEST)
    await looks(talk)
    assert lines(talk.world) == [LINE] and asked(model) == 1


async def test_a_reminder_said_meanwhile_ends_it(talk: Human, clock: FrozenClock, model: Script) -> None:
    await talk.says("/remind in 3 minutes stretch")
    await talk.says("the boat is sold")
    clock.pass_(minutes=3)
    await looks(talk)
    clock.pass_(minutes=LONGEST)
    await looks(talk)
    assert asked(model) == 0 and lines(talk.world) == []
    with talk.world.database.read() as db:
        assert timers.get(db) is None


@pytest.mark.parametrize("kind", ["text", "reaction"])
async def test_whatever_arrives_while_the_model_thinks_ends_it(
    talk: Human, clock: FrozenClock, model: Script, kind: str
) -> None:
    def meanwhile(question: Question) -> Answer:
        talk.writes("are you there?", kind, emoji=["❤"]) if kind == "reaction" else talk.writes("are you there?")
        return adds()(question)

    model.lines = ["Twelve summers is a long time.", meanwhile, "I am."]
    await talk.says("the boat is sold")
    clock.pass_(minutes=LONGEST)
    await looks(talk)
    assert asked(model) == 1 and lines(talk.world) == []
    await looks(talk)
    assert lines(talk.world) == []


async def test_thinking_stops_when_somebody_writes(talk: Human, clock: FrozenClock, model: Script) -> None:
    model.lines = ["Twelve summers is a long time."]
    await talk.says("the boat is sold")
    clock.pass_(minutes=LONGEST)
    never = asyncio.Event()
    model.pause = never.wait  # type: ignore[assignment]
    await talk.worker.answer_all()
    await asyncio.sleep(0)
    model.pause, model.lines = None, ["To whom?"]
    talk.writes("to a neighbour")
    await looks(talk)
    assert lines(talk.world) == []
    assert [text for (text,) in rows(talk.world, "SELECT text FROM outbox ORDER BY id")][-1] == "To whom?"


@pytest.mark.parametrize(
    ("said", "gate"),
    [("that was nice, good night!", "goodbye"), ("my father died this morning", "heavy")],
)
async def test_not_after_a_goodbye_or_something_heavy(
    talk: Human, clock: FrozenClock, model: Script, said: str, gate: str
) -> None:
    await talk.says(said)
    clock.pass_(minutes=LONGEST)
    await looks(talk)
    assert asked(model) == 0 and decided(talk.world) == [("held", gate)]


async def test_quiet_holds_it(talk: Human, clock: FrozenClock, model: Script) -> None:
    clock.pass_(hours=7, minutes=55)  # 22:55 in Lisbon
    await talk.says("the boat is sold")
    clock.pass_(minutes=LONGEST)
    await looks(talk)
    assert asked(model) == 0 and decided(talk.world) == [("held", "quiet")]


async def test_mostly_there_is_nothing_to_add(talk: Human, clock: FrozenClock, model: Script) -> None:
    model.lines = ["Twelve summers is a long time.", adds(None)]
    await talk.says("the boat is sold")
    for _ in range(2):
        clock.pass_(minutes=LONGEST)
        await looks(talk)
    assert asked(model) == 1 and lines(talk.world) == [] and decided(talk.world) == [("dropped", None)]


async def test_nobody_who_could_say_it(talk: Human, clock: FrozenClock, model: Script) -> None:
    model.lines = ["Twelve summers is a long time.", NoMindAnswered("away")]
    await talk.says("the boat is sold")
    clock.pass_(minutes=LONGEST)
    await looks(talk)
    assert lines(talk.world) == [] and decided(talk.world) == [("dropped", None)]


async def test_never_after_words_of_the_built_in_mind(talk: Human, clock: FrozenClock, model: Script) -> None:
    model.lines = [Answer("Sold, then.", "stop", "local", "reflex", "chat")]
    await talk.says("the boat is sold")
    with talk.world.database.read() as db:
        assert timers.get(db) is None
    clock.pass_(minutes=LONGEST)
    await looks(talk)
    assert asked(model) == 0


async def test_a_machine_that_was_off_too_long_says_nothing(talk: Human, clock: FrozenClock, model: Script) -> None:
    await talk.says("the boat is sold")
    clock.at += timedelta(hours=3)
    assert continuity.is_due(talk.world) is None
    with talk.world.database.read() as db:
        assert timers.get(db) is None


async def test_it_outlives_the_process(talk: Human, clock: FrozenClock, model: Script) -> None:
    model.lines = ["Twelve summers is a long time.", adds()]
    await talk.says("the boat is sold")
    clock.pass_(minutes=LONGEST)
    again = Human(talk.world, Worker(talk.world))
    again.worker.recover()
    await looks(again)
    await looks(again)
    assert lines(talk.world) == [LINE] and asked(model) == 1
