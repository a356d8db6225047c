"""What the user says of their people never becomes something about the user, whatever a model claims."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from furoshiki.memory.store import memories
from furoshiki.messages.store import turns
from furoshiki.messages.store.turns import NewTurn
from furoshiki.mind.post_conversation.reading import read_sessions
from furoshiki.models.llm.values import ToolCall
from furoshiki.world import World
from tests.support import hostile_readings as hostile
from tests.support.world import Human, Script

SAID = (
    "my sister lives in Lyon",
    "my boss has a peanut allergy",
    "Anika's husband is a lawyer",
    "I live in Porto",
    "mi hermana vive en Sevilla",
)
FALSE = (
    ("The user lives in Lyon.", "lives_in", "Lyon", 1),
    ("The user has a peanut allergy.", "allergic_to", "peanut", 2),
    ("They are a lawyer.", "works_as", "lawyer", 3),
    ("Anika is a lawyer.", "works_as", "lawyer", 3),
    ("El usuario vive en Sevilla.", "lives_in", "Sevilla", 5),
)
TRUE = (
    ("Their sister lives in Lyon.", "lives_in", "Lyon", 1),
    ("The user lives in Porto.", "lives_in", "Porto", 4),
)


async def test_a_reading_keeps_each_for_the_one_it_was_said_of(world: World) -> None:
    begun = world.now - timedelta(hours=1)
    with world.database.write() as db:
        for at, text in enumerate(SAID):
            turns.add(db, NewTurn("s1", "console", "me", "user", text, begun + timedelta(minutes=at)))
    facts = [
        {"text": text, "subject": "user", "predicate": predicate, "object": object_, "messages": [message]}
        for text, predicate, object_, message in (*FALSE, *TRUE)
    ]
    reading = {**hostile.HONEST, "topics": [], "summary": "They live in Lyon. Their sister lives in Lyon."}
    await read_sessions(hostile.reads(world, json.dumps({**reading, "facts": facts})))
    with world.database.read() as db:
        kept = {(one.subject, one.content) for one in memories.newest(db, 20) if not one.unconfirmed}
        perhaps = {one.content: one.unconfirmed for one in memories.newest(db, 20) if one.unconfirmed}
        [document] = db.execute("SELECT document FROM sessions").fetchone()
    assert kept == {("sister", TRUE[0][0]), ("user", TRUE[1][0])}
    assert set(perhaps) == {text for text, *_ in FALSE}, "nobody read it: kept as perhaps, known as nothing"
    assert all(perhaps.values())
    assert "They live in Lyon" not in document and "Their sister lives in Lyon" in document


@pytest.mark.parametrize(("claim", "predicate", "object_", "message"), (*FALSE, *TRUE))
async def test_memorize_keeps_each_for_the_one_it_was_said_of(
    world: World, human: Human, model: Script, claim: str, predicate: str, object_: str, message: int
) -> None:
    fact = {"text": claim, "subject": "user", "predicate": predicate, "object": object_}
    model.lines = [ToolCall("1", "memorize", fact), "I see."]
    await human.says(SAID[message - 1])
    with world.database.read() as db:
        held = [one for one in memories.newest(db, 20) if not one.unconfirmed]
        kept = [(one.subject, one.predicate, one.object) for one in held if one.content == claim]
        wrong = [one for one in held if one.subject == "user" and one.predicate == predicate and one.object == object_]
    if (claim, predicate, object_, message) in FALSE:
        assert kept == [] and wrong == []
    elif claim == TRUE[0][0]:
        assert wrong == []
