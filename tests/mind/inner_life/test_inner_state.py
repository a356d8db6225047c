"""The inner state in words: the mood and why, what it wants and senses, what is on its mind."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from furoshiki.conversation.commands import registry, status
from furoshiki.core.database import events
from furoshiki.feelings.rules.user_needs import UserNeed
from furoshiki.mind.inner_life import inner_state, soul_engine
from furoshiki.models.llm.values import ToolCall
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.world import World
from tests.support.commands import Commander, envelope
from tests.support.world import FrozenClock, Human, Script


async def test_it_says_what_moved_it_and_when(
    world: World, human: Human, command: Commander, clock: FrozenClock
) -> None:
    soul_engine.tick(world)
    clock.pass_(minutes=5)
    await human.says("you are wonderful, thank you so much!")
    clock.pass_(minutes=10)
    soul_engine.tick(world)
    clock.pass_(hours=2)
    text = (await command("/mood")).text
    assert re.search(r"What moved me most lately: my (joy|pride) grew when you praised me, 2 hours ago\.", text)
    assert not re.search(r"\d\.\d", text)


async def test_what_happened_is_named_where_no_words_tell(world: World, command: Commander, clock: FrozenClock) -> None:
    soul_engine.tick(world)
    clock.pass_(minutes=15)
    with world.database.write() as db:
        events.announce(db, "worry_triggered", {"session": "s1"}, world.now)
    soul_engine.tick(world)
    assert "my worry grew because of something in what we talked about that worries me" in (await command("/mood")).text


async def test_nothing_happened_and_nothing_is_made_up(world: World, command: Commander, clock: FrozenClock) -> None:
    for _ in range(3):
        soul_engine.tick(world)
        clock.pass_(hours=8)
    assert "moved me" not in (await command("/mood")).text


@pytest.fixture
def sensing(world: World) -> World:
    sure = UserNeed(0.8, 0.9, world.now, (1,))
    world.state.change(lambda beat: replace(beat, user_needs={**beat.user_needs, "space": sure, "grounding": sure}))
    with world.database.write() as db:
        mind_queue.add(db, "question", "Where do they live?", "q1", world.now)
        mind_queue.add(db, "question", "Who is Anika to them?", "q2", world.now)
        mind_queue.add(db, "anticipation", "A kind word before the exam", "a1", world.now)
    return world


async def test_it_says_what_it_senses_and_what_is_on_its_mind_to_them_alone(sensing: World, command: Commander) -> None:
    text = (await command("/mood")).text
    assert "I sense that you need calm and room for yourself." in text
    assert "On my mind: 1 thing you may need and 2 questions." in text
    among_others = replace(envelope(), event=replace(envelope().event, private=False))
    words = await registry.run(sensing, "mood", "", among_others)
    assert words is not None and "sense" not in words.text and "mind" not in words.text


async def test_status_tells_the_same_and_machines_get_values(sensing: World, command: Commander) -> None:
    found = status.gather(sensing)
    assert found["senses"] == ["grounding", "space"] and found["on_mind"] == {"anticipation": 1, "question": 2}
    assert (found["moved_by"], found["commitments"], found["last_reflection_at"]) == (None, 0, None)
    text = (await command("/status")).text
    assert "I sense that you need" in text and "On my mind" in text and "in mind queue" not in text


def test_sensing_fades_with_silence(sensing: World, clock: FrozenClock) -> None:
    assert inner_state.look(sensing).sensed
    clock.pass_(hours=72)
    assert inner_state.look(sensing).sensed == ()


async def test_the_companion_itself_can_tell_why(world: World, human: Human, model: Script, clock: FrozenClock) -> None:
    soul_engine.tick(world)
    clock.pass_(minutes=5)
    model.lines = ["Thank you.", ToolCall("1", "introspect", {}), "Because of what you said."]
    await human.says("you are wonderful, thank you so much!")
    await human.says("why do you feel so?")
    assert "grew when you praised me" in model.questions[-1].messages[-1].text


async def test_a_damaged_file_is_told_for_a_week(world: World, command: Commander, clock: FrozenClock) -> None:
    soul_engine.tick(world)
    world.state.heartbeat_path.write_text("{")
    world.state.context_path.write_text("[")
    world.state.context()
    text = (await command("/status")).text
    assert (
        "heartbeat-state.json was damaged and has been rebuilt" in text and "session-context.json was damaged" in text
    )
    assert "Everything else works." in text, "it has mended itself"
    clock.pass_(days=8)
    assert "damaged" not in (await command("/status")).text
