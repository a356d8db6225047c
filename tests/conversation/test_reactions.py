"""A reaction that waits beside a message: both are felt, once each, whichever is looked at first."""

from __future__ import annotations

import json
from typing import Any

import pytest

from furoshiki.conversation import interactions
from furoshiki.messages.events import Reaction
from furoshiki.messages.store import inbox
from furoshiki.messages.values import NewEnvelope
from furoshiki.world import World
from tests.support.world import Human, claimed


def reacts(world: World, emoji: str, to: str = "101") -> int:
    """A reaction as the channel stores it: it is looked at when no words wait."""
    reaction = Reaction(chat_id="7", emoji=(emoji,), reacted_to=to)
    with world.database.write() as db:
        new = NewEnvelope("telegram", f"reaction-{emoji}", "7", reaction, "background")
        return inbox.store(db, [new], world.now)[0]


def state(world: World) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(world.state.heartbeat_path.read_text())
    return found


@pytest.mark.parametrize("words_first", [True, False])
async def test_a_reaction_beside_a_message_is_felt(world: World, human: Human, words_first: bool) -> None:
    await human.says("good morning")
    before = world.state.heartbeat().emotions
    beside = [lambda: human.writes("I am on the train"), lambda: reacts(world, "❤")]
    rows = [arrives() for arrives in (beside if words_first else beside[::-1])]
    await human.waits()
    assert [human.envelope(row)["state"] for row in rows] == ["done", "done"]
    assert world.state.heartbeat().emotions.affection > before.affection + 0.01
    assert sorted(state(world)["heard"]) == ["telegram:7", "telegram:7/reactions"]


async def test_a_reaction_that_came_before_the_words_that_are_answered_first_is_felt(
    world: World, human: Human
) -> None:
    await human.says("good morning")
    loved = reacts(world, "❤")
    row = human.writes("I am on the train")
    assert loved < row
    assert await human.worker.step()
    assert (human.envelope(row)["state"], human.envelope(loved)["state"]) == ("done", "pending")
    before = world.state.heartbeat().emotions
    assert await human.worker.step()
    assert world.state.heartbeat().emotions.affection > before.affection


async def test_a_reaction_that_was_cut_off_after_it_was_felt_is_not_felt_twice(world: World, human: Human) -> None:
    await human.says("good morning")
    loved = reacts(world, "❤")
    await human.says("I am on the train")
    interactions.handle_reaction(world, claimed_again(world, loved))
    once = world.state.heartbeat().emotions
    interactions.handle_reaction(world, claimed_again(world, loved))
    assert world.state.heartbeat().emotions == once


def claimed_again(world: World, row: int) -> Any:
    """The envelope as it is claimed after a crash that left it unfinished."""
    with world.database.write() as db:
        db.execute("UPDATE inbox SET state='pending' WHERE id=?", (row,))
    return claimed(world)
