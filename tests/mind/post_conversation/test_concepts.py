"""What a conversation was about, as concepts: told by the reading, grounded in what was said, and forgotten with it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from furoshiki.archive.forgetting import forgetting
from furoshiki.memory.concepts import find_associated, read_new
from furoshiki.memory.rules.concepts import FADED, STRENGTH
from furoshiki.memory.store import concepts, memories
from furoshiki.memory.values import NewMemory
from furoshiki.mind.post_conversation.reading import read_sessions
from furoshiki.world import World
from tests.support.readings import fact, reading, talk
from tests.support.world import FrozenClock, Human, Script


def rows(world: World, question: str) -> list[dict[str, Any]]:
    with world.database.read() as db:
        return [dict(row) for row in db.execute(question)]


async def read(world: World, human: Human, model: Script, clock: FrozenClock, **more: Any) -> None:
    await talk(human, model, clock, "The night shifts at the harbour wear me out, and then I skip my chess evening")
    clock.pass_(minutes=30)
    model.lines = [reading(topics=["night shifts at the harbour"], **more)]
    await read_sessions(world)


async def test_a_reading_names_what_it_was_about_in_the_words_that_were_said(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    await read(
        world,
        human,
        model,
        clock,
        concepts=["the harbour", "Night shifts", "chess evening", "burnout"],
        links=[
            {"one": "night shifts", "how": "against", "other": "chess evening"},
            {"one": "harbour", "how": "leads_to", "other": "burnout"},
        ],
    )
    found = rows(world, "SELECT name FROM concepts JOIN session_concepts ON concept_id=id ORDER BY name")
    assert [one["name"] for one in found] == ["chess evening", "harbour", "night shifts"]  # nobody said burnout
    refused = rows(world, "SELECT kind, content FROM rejected_extractions")
    assert {"kind": "concept", "content": "burnout"} in refused
    types = rows(
        world,
        "SELECT a.name AS a, b.name AS b, type, weight FROM concept_links "
        "JOIN concepts a ON a.id=a_id JOIN concepts b ON b.id=b_id WHERE type!='together'",
    )
    assert [(one["type"], one["weight"]) for one in types] == [("against", 2.0)]
    assert {types[0]["a"], types[0]["b"]} == {"night shifts", "chess evening"}


async def test_without_a_model_it_is_about_the_nouns_of_its_topics(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    await read(world, human, model, clock)
    found = rows(world, "SELECT name, strength FROM concepts JOIN session_concepts ON concept_id=id ORDER BY name")
    assert {"name": "harbour", "strength": STRENGTH} in found


async def test_what_is_forgotten_of_a_conversation_takes_its_concepts_along(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    await read(world, human, model, clock, concepts=["harbour", "chess evening"])
    plan = forgetting.look(world, "chess")
    forgetting.forget(world, plan.asked, plan.token)
    assert rows(world, "SELECT * FROM session_concepts") == []
    assert rows(world, "SELECT name FROM concepts WHERE name LIKE '%chess%'") == []


async def test_a_concept_fades_with_time_alone_and_comes_back_when_it_is_met(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    """Looked at often or once, it is as strong; faded, it brings nothing up; met again, it is stronger than before."""
    await read(world, human, model, clock, facts=[fact("They work night shifts at the harbour.", "the harbour", [1])])
    with world.database.write() as db:
        other = memories.add(db, NewMemory("semantic", "The harbour has a new crane.", (1,)), world.now)
        read_new(db, world.now)
    [held] = [row["id"] for row in rows(world, "SELECT id FROM memories WHERE predicate='works_at'")]
    brought = []
    for days in (0, 20, 130):
        at = world.now + timedelta(days=days)
        with world.database.read() as db:
            brought.append(other in dict(find_associated(db, [held], now=at)))
            [harbour] = [one for one in concepts.of_memories(db, [held])[held] if one.name == "harbour"]
    assert brought == [True, True, False]
    assert harbour.strength_at(at) < FADED < harbour.strength  # what is written did not move
    with world.database.write() as db:
        concepts.see(db, held, ["harbour"], at)
        [again] = [one for one in concepts.of_memories(db, [held])[held] if one.name == "harbour"]
        assert again.strength > harbour.strength
        assert other in dict(find_associated(db, [held], now=at))


async def test_a_concept_is_said_in_a_script_without_spaces(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    """“ゼミ” stands within a run of letters, as no blank parts it from what follows."""
    await talk(human, model, clock, "今日ゼミで発表して、教授にぼろくそに言われた…")
    clock.pass_(minutes=30)
    model.lines = [reading(topics=["ゼミ"], concepts=["ゼミ", "卒論"])]
    await read_sessions(world)
    found = rows(world, "SELECT name FROM concepts JOIN session_concepts ON concept_id=id ORDER BY name")
    assert [one["name"] for one in found] == ["ゼミ"]
