"""What was expected is judged by what they said: once, with their own words, and a miss is remembered."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from furoshiki.memory.store import memories
from furoshiki.messages.store import turns
from furoshiki.messages.values import NewTurn
from furoshiki.mind.inner_life.store import monologue
from furoshiki.mind.post_conversation.reading import read_sessions
from furoshiki.mind.post_conversation.reading_form import SessionReading
from furoshiki.models.llm.values import Answer, Question
from furoshiki.owner.user_model.store import anticipations
from furoshiki.world import World
from tests.support.world import FrozenClock, Script

READING: dict[str, Any] = {
    "connection_quality": 0.8,
    "warmth": 0.7,
    "topics": ["the exam"],
    "user_state": "Calm.",
    "summary": "They talked about the exam.",
}


@pytest.fixture
def expected(world: World, clock: FrozenClock) -> int:
    """An expectation of yesterday, and a session of today that is about it: turns 1 (theirs) and 2 (ours)."""
    now = world.now
    with world.database.write() as db:
        entry = monologue.add(db, "journal", "2026-03-23", [], "scripted", 0, now - timedelta(days=1))
        assert entry is not None
        found = anticipations.add(
            db, entry, "A kind word before the exam.", "They were nervous.", [1], now, now + timedelta(days=2),
            now - timedelta(days=1),
        )  # fmt: skip
        assert found is not None
        turns.add(db, NewTurn("s1", "console", "me", "user", "The exam was moved to June, I went to the sea", now))
        turns.add(db, NewTurn("s1", "console", "me", "companion", "The exam, at last!", now))
    clock.pass_(minutes=30)
    return found


async def read(world: World, model: Script, *outcomes: dict[str, Any]) -> None:
    def answer(question: Question) -> Answer:
        parsed = SessionReading.model_validate({**READING, "anticipations": list(outcomes)})
        return Answer("", "stop", "scripted", "script", question.tier, parsed=parsed)

    model.lines = [answer]
    await read_sessions(world)


def state(world: World) -> str:
    with world.database.read() as db:
        return str(db.execute("SELECT state FROM anticipations").fetchone()[0])


async def test_a_miss_is_settled_and_seen_in_itself(world: World, model: Script, expected: int) -> None:
    await read(world, model, {"id": expected, "outcome": "miss", "messages": [1]})
    assert state(world) == "miss"
    assert f"Expected:\n- [{expected}] A kind word before the exam." in model.questions[0].messages[-1].text
    with world.database.read() as db:
        (seen,) = [one for one in memories.newest(db) if one.category == "self"]
    assert seen.content == "I expected this, and it was not so: A kind word before the exam."
    assert seen.turn_ids == (1,)


async def test_a_hit_is_settled_quietly(world: World, model: Script, expected: int) -> None:
    await read(world, model, {"id": expected, "outcome": "hit", "messages": [1]})
    assert state(world) == "hit"
    with world.database.read() as db:
        assert [one for one in memories.newest(db) if one.category == "self"] == []


@pytest.mark.parametrize("messages", [[], [2], [99]])
async def test_a_verdict_without_their_words_changes_nothing_and_is_listed(
    world: World, model: Script, expected: int, messages: list[int]
) -> None:
    await read(world, model, {"id": expected, "outcome": "miss", "messages": messages})
    assert state(world) == "open"
    with world.database.read() as db:
        (row,) = db.execute("SELECT kind, reason FROM rejected_extractions").fetchall()
    assert row["kind"] == "anticipation" and "without a word of theirs" in row["reason"]


async def test_what_nobody_can_tell_stays_open(world: World, model: Script, expected: int) -> None:
    invented = {"id": expected + 7, "outcome": "hit", "messages": [1]}
    await read(world, model, {"id": expected, "outcome": "open"}, invented)
    assert state(world) == "open"
