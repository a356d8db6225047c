"""Gut feeling in a life: nothing at first, then felt in each turn, judged by what follows, understood at night."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest

from furoshiki.conversation.rules.speech import Part, Speech
from furoshiki.conversation.values import Draft, Reply
from furoshiki.conversation.worker import Worker
from furoshiki.memory import gut, weighing
from furoshiki.memory.perception.values import Percept, SaidNow
from furoshiki.memory.rules.gut import NEUTRAL
from furoshiki.memory.store import gut as gut_store
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.events import Message
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, Envelope
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.store.vectors import Embedded
from furoshiki.world import World
from tests.support.encoders import WordEncoder
from tests.support.rows import user_said
from tests.support.turns import context
from tests.support.world import FrozenClock, Human, NoVectors, Script

MODEL = "words.1"
ENCODER = WordEncoder(MODEL)


@dataclass
class WordVectors(NoVectors):
    """memoryd that makes vectors and finds nothing."""

    encoder: WordEncoder = ENCODER

    def embed(self, texts: list[str], *_: Any, **__: Any) -> list[list[float]]:
        return [[float(value) for value in row] for row in self.encoder.encode(texts)]

    def nudge(self) -> None:
        pass


@pytest.fixture
def awake(world: World) -> World:
    """A world where vectors can be made."""
    with world.database.write() as db:
        vectors.model_is(db, MODEL, world.now)
    return replace(world, vectors=WordVectors())  # type: ignore[arg-type]


def remember(world: World, text: str, model: str = MODEL, **more: Any) -> int:
    with world.database.write() as db:
        turn = turns.add(db, user_said(text, world.now - timedelta(days=30), session_id="old"))
        found = memories.add(db, NewMemory("semantic", text, (turn,), **more), world.now)
        blob = vectors.pack(WordEncoder(model).encode([text])[0])
        vectors.embedded(db, "memory", model, [Embedded(found, blob, "h")])
    return found


def turn(world: World, number: int, text: str, signals: dict[str, float] | None = None, **spoken: Any) -> Reply:
    """One turn that was committed: both sides are on record."""
    key = f"inbox:{number}"
    envelope = Envelope(number, "telegram", str(number), "7", Message(chat_id="7"), "normal", 1, world.now)
    said = SaidNow(number, text, "text", world.now, str(number))
    beat = world.state.heartbeat()
    percept = Percept(key, (envelope,), (said,), signals or {}, None, (), "s1", beat, world.now)
    with world.database.write() as db:
        turns.add(db, user_said(text, world.now, turn_key=key))
        turns.add(db, user_said("Mhm.", world.now, speaker=COMPANION, turn_key=key))
    speech = spoken.pop("speech", Speech((Part("Mhm."),)))
    reply = Reply(context(percept), Draft("Mhm.", "scripted", "script", "chat", **spoken), speech)
    settled(world, reply)
    return reply


def settled(world: World, reply: Reply) -> None:
    """What follows a turn, as far as feeling is concerned."""
    felt = gut.after_turn(world, reply.percept)
    with world.database.write() as db:
        gut.write_down(db, reply.percept, felt, reply.action, answered=True)


def logged(world: World) -> list[dict[str, Any]]:
    with world.database.read() as db:
        return [dict(row) for row in db.execute("SELECT * FROM gut_log ORDER BY id")]


def test_with_no_memories_nothing_is_felt_and_nothing_breaks(world: World, awake: World) -> None:
    for one in (world, awake):
        assert gut.sense(one, [1.0, 0.0], "inbox:1") == NEUTRAL
        turn(one, 1, "hello")
    assert logged(awake) == []


async def test_a_night_with_no_memories_does_nothing(world: World, awake: World) -> None:
    for one in (world, awake):
        done = await gut.step(one, weighing.cycle(one, "deep"))
        assert done == {"subconscious": False, "felt": 0, "axes": 0, "named": 0}


def test_what_is_said_is_felt_against_what_is_remembered(awake: World) -> None:
    remember(awake, "the sea and the boat")
    turn(awake, 1, "the sea and the boat")
    turn(awake, 2, "quarterly tax accounting deadline")
    near, far = logged(awake)
    assert near["intensity"] < 0.1 < far["intensity"]
    assert near["valence"] > far["valence"]
    assert (near["turn_key"], near["action"], near["model"]) == ("inbox:1", "reply", MODEL)


def test_what_was_done_is_written_down(awake: World) -> None:
    remember(awake, "the sea and the boat")
    turn(awake, 1, "hello", skills=("recall", "recall", "remind"))
    turn(awake, 2, "hello", speech=Speech((), reaction="👍"))
    turn(awake, 3, "hello", speech=Speech(()))
    assert [row["action"] for row in logged(awake)] == ["skill:recall,remind", "reaction", "silence"]


def test_the_next_message_tells_how_it_went(awake: World, clock: FrozenClock) -> None:
    remember(awake, "the sea and the boat")
    turn(awake, 1, "tell me of the sea")
    clock.pass_(minutes=2)
    turn(awake, 2, "that was lovely, thank you", {"praise": 0.8})
    clock.pass_(minutes=2)
    turn(awake, 3, "stop it", {"anger": 0.9})
    clock.pass_(hours=13)
    turn(awake, 4, "good morning!", {"warmth": 0.5})
    assert [row["outcome"] for row in logged(awake)] == [0.8, -0.9, None, None]


def test_a_turn_that_was_not_felt_is_not_mistaken_for_the_one_before(awake: World, clock: FrozenClock) -> None:
    remember(awake, "the sea and the boat")
    turn(awake, 1, "tell me of the sea")
    clock.pass_(minutes=1)
    with awake.database.write() as db:  # the power went before it was settled
        turns.add(db, user_said("hm", awake.now, turn_key="inbox:2"))
    clock.pass_(minutes=1)
    turn(awake, 3, "stop it", {"anger": 0.9})
    assert [(row["turn_key"], row["outcome"]) for row in logged(awake)] == [("inbox:1", None), ("inbox:3", None)]


def test_each_conversation_tells_of_itself(awake: World, clock: FrozenClock) -> None:
    remember(awake, "the sea and the boat")
    turn(awake, 1, "tell me of the sea")
    clock.pass_(minutes=1)
    with awake.database.write() as db:
        turns.add(db, user_said("hello there", awake.now, channel="console", chat_id="console", turn_key="inbox:2"))
    turn(awake, 3, "thank you", {"praise": 0.6})
    assert [row["outcome"] for row in logged(awake)] == [0.6, None]


async def test_a_real_turn_feels_and_is_judged_by_the_next(awake: World, model: Script, clock: FrozenClock) -> None:
    remember(awake, "the sea and the boat")
    human = Human(awake, Worker(awake))
    model.lines = ["By the sea.", "Gladly."]
    await human.says("where was the boat?")
    clock.pass_(minutes=1)
    await human.says("thank you so much, you are wonderful")
    first, second = logged(awake)
    assert first["outcome"] > 0
    assert (second["outcome"], second["action"]) == (None, "reply")


async def test_an_unusual_feeling_is_told_to_the_mind_and_a_usual_one_is_not(
    awake: World, model: Script, clock: FrozenClock
) -> None:
    remember(awake, "the sea and the boat")
    for number in range(21):
        clock.pass_(hours=3)
        turn(awake, 1000 + number, f"the sea and the boat{number}")
    clock.pass_(hours=3)
    human = Human(awake, Worker(awake))
    await human.says("the sea and the boat")
    usual = model.turn_words
    clock.pass_(hours=3)
    await human.says("quarterly tax accounting reconciliation")
    assert "it stirs you" not in usual
    assert "it stirs you" in model.turn_words or "makes you wary" in model.turn_words


async def test_the_mind_is_not_told_to_follow_a_gut_that_led_it_astray(
    awake: World, model: Script, clock: FrozenClock
) -> None:
    remember(awake, "the sea and the boat")
    for number in range(24):
        clock.pass_(minutes=3)
        turn(awake, 1000 + number, "the sea and the boat")
    clock.pass_(hours=3)
    human = Human(awake, Worker(awake))
    words: dict[bool, str] = {}
    for wrong in (False, True):
        with awake.database.write() as db:
            db.execute("UPDATE gut_log SET valence=0.6-1.2*(id%2), intensity=0.05+0.01*(id%2)")
            db.execute("UPDATE gut_log SET outcome=(0.8-1.6*(id%2))*?", (-1 if wrong else 1,))
        await human.says("the sea and the boat and quarterly accounting")
        words[wrong] = [one for one in model.questions if one.purpose == "turn"][-1].messages[-1].text
        clock.pass_(hours=3)
    assert "Something here draws you" in words[False]
    assert "Something here draws you" not in words[True] and "it stirs you" in words[True]


def test_settling_a_turn_twice_changes_nothing(awake: World, clock: FrozenClock) -> None:
    remember(awake, "the sea and the boat")
    turn(awake, 1, "one")
    clock.pass_(minutes=1)
    reply = turn(awake, 2, "two", {"praise": 0.5})
    before = logged(awake)
    angry = replace(reply.percept, signals={"anger": 1.0})
    settled(awake, replace(reply, context=replace(reply.context, percept=angry)))
    assert logged(awake) == before


def test_vectors_of_another_encoder_are_ignored(awake: World) -> None:
    remember(awake, "the sea and the boat", model="other.9")
    assert gut.sense(awake, ENCODER.encode(["the sea"])[0].tolist(), "inbox:1") == NEUTRAL
    remember(awake, "a quiet morning")
    turn(awake, 1, "a quiet morning")
    assert logged(awake)[0]["intensity"] < 0.1
    assert gut.sense(awake, [1.0, 0.0], "inbox:2").intensity == 0.0  # of another length: nobody listens to it


def test_without_memoryd_the_conversation_on_record_is_felt(awake: World, world: World) -> None:
    remember(awake, "the sea and the boat")
    turn(awake, 1, "the sea and the boat")
    assert gut.sense(world, None, "inbox:2") == NEUTRAL  # nothing of the conversation has a vector yet
    with awake.database.write() as db:
        last = turns.last_said(db, "user")
        assert last is not None
        blob = vectors.pack(ENCODER.encode(["the sea and the boat"])[0])
        vectors.embedded(db, "turn", MODEL, [Embedded(last.id, blob, "h")])
    assert gut.sense(world, None, "inbox:2").valence == pytest.approx(1.0, abs=0.01)


async def test_the_subconscious_weighs_identity_most(awake: World) -> None:
    remember(awake, "identity honest", immutable=True)
    remember(awake, "goal sail", category="goal")
    for text in ("weather rain", "weather wind", "weather snow"):
        remember(awake, text, importance=0.9)
    done = await gut.step(awake, weighing.cycle(awake, "deep"))
    assert done["subconscious"] is True
    valence = {
        text: gut.sense(awake, ENCODER.encode([text])[0].tolist(), "inbox:1").valence
        for text in ("identity honest", "goal sail", "weather wind")
    }
    assert valence["identity honest"] > valence["goal sail"] > 0
    assert valence["identity honest"] > valence["weather wind"] > 0


async def test_a_night_finds_the_axis_that_goes_with_good_and_bad_outcomes(awake: World, clock: FrozenClock) -> None:
    for text in ("sea boat sailing", "sea boat harbour", "sea boat anchor"):
        remember(awake, text)
    for text in ("invoice taxes office", "invoice taxes printer", "invoice taxes stapler"):
        remember(awake, text)
    for text in ("bread", "a red bicycle", "an uncle", "jazz", "chess", "tomatoes", "a tall tree", "coffee"):
        remember(awake, text)
    for number in range(24):
        clock.pass_(minutes=30)
        sea = number % 2 == 0
        text = f"sea boat day{number}" if sea else f"invoice taxes day{number}"
        turn(awake, number, text, {"anger": 0.8} if sea else {"praise": 0.8})
    done = await gut.step(awake, weighing.cycle(awake, "deep"))
    assert done["felt"] == 24
    assert 10 <= done["axes"] <= 20
    with awake.database.read() as db:
        axes = gut_store.axes(db, MODEL)
    assert axes[0].share == max(axis.share for axis in axes)
    assert axes[0].correlation is not None and axes[0].correlation > 0.8
    assert axes[0].name is not None
    towards, _, away = axes[0].name.partition(" ↔ ")
    assert ({"sea", "boat"} <= set(towards.split(", "))) and ({"invoice", "taxes"} <= set(away.split(", ")))
    assert done["named"] >= 1

    sea = gut.sense(awake, ENCODER.encode(["sea boat again"])[0].tolist(), "inbox:99")
    taxes = gut.sense(awake, ENCODER.encode(["invoice taxes again"])[0].tolist(), "inbox:99")
    assert sea.valence > 0.1 > -0.1 > taxes.valence
    assert sea.about is not None and "sea" in sea.about
    assert await gut.step(awake, weighing.cycle(awake, "deep")) == done


async def test_too_few_feelings_have_no_axes(awake: World, clock: FrozenClock) -> None:
    remember(awake, "sea boat sailing")
    for number in range(5):
        clock.pass_(minutes=1)
        turn(awake, number, f"sea day{number}", {"praise": 0.8})
    assert (await gut.step(awake, weighing.cycle(awake, "deep")))["axes"] == 0


def test_a_noticed_feeling_has_a_word(awake: World, clock: FrozenClock) -> None:
    remember(awake, "the sea and the boat")
    for number in range(21):
        clock.pass_(hours=3)
        turn(awake, number, f"the sea and the boat{number}")
    felt = gut.sense(awake, ENCODER.encode(["quarterly tax accounting"])[0].tolist(), "inbox:99")
    assert felt.unusual > 1
    assert gut.in_words(felt) in {"stirred", "wary"}
    usual = gut.sense(awake, ENCODER.encode(["the sea and the boat"])[0].tolist(), "inbox:99")
    assert gut.in_words(usual) is None


def test_what_was_felt_long_ago_is_dropped(awake: World, clock: FrozenClock) -> None:
    remember(awake, "sea boat sailing")
    for number in range(5):
        clock.pass_(minutes=1)
        turn(awake, number, f"sea day{number}")
    with awake.database.write() as db:
        assert gut_store.prune(db, 3) == 2
        assert gut_store.prune(db, 3) == 0
    assert [row["turn_key"] for row in logged(awake)] == ["inbox:2", "inbox:3", "inbox:4"]


def test_sensing_needs_no_numpy() -> None:
    import subprocess

    code = "import sys, furoshiki.memory.gut; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
