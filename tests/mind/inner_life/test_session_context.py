"""What a conversation begins with: who they are, how things stand, and the past that touches what was thought last."""

from __future__ import annotations

import dataclasses
import json
import os
import random
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import sessions, turns
from furoshiki.messages.store.sessions import SessionDocument
from furoshiki.mind.inner_life import session_context, standing_prompt
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.user_model.rules.profile import Profile, Statement
from furoshiki.owner.user_model.store import profiles
from furoshiki.recall.retrieval.values import Kind
from furoshiki.world import World
from tests.support.accidents import ACCIDENTS
from tests.support.rows import user_said
from tests.support.world import Human, NoVectors, Script

ACCIDENTS_TRIED = int(os.environ.get("MUTATIONS", "300"))

TOPICS = ("the harbour", "chess", "the new boat", "tea", "the late ship", "Anika")


class Near(NoVectors):
    """An index that finds these sessions, and remembers what it was asked."""

    def __init__(self, found: Sequence[tuple[str, float]]) -> None:
        self.found, self.asked = list(found), [""]

    def query(self, text: str, kinds: Sequence[Kind] = (), k: int = 150) -> list[tuple[str, float]]:
        self.asked = [text, *kinds]
        return self.found[:k]


def past(world: World) -> None:
    """Six conversations, the oldest first; the last one was about Anika."""
    with world.database.write() as db:
        for number, topic in enumerate(TOPICS, 1):
            at = world.now - timedelta(days=10 - number)
            document = f"=== Memory ===\nTopics: {topic}\nThey talked about {topic}.\n\nUser: hello\nFuro: hello"
            sessions.add(db, SessionDocument(f"s{number}", at, at, (topic,), document, 0.5, 0.5))


def refreshed(world: World, vectors: Any) -> dict[str, Any]:
    session_context.refresh(dataclasses.replace(world, vectors=vectors))
    return dict(world.state.context())


def told(*numbers: int) -> list[str]:
    """What was talked about in these sessions."""
    return [f"They talked about {TOPICS[number - 1]}." for number in numbers]


def test_past_conversations_near_the_last_thought_are_brought_along(world: World) -> None:
    past(world)
    folder = world.settings.data / "memory" / "inner-monologue"
    folder.mkdir(parents=True)
    (folder / "2026-03-20.md").write_text("# Friday\n\nOld.\n")
    (folder / "2026-03-23.md").write_text(
        "# Monday\n\n![How I felt](2026-03-23.svg)\n\nI keep thinking of the ship\nthat came late.\n"
    )
    found = [("session:5", 0.8), ("session:1", 0.7), ("session:3", 0.5), ("session:2", 0.41), ("session:4", 0.35)]
    near = Near([*found, ("session:6", 0.34), ("session:99", 0.9)])
    shown = refreshed(world, near)
    assert near.asked == ["I keep thinking of the ship that came late.", "session"]
    assert [one["text"] for one in shown["related"]] == told(5, 1, 3, 2)
    assert shown["related"][0]["text"] == "They talked about the late ship."
    with world.database.read() as db:
        block = standing_prompt.session_block(world, db, "s9", [], None, world.zone, world.now)
    assert "What you wrote for yourself on Monday, 23 March, not knowing what came since." in block["text"]


def test_no_accident_of_the_file_costs_a_conversation_its_beginning(world: World) -> None:
    """`MUTATIONS=10000` tries as many."""
    past(world)
    with world.database.write() as db:
        tasks.add(db, "shopping", "milk", world.now)
    refreshed(world, Near([("session:5", 0.8)]))
    path, dice = world.state.context_path, random.Random(11)
    whole = json.dumps(json.loads(path.read_text()) | {"rising": ["boats"]})
    aside = 0
    for _ in range(ACCIDENTS_TRIED):
        path.write_bytes(dice.choice(ACCIDENTS)(whole, dice).encode("utf-8", "surrogatepass"))
        with world.database.read() as db:
            block = standing_prompt.session_block(world, db, "s9", [], None, world.zone, world.now)
        assert "The person you talk to" in block["text"]
        for damaged in world.settings.data.glob("memory/session-context.json.corrupt-*"):
            damaged.unlink()
            aside += 1
    assert 0 < aside < ACCIDENTS_TRIED


def test_what_is_hardly_alike_stays_away(world: World) -> None:
    past(world)
    shown = refreshed(world, Near([("session:1", 0.31), ("session:2", 0.3), ("session:3", -0.2)]))
    assert [one["text"] for one in shown["related"]] == told(1)


def test_without_a_monologue_the_last_conversation_is_what_was_thought(world: World) -> None:
    past(world)
    near = Near([("session:6", 0.99), ("session:1", 0.5)])
    shown = refreshed(world, near)
    assert near.asked[0] == "They talked about Anika."
    assert [one["text"] for one in shown["related"]] == told(1), "not itself once more"


def test_whether_they_met_is_said_of_a_conversation(world: World) -> None:
    with world.database.write() as db:
        for number, quality in enumerate((None, 0.9, 0.5, 0.1)):
            at = world.now - timedelta(days=4 - number)
            sessions.add(db, SessionDocument(f"s{number}", at, at, ("tea",), "=== Memory ===", quality, 0.5))
    told = [line.partition(": ")[2] for line in refreshed(world, NoVectors())["sessions"]]
    assert told == ["tea (you hardly met)", "tea", "tea (you met closely)", "tea"]


def test_without_an_index_the_rest_is_there(world: World) -> None:
    past(world)
    shown = refreshed(world, NoVectors())
    assert shown["related"] == []
    assert len(shown["sessions"]) == session_context.SESSIONS and shown["sessions"][0].endswith("Anika")


def test_before_anything_was_said_nobody_is_asked(world: World) -> None:
    near = Near([("session:1", 0.9)])
    assert refreshed(world, near)["related"] == []
    assert near.asked == [""]


def test_a_profile_is_shown_as_far_as_it_still_holds(world: World) -> None:
    with world.database.write() as db:
        turn = turns.add(db, user_said("I live in Paris and like tea"))
        home = memories.add(db, NewMemory("semantic", "They live in Paris.", (turn,)), world.now)
        tea = memories.add(db, NewMemory("preference", "They like tea.", (turn,)), world.now)
        told = (
            Statement("location", "They live in Paris.", (home,)),
            Statement("preference", "They like tea.", (tea,)),
        )
        profiles.put(db, Profile(told, told), "x", "rule", world.now)
        memories.close(db, home, world.now)
    with world.database.read() as db:
        shown = profiles.current(db, world.now)
    assert [one.text for one in (*shown.mini, *shown.reference)] == ["They like tea.", "They like tea."]


async def test_a_conversation_begins_with_the_past_that_matters(world: World, human: Human, model: Script) -> None:
    past(world)
    refreshed(world, Near([("session:1", 0.7), ("session:5", 0.6)]))
    model.lines = ["Hello."]
    await human.says("hello")
    shown = "\n".join(block.text for block in model.questions[-1].system)
    _, _, touching = shown.partition("Earlier ones that touch on what has been on your mind:\n\n")
    assert "the harbour: They talked about the harbour." in touching
    assert "the late ship" not in touching, "it is among the last ones already"


async def test_a_conversation_knows_the_last_thought_and_what_stands_open(
    world: World, human: Human, model: Script
) -> None:
    folder = world.settings.data / "memory" / "inner-monologue"
    folder.mkdir(parents=True)
    (folder / "2026-03-23.md").write_text("# Monday\n\nI keep thinking of the ship that came late.\n")
    with world.database.write() as db:
        tasks.add(db, "user_work", "Sand the hull", world.now)
        tasks.add(db, tasks.REMINDERS, "Call Anika", world.now, due_at=world.now)
    refreshed(world, NoVectors())
    await human.says("hello there")
    block = "\n".join(part.text for part in model.questions[-1].system)
    assert "I keep thinking of the ship that came late." in block and "Sand the hull" in block
    assert "Call Anika" not in block, "reminders stand beside the clock"
