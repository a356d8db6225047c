"""Longer work that was finished and told is remembered, once, with the words that asked for it."""

from __future__ import annotations

import asyncio

from furoshiki.conversation.commands import export, registry
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory
from furoshiki.mind.inner_life import soul_engine
from furoshiki.owner.agenda.store import operations
from furoshiki.recall.retrieval.recall import recall
from furoshiki.world import World
from tests.support.commands import envelope
from tests.support.world import FrozenClock, Human


def harvested(world: World) -> list[Memory]:
    with world.database.read() as db:
        return [one for one in memories.newest(db, 50) if one.category == "operation"]


def states(world: World) -> list[str]:
    with world.database.read() as db:
        return [row["state"] for row in db.execute("SELECT state FROM operations ORDER BY id")]


async def test_an_export_is_remembered_after_it_was_told(human: Human, clock: FrozenClock) -> None:
    world = human.world
    await human.says("my sister Anika lives in Lisbon")
    clock.pass_(minutes=1)
    await human.says("/export")
    await asyncio.gather(*export._under_way)
    soul_engine.tick(world)
    assert (states(world), harvested(world)) == (["completed"], []), "nobody has been told yet"
    await human.says("thank you")
    assert states(world) == ["read"]
    for _ in range(2):
        clock.pass_(minutes=15)
        soul_engine.tick(world)
    [held] = harvested(world)
    assert held.content.startswith("On 24 March 2026 I finished your export: ") and "records in" in held.content
    assert held.metadata == {"operation": 1}
    with world.database.read() as db:
        [asked] = db.execute("SELECT text FROM turns WHERE id=?", (held.turn_ids[0],)).fetchone()
    assert asked == "/export"
    assert states(world) == ["harvested"]
    assert f"memory:{held.id}" in [one.id for one in recall(world, "when was my export finished?", k=10, now=world.now)]
    words = await registry.run(world, "memory", "", envelope())
    assert words is not None and held.content not in words.text, "it is nothing that was learned about them"
    clock.pass_(days=8)
    soul_engine.tick(world)
    assert states(world) == ["archived"] and len(harvested(world)) == 1


async def test_of_what_failed_nothing_is_remembered(human: Human, clock: FrozenClock) -> None:
    world = human.world
    with world.database.write() as db:
        work = operations.begin(db, "look", "the timetable", "telegram", "7", world.now)
        operations.end(db, work, False, "no luck", world.now)
    await human.says("hello")
    soul_engine.tick(world)
    with world.database.read() as db:
        assert operations.active(db) == [], "it was told"
    assert (states(world), harvested(world)) == (["failed"], [])
    clock.pass_(days=8)
    soul_engine.tick(world)
    assert states(world) == ["archived"]
