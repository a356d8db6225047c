"""What waits in the scratch buffer is judged once: kept with its source, confirmed, or let go; never lost silently."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import pytest

from furoshiki.conversation.worker import Worker
from furoshiki.memory import exit_gate
from furoshiki.memory.due import flush_scratch
from furoshiki.memory.store import links, memories, scratch
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION
from furoshiki.models.llm.values import ToolCall
from furoshiki.world import World
from tests.support.exit_gate import know, moments, say
from tests.support.near import Near
from tests.support.rows import user_said
from tests.support.world import START, FrozenClock, Human, Script


@pytest.fixture
def near(world: World) -> Near:
    return Near(world)


@pytest.fixture
def world_near(world: World, near: Near) -> World:
    settings = world.settings.model_copy(update={"furoshiki_gate_maturity": 1.0})
    return replace(world, vectors=near, settings=settings, rng=random.Random(11))


def states(world: World) -> list[str]:
    with world.database.read() as db:
        return [row["state"] for row in db.execute("SELECT state FROM scratch_buffer ORDER BY id")]


async def test_what_belongs_to_the_talk_and_is_new_becomes_a_moment_with_its_source(
    world_near: World, clock: FrozenClock
) -> None:
    say(world_near, "the garden at my new house is full of roses")
    said = say(world_near, "I planted roses in the garden of the new house", charge=0.5)
    clock.pass_(minutes=6)
    report = await exit_gate.flush(world_near)
    assert report.did
    kept = next(one for one in moments(world_near) if one.turn_ids == (said,))
    assert kept.content == "They said: “I planted roses in the garden of the new house”"
    assert kept.compressed == "I planted roses in the garden of the new house"
    assert (kept.charge, kept.importance, kept.source_tag) == (0.5, 0.7, "external_user")
    assert (kept.alpha, kept.beta) == (1.0, 4.0)
    assert kept.event_time == START


async def test_of_what_somebody_quoted_a_moment_says_that_it_was_quoted(world_near: World, clock: FrozenClock) -> None:
    said = say(world_near, 'my friend Hannelore in the garden writes "" and I planted roses in the new garden', 0.5)
    clock.pass_(minutes=6)
    await exit_gate.flush(world_near)
    kept = next(one for one in moments(world_near) if one.turn_ids == (said,))
    assert 'Hannelore in the garden writes "…" and I' in kept.content


async def test_what_is_known_is_confirmed_and_not_kept_twice(world_near: World, clock: FrozenClock) -> None:
    held = know(world_near, "I planted roses in the garden")
    say(world_near, "roses in the garden, I planted them there")
    said = say(world_near, "I planted roses in the garden")
    clock.pass_(minutes=6)
    await exit_gate.flush(world_near)
    with world_near.database.read() as db:
        found = memories.get(db, held)
        log = db.execute("SELECT operation, evidence FROM consolidation_log").fetchall()
    assert found is not None and said in found.turn_ids
    assert found.alpha > 1.0
    assert {row["operation"] for row in log} == {"confirmed"}
    assert states(world_near)[-1] == "reinforced"


async def test_what_denies_a_memory_is_kept_and_linked_to_it(world_near: World, clock: FrozenClock) -> None:
    held = know(world_near, "I like roses in the garden of the house")
    say(world_near, "there are roses in the garden of the house")
    say(world_near, "I don't like roses in the garden of the house")
    clock.pass_(minutes=6)
    await exit_gate.flush(world_near)
    denying = next(one for one in moments(world_near) if "don't" in one.content)
    with world_near.database.read() as db:
        assert [(one.to_id, one.relation) for one in links.links_of(db, denying.id)] == [(held, "contradicts")]
    assert denying.metadata["flag"] == "contradicts" and denying.importance == 0.9


async def test_a_message_is_no_confirmation_of_what_was_learned_from_it(world_near: World, clock: FrozenClock) -> None:
    say(world_near, "the house with the garden of roses is near the river")
    said = say(world_near, "I planted roses in the garden of the house")
    with world_near.database.write() as db:
        fact = memories.add(db, NewMemory("semantic", "I planted roses in the garden of the house", (said,)), START)
    clock.pass_(minutes=6)
    await exit_gate.flush(world_near)
    with world_near.database.read() as db:
        held = memories.get(db, fact)
    assert held is not None and (held.alpha, held.turn_ids) == (1.0, (said,))


async def test_nods_and_echoes_are_dropped_whatever_chance_says(world_near: World, clock: FrozenClock) -> None:
    open_gate = world_near.settings.model_copy(update={"furoshiki_gate_maturity": 0.0})
    world = replace(world_near, settings=open_gate)
    for number in range(30):
        say(world, "yes, you said so, thank you", before="You love the old garden.")
        say(world, f"yes, the old garden, exactly {'!' * number}", before="You love the old garden.")
    clock.pass_(minutes=6)
    await exit_gate.flush(world)
    assert set(states(world)[:40]) == {"dropped"}
    assert moments(world) == []


@pytest.mark.parametrize(
    "said", ["remind me tomorrow at nine to plant roses in the garden", "明日の朝9時に庭のバラのこと教えて"]
)
async def test_an_order_that_was_carried_out_is_no_moment(
    world_near: World, clock: FrozenClock, model: Script, said: str
) -> None:
    """“They said: “Remind me at nine””: in any language, by what was done."""
    world = replace(world_near, settings=world_near.settings.model_copy(update={"furoshiki_gate_maturity": 0.0}))
    human = Human(world, Worker(world))
    say(world, "the garden at my new house is full of roses")
    for number in range(12):
        call = {"action": "create", "what": f"roses {number}", "when": "2026-03-25T09:00"}
        model.lines = [ToolCall(f"c{number}", "schedule", call), "Noted.", "Noted."]
        await human.says(f"{said} {number}")
    clock.pass_(minutes=6)
    await exit_gate.flush(world)
    assert not [one for one in moments(world) if said in one.content]


async def test_while_memoryd_is_away_things_wait_and_after_an_hour_words_have_to_do(
    world_near: World, near: Near, clock: FrozenClock
) -> None:
    near.away = True
    say(world_near, "the garden at my new house is full of roses")
    say(world_near, "I planted roses in the garden of my new house")
    clock.pass_(minutes=6)
    assert not (await exit_gate.flush(world_near)).did
    assert states(world_near) == ["waiting", "waiting"]
    clock.pass_(hours=1)
    await exit_gate.flush(world_near)
    assert "persisted" in states(world_near)


async def test_what_hangs_on_waits_for_its_last_hour_and_is_then_decided(
    world_near: World, near: Near, clock: FrozenClock
) -> None:
    say(world_near, "the weather was grey and the trams were late again today")
    say(world_near, "trams and cats and dogs in the rain of winter")
    clock.pass_(minutes=6)
    await exit_gate.flush(world_near)
    before = states(world_near)
    clock.pass_(hours=23)
    with world_near.database.read() as db:
        due = flush_scratch(db, world_near.now)
    assert (due is not None) == ("waiting" in before)
    await exit_gate.flush(world_near)
    assert "waiting" not in states(world_near)


async def test_an_edited_message_is_judged_by_its_last_words_and_a_forgotten_one_not_at_all(
    world_near: World, clock: FrozenClock
) -> None:
    first = say(world_near, "I planted tulips in the garden of the house", charge=0.9)
    gone = say(world_near, "I planted poppies in the garden of the house", charge=0.9)
    with world_near.database.write() as db:
        turns.replace(db, first, user_said("I planted roses in the garden of the house", world_near.now))
        db.execute("DELETE FROM turns WHERE id=?", (gone,))
    clock.pass_(minutes=6)
    for _ in range(2):
        await exit_gate.flush(world_near)
    assert not any("tulips" in one.content or "poppies" in one.content for one in moments(world_near))
    assert len(states(world_near)) == 1


async def test_flushed_twice_nothing_more_happens(world_near: World, clock: FrozenClock) -> None:
    for number in range(6):
        say(world_near, f"I planted roses in the garden of house number {number}")
    clock.pass_(minutes=6)
    await exit_gate.flush(world_near)
    before = (states(world_near), [one.id for one in moments(world_near)])
    await exit_gate.flush(world_near)
    assert (states(world_near), [one.id for one in moments(world_near)]) == before


def test_the_quick_flush_asks_no_model_and_leaves_what_it_cannot_judge(
    world_near: World, near: Near, model: Script
) -> None:
    say(world_near, "the garden at my new house is full of roses")
    say(world_near, "I planted roses in the garden of my new house")
    near.away = True
    assert exit_gate.flush_quickly(world_near) == 0
    near.away = False
    assert exit_gate.flush_quickly(world_near) == 2
    assert model.questions == []


async def test_the_script_waits_for_a_pause_and_for_something_to_do(world_near: World, clock: FrozenClock) -> None:
    with world_near.database.read() as db:
        assert flush_scratch(db, world_near.now) is None
    say(world_near, "I planted roses in the garden")
    with world_near.database.read() as db:
        assert flush_scratch(db, world_near.now) is None
    clock.pass_(minutes=5)
    with world_near.database.read() as db:
        assert "1 things" in (flush_scratch(db, world_near.now) or "")


async def test_a_turn_lets_the_users_words_wait_not_the_companions(world: World, human: Human, model: Script) -> None:
    model.lines = ["You could plant roses, and a big old apple tree as well."]
    await human.says("I am thinking about a garden for the new house")
    with world.database.read() as db:
        [item] = scratch.fresh(db, 10)
        turn = turns.get(db, item.turn_id or 0)
    assert item.text == "I am thinking about a garden for the new house"
    assert turn is not None and turn.speaker != COMPANION and item.source_tag == "external_user"


async def test_the_words_of_a_document_are_not_the_users(world: World, human: Human) -> None:
    await human.says("", kind="location", attachment={"latitude": 38.7, "longitude": -9.1})
    with world.database.read() as db:
        assert scratch.fresh(db, 10) == []


async def test_the_listener_judges_every_five_exchanges_and_before_it_goes(
    world_near: World, model: Script, clock: FrozenClock
) -> None:
    worker = Worker(world_near)
    human = Human(world_near, worker)
    for number in range(4):
        await human.says(f"I planted roses in the garden of house number {number}")
    assert set(states(world_near)) == {"waiting"}
    await human.says("I planted roses in the garden of the last house")
    assert worker._flushing is not None
    await worker._flushing
    with world_near.database.read() as db:
        assert scratch.fresh(db, 10) == []
    await human.says("I watered the roses in the garden this evening")
    await worker.rest()
    with world_near.database.read() as db:
        assert scratch.fresh(db, 10) == []


async def test_what_the_work_beside_a_turn_may_judge_is_not_judged_at_the_same_time(world_near: World) -> None:
    worker = Worker(world_near)
    folded = asyncio.Event()
    working = asyncio.create_task(_until(folded))
    say(world_near, "I planted roses in the garden")
    worker.flush(after=working)
    assert worker._flushing is not None
    await asyncio.wait({worker._flushing}, timeout=0.2)
    with world_near.database.read() as db:
        assert len(scratch.fresh(db, 10)) == 1
    folded.set()
    await worker._flushing
    with world_near.database.read() as db:
        assert scratch.fresh(db, 10) == []


async def _until(folded: asyncio.Event) -> None:
    await folded.wait()
