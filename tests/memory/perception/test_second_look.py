"""A model reads a message too where its words alone say nothing clear; it may be late, and keeps nobody waiting."""

from __future__ import annotations

import asyncio
import dataclasses
from datetime import timedelta
from typing import Any

import pytest

from bench.moves import Encoders
from furoshiki.conversation.worker import Worker
from furoshiki.core.database import kv
from furoshiki.core.database.rows import load
from furoshiki.core.errors import NoMindAnswered
from furoshiki.language import signals, testimony
from furoshiki.language.signal_head import ABROAD, half_heard
from furoshiki.language.signals import Signal
from furoshiki.memory.perception.signal_form import ReadSignal, ReadSignals
from furoshiki.memory.perception.signals import KEY, look, wants_second_look
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import World
from tests.support.laws import english, shipped
from tests.support.world import FrozenClock, Human

KEYS = (
    "My brother rang. We had not spoken since the funeral, and all he had to say was that the keys to her house should "
    "be with him by Monday."
)


class Reader:
    """Answers turns with "Mhm.", and what a message feels like with what a test says, after `wait` is set."""

    def __init__(self, *signals: tuple[str, float]) -> None:
        self.felt = [ReadSignal(category=name, strength=strength) for name, strength in signals]  # type: ignore[arg-type]
        self.asked = 0
        self.may = asyncio.Event()
        self.may.set()
        self.error: Exception | None = None
        self.turns: list[Question] = []
        self.order: list[str] = []

    async def __call__(self, question: Question, on_text: Any = None) -> Answer:
        self.order.append(question.purpose)
        if question.purpose != "signals":
            self.turns.append(question)
            return Answer("Mhm.", "stop", "scripted", "script", question.tier)
        self.asked += 1
        await self.may.wait()
        if self.error is not None:
            raise self.error
        return Answer("", "stop", "scripted", "script", "micro", parsed=ReadSignals(signals=self.felt))


@pytest.fixture
def reader() -> Reader:
    return Reader(("sadness", 0.8), ("anger", 0.6))


@pytest.fixture
def met(world: World, reader: Reader) -> Human:
    quick = dataclasses.replace(world.laws.second_look, waits_s=0.05)
    world = dataclasses.replace(world, ask=reader, laws=dataclasses.replace(world.laws, second_look=quick))
    return Human(world, Worker(world))


def signals_kept(world: World) -> list[Any]:
    with world.database.read() as db:
        return [
            load(row["signals"]) for row in db.execute("SELECT signals FROM turns WHERE speaker='user' ORDER BY id")
        ]


def needs_noted(world: World) -> set[str]:
    with world.database.read() as db:
        return {row["need"] for row in db.execute("SELECT need FROM user_needs_history")}


async def test_what_the_words_do_not_say_a_model_may_and_this_reply_knows(met: Human, reader: Reader) -> None:
    before = met.world.state.heartbeat().emotions
    await met.says(KEYS)
    after = met.world.state.heartbeat().emotions
    assert after.worry > before.worry and after.anger > before.anger
    assert signals_kept(met.world) == [{"sadness": 0.864, "anger": 0.68}]
    assert needs_noted(met.world) >= {"emotional_support", "grounding"}
    assert reader.asked == 1


async def test_where_a_model_reads_nothing_nothing_is_felt(met: Human, reader: Reader) -> None:
    reader.felt = []
    world = dataclasses.replace(met.world, vectors=Encoders())
    before = world.state.heartbeat().emotions
    await Human(world, Worker(world)).says("you're a script. a bloody autocomplete")
    assert (reader.asked, signals_kept(met.world)) == (1, [None])
    assert met.world.state.heartbeat().emotions.anger == pytest.approx(before.anger)


async def test_it_is_asked_of_long_unclear_words_and_not_too_often(
    met: Human, reader: Reader, clock: FrozenClock
) -> None:
    await met.says("The bus goes at nine.")
    await met.says(f"I'm so worried about it all. {KEYS}")
    assert reader.asked == 0
    await met.says(KEYS)
    clock.pass_(minutes=4)
    await met.says(KEYS)
    assert reader.asked == 1
    clock.pass_(minutes=2)
    await met.says(KEYS)
    assert reader.asked == 2


async def test_what_the_head_hears_by_half_is_asked_however_short_it_is(met: Human, reader: Reader) -> None:
    reader.felt = [ReadSignal(category="anger", strength=0.5)]
    world = dataclasses.replace(met.world, vectors=Encoders())
    await Human(world, Worker(world)).says("you're a script. a bloody autocomplete")
    assert (reader.asked, signals_kept(met.world)) == (1, [{"anger": 0.6}])
    assert met.world.state.heartbeat().emotions.anger >= 0.38, "as if the lexicon had known the word"
    assert reader.order[:2] == ["signals", "turn"]


async def test_what_is_not_heavy_is_asked_after_the_answer_and_felt_then(met: Human, reader: Reader) -> None:
    reader.felt = [ReadSignal(category="praise", strength=0.8)]
    world = dataclasses.replace(met.world, vectors=Encoders())
    before = world.state.heartbeat()
    assert await Human(world, Worker(world)).says("well you tried") == ["Mhm."]
    assert reader.order[:2] == ["turn", "signals"]
    after = met.world.state.heartbeat()
    assert after.emotions.joy > before.emotions.joy
    assert signals_kept(world) == [{"praise": 0.8}]


async def test_who_may_be_frustrated_is_read_before_the_answer(met: Human, reader: Reader) -> None:
    """“me lembra da bombinha, eu ando esquecendo tudo”: nobody is irritated at that."""
    found = signals.read(testimony.own("eu ando esquecendo tudo", ()), met.world.lexicon)
    reader.felt = [ReadSignal(category="worry", strength=0.3)]
    looked = await look(met.world, "inbox:1", "eu ando esquecendo tudo", found, {"frustration"})
    assert (looked.later, reader.asked) == (False, 1) and "frustration" not in (looked.felt or {})


async def test_a_message_that_joins_does_not_lose_the_look(met: Human, reader: Reader) -> None:
    world = dataclasses.replace(met.world, vectors=Encoders())
    found = signals.read(testimony.own("well you tried", ()), world.lexicon)
    first = await look(world, "inbox:1", "well you tried", found, {"praise"})
    assert first == await look(world, "inbox:1", "well you tried", found, {"praise"})
    assert (first.later, first.felt, reader.asked) == (True, None, 0)


def test_what_is_heard_by_half_is_read_sooner_again() -> None:
    laws = shipped().second_look
    clear = signals.read(testimony.own("what a day", ()), english())
    rested = laws.every_half_heard * 2
    assert wants_second_look(clear, "oh.", rested, laws, half_heard=True)
    assert not wants_second_look(clear, "oh.", rested, laws)


async def test_in_a_burst_no_reply_waits_again_and_each_message_is_read_after_it(
    met: Human, reader: Reader, clock: FrozenClock
) -> None:
    """A friend's fall was heard as anger right after another look, nobody read it, and the mood stayed irritated."""
    reader.felt = [ReadSignal(category="worry", strength=0.8)]
    world = dataclasses.replace(met.world, vectors=Encoders())
    human = Human(world, Worker(world))
    await human.says("you're a script. a bloody autocomplete")
    clock.pass_(minutes=0.5)
    await human.says("you're just a stupid script. a bloody autocomplete")
    assert [one for one in reader.order if one in ("signals", "turn")] == ["signals", "turn", "turn", "signals"]
    assert signals_kept(world)[-1] == {"worry": 0.84}
    assert world.state.heartbeat().emotions.anger < 0.1


@pytest.mark.parametrize(
    ("shares", "found", "asked"),
    [
        ({"anger": 0.5}, (), True),
        ({"anger": 0.9}, (), False),
        ({"anger": 0.1}, (), False),
        ({"praise": 0.5}, (), True),
        ({"curiosity": 0.5}, (), False),
        ({"anger": 0.5}, (Signal("anger", 0.7, ()),), False),
        ({"sadness": 0.23}, (Signal("sadness", 0.9, ()),), True),
        ({"warmth": 0.23}, (Signal("warmth", 0.9, ()),), False),
        ({"excitement": 0.8}, (), False),
    ],
)
def test_what_is_dark_or_kind_and_not_certain_is_heard_by_half_and_what_words_say_against_the_head(
    shares: dict[str, float], found: tuple[Signal, ...], asked: bool
) -> None:
    lexicon_found = dataclasses.replace(signals.read(testimony.own("so be it", ()), english()), found=found)
    assert bool(half_heard(lexicon_found, shares)) is asked


@pytest.mark.parametrize(
    ("shares", "asked"),
    [
        ({"anger": 0.97}, True),
        ({"sadness": 0.97}, False),
        ({"excitement": 0.6}, True),
        ({"excitement": 0.97}, True),
        ({"excitement": 0.4}, False),
        ({"curiosity": 0.9}, False),
    ],
)
def test_abroad_a_model_reads_what_the_head_alone_hears_and_anger_however_sure_it_is(
    shares: dict[str, float], asked: bool
) -> None:
    nothing = signals.read(testimony.own("qué vergüenza, de verdad", ()), english())
    assert bool(half_heard(nothing, shares, ABROAD)) is asked


async def test_a_late_answer_lands_for_the_next_turn(met: Human, reader: Reader) -> None:
    reader.may.clear()
    before = met.world.state.heartbeat().emotions.worry
    assert await met.says(KEYS) == ["Mhm."], "nobody waits for it"
    assert met.world.state.heartbeat().emotions.worry == before and needs_noted(met.world) == set()
    reader.may.set()
    await asyncio.wait(asyncio.all_tasks() - {asyncio.current_task()})
    assert met.world.state.heartbeat().emotions.worry > before
    assert needs_noted(met.world) >= {"emotional_support"}
    assert signals_kept(met.world) == [{"sadness": 0.864, "anger": 0.68}]
    [row] = met.world.state.heartbeat().user_needs["emotional_support"].evidence
    with met.world.database.read() as db:
        assert db.execute("SELECT text FROM turns WHERE id=?", (row,)).fetchone()["text"] == KEYS


async def test_a_turn_begun_again_asks_nobody_twice(met: Human, reader: Reader) -> None:
    found = signals.read(KEYS, met.world.lexicon)
    once = await look(met.world, "inbox:1", KEYS, found)
    felt = met.world.state.heartbeat().emotions
    assert await look(met.world, "inbox:1", KEYS, found) == once
    assert once.felt == {"sadness": 0.864, "anger": 0.68}
    assert (reader.asked, met.world.state.heartbeat().emotions) == (1, felt)


async def test_nobody_to_ask_costs_nothing(met: Human, reader: Reader, clock: FrozenClock) -> None:
    reader.error = NoMindAnswered("none")
    before = met.world.state.heartbeat().emotions
    assert await met.says(KEYS) == ["Mhm."]
    assert met.world.state.heartbeat().emotions.worry == before.worry
    assert signals_kept(met.world) == [None]
    with met.world.database.read() as db:
        assert kv.get(db, KEY)["read"] is None


async def test_what_contradicts_itself_gives_way_to_what_was_meant(met: Human, reader: Reader) -> None:
    mixed = f"I love you, and I am so sad. {KEYS}"
    reader.felt = [ReadSignal(category="sadness", strength=0.9)]
    before = met.world.state.heartbeat().emotions
    await met.says(mixed)
    after = met.world.state.heartbeat().emotions
    assert signals_kept(met.world) == [{"sadness": 0.932}]
    assert after.joy < before.joy and after.worry > before.worry


async def test_words_of_others_are_not_how_they_feel(met: Human, reader: Reader, clock: FrozenClock) -> None:
    before = met.world.state.heartbeat().emotions
    await met.says("I hate you all! I am so furious and sad!", forwarded="Ana")
    after = met.world.state.heartbeat().emotions
    assert after.anger == before.anger and signals_kept(met.world) == [None]
    clock.pass_(hours=1)
    assert reader.asked == 0


async def test_a_new_subject_rouses_curiosity_and_going_on_does_not(met: Human, clock: FrozenClock) -> None:
    start = met.world.state.heartbeat().emotions.curiosity
    await met.says("The lighthouse keeper at Nazaré counted waves every winter")
    first = met.world.state.heartbeat().emotions.curiosity
    assert first == pytest.approx(start + 0.02)
    await met.says("and the lighthouse keeper told nobody of those winter waves")
    assert met.world.state.heartbeat().emotions.curiosity == first
    clock.pass_(seconds=1)
    await met.says("ok")
    assert met.world.state.heartbeat().emotions.curiosity == pytest.approx(first, abs=1e-4)


def test_a_model_looks_again_only_when_it_is_worth_it() -> None:
    laws = shipped().second_look
    unclear, long_ago = signals.read("x " * 80, english()), timedelta(minutes=6)
    clear = signals.read("I'm so worried about it all. " * 8, english())
    assert wants_second_look(unclear, "x " * 80, long_ago, laws)
    assert wants_second_look(unclear, "x " * 80, None, laws)
    assert not wants_second_look(unclear, "x " * 80, timedelta(minutes=4), laws)
    assert not wants_second_look(unclear, "x " * 20, long_ago, laws)
    assert not wants_second_look(clear, "x " * 80, long_ago, laws)


def test_the_shipped_wait() -> None:
    laws = shipped().second_look
    assert (laws.over, laws.every, laws.waits_s) == (120, timedelta(minutes=5), 1.5)
