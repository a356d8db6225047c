"""What was on the companion's mind and has been said is over: it is not brought up again."""

from __future__ import annotations

import pytest

from furoshiki.feelings import heartbeat
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.world import World
from tests.support.rows import waits
from tests.support.world import FrozenClock, Human, Script

SEA = "Would they like to go to the sea together?"
BANK = "Ask how the interview at the bank went"


def wants_to_know(world: World) -> None:
    with world.database.write() as db:
        made = self_questions.add(db, SEA, "sessions:s1", world.now)
        assert made is not None
        self_questions.to_user(db, made, world.now)
        mind_queue.add(db, "follow_up", BANK, "f1", world.now, source="sessions:s1")


def waiting(world: World) -> list[str]:
    with world.database.read() as db:
        return waits(db, world.now)


async def test_a_curiosity_that_came_up_is_not_asked_again_and_presses_less(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    wants_to_know(world)
    model.lines = ["Good to hear. Would you like to go to the sea together some day?", "Mhm."]
    before = world.state.heartbeat().emotions.curiosity
    await human.says("I slept well.")
    assert SEA in model.questions[0].messages[-1].text
    assert waiting(world) == [BANK]
    assert world.state.heartbeat().emotions.curiosity == pytest.approx(before - 0.08, abs=0.001)
    clock.pass_(minutes=1)
    await human.says("I slept well.")
    assert SEA not in model.questions[-1].messages[-1].text
    with world.database.read() as db:
        [own] = self_questions.list_pending(db)
    assert own.state == "user_required", "it was asked; the answer is theirs to give"


async def test_what_they_brought_up_themselves_is_settled_when_it_was_answered(
    world: World, human: Human, model: Script
) -> None:
    wants_to_know(world)
    model.lines = ["I am so glad the interview went well."]
    await human.says("The interview at the bank was a success")
    assert waiting(world) == [SEA]


async def test_what_was_not_said_waits_on(world: World, human: Human, model: Script) -> None:
    wants_to_know(world)
    model.lines = ["Mhm. Did you sleep?"]
    before = world.state.heartbeat().emotions.curiosity
    await human.says("hello there")
    assert waiting(world) == [SEA, BANK]
    assert world.state.heartbeat().emotions.curiosity == pytest.approx(before, abs=0.001)


async def test_what_these_words_say_they_need_counts_for_their_own_answer(
    world: World, human: Human, model: Script
) -> None:
    support = world.laws.user_needs.directives["emotional_support"]
    for turn_id in (1, 2, 3):  # a few such talks before: nearly enough to be told of it
        world.state.change(heartbeat.understood(world.laws, turn_id, {"sadness": 0.6}, world.now))
    await human.says("The bus is late.")
    assert support not in model.last_words
    await human.says("I am so sad, my heart is broken")
    assert support in model.last_words


async def test_beside_something_heavy_no_note_is_brought_up_for_an_hour(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    wants_to_know(world)
    await human.says("I am so sad, my heart is broken")
    assert BANK not in model.last_words and SEA not in model.last_words
    clock.pass_(minutes=50)
    await human.says("The bus is late.")
    assert BANK not in model.last_words and SEA not in model.last_words
    clock.pass_(minutes=15)
    await human.says("The bus is late again.")
    assert BANK in model.last_words
