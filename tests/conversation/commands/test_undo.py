"""The last change is taken back, then the one before it."""

from __future__ import annotations

import json
import random
from typing import Any

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.memory.store import memories
from furoshiki.messages.store import skill_runs
from furoshiki.owner.agenda.store import tasks
from furoshiki.world import World
from tests.support.commands import Commander, learned, said
from tests.support.world import Human, Script


def _ran(world: World, name: str, data: dict[str, Any], key: str = "inbox:1") -> None:
    with world.database.write() as db:
        digest = f"{name}-{data}"
        skill_runs.add(
            db, key, digest, name, {}, {"ok": True, "text": "", "data": data, "notes": []}, True, 1.0, world.now
        )


def _listed(world: World, title: str) -> int:
    with world.database.write() as db:
        return tasks.add(db, "shopping", title, world.now)


def _open(world: World) -> list[str]:
    with world.database.read() as db:
        return [task.title for task in tasks.in_list(db, "shopping")]


async def test_changes_go_back_one_by_one_newest_first(command: Commander) -> None:
    world = command.world
    for title in ("milk", "bread"):
        _ran(world, "list", {"list": "shopping", "action": "add", "ids": [_listed(world, title)]})
    assert "bread" in (await command("/undo")).text
    assert _open(world) == ["milk"]
    assert "milk" in (await command("/undo")).text
    assert _open(world) == []
    assert "nothing I can take back" in (await command("/undo")).text


async def test_what_only_looked_is_passed_over(command: Commander) -> None:
    world = command.world
    _ran(world, "list", {"list": "shopping", "action": "add", "ids": [_listed(world, "milk")]})
    _ran(world, "list", {"list": "shopping", "items": []})
    _ran(world, "schedule", {"reminders": []})
    assert "milk" in (await command("/undo")).text


async def test_a_tick_is_taken_off(command: Commander) -> None:
    world = command.world
    milk = _listed(world, "milk")
    with world.database.write() as db:
        tasks.set_state(db, milk, "done", world.now)
    _ran(world, "list", {"list": "shopping", "action": "check", "ids": [milk]})
    assert "Open again: milk." in (await command("/undo")).text
    assert _open(world) == ["milk"]


async def test_a_reminder_goes_and_comes_back(command: Commander) -> None:
    world = command.world
    with world.database.write() as db:
        task = tasks.add(db, tasks.REMINDERS, "call Anika", world.now, due_at=world.now)
    _ran(world, "schedule", {"reminder": {"id": task, "title": "call Anika"}})
    assert "The reminder is gone: call Anika." in (await command("/undo")).text
    _ran(world, "schedule", {"cancelled": {"id": task, "title": "call Anika"}})
    assert "The reminder is back: call Anika." in (await command("/undo")).text


async def test_a_fact_is_no_longer_held_true_unless_it_was_said_before(command: Commander) -> None:
    world = command.world
    fact = learned(world, "They like tea.", said(world, "I like tea", key="inbox:5"))
    older = learned(world, "They like rain.", said(world, "I like rain"), said(world, "rain, yes", key="inbox:6"))
    _ran(world, "memorize", {"text": "They like tea."}, "inbox:5")
    _ran(world, "memorize", {"text": "They like rain."}, "inbox:6")
    assert "They like tea." in (await command("/undo")).text
    with world.database.read() as db:
        held = {fact: memories.get(db, fact), older: memories.get(db, older)}
    assert held[fact] is not None and held[fact].status == "superseded"
    assert held[older] is not None and held[older].status == "active"


async def test_a_button_under_the_words_takes_back_what_they_confirm(
    command: Commander, human: Human, model: Script
) -> None:
    world = command.world
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 20
    await human.says("add milk to the shopping list and remind me at 6 to go shopping")
    with world.database.read() as db:
        [row] = db.execute("SELECT extra FROM outbox WHERE extra LIKE '%undo.turn%'").fetchall()
    [[button]] = json.loads(row["extra"])["buttons"]
    for expected in ("The reminder is gone: go shopping.", "That was already taken back."):
        words = await command.press(button["data"])
        assert words is not None and expected in words.text
    with world.database.read() as db:
        assert tasks.lists(db) == {}


async def test_words_that_changed_nothing_have_no_such_button(command: Commander, human: Human, model: Script) -> None:
    world = command.world
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 20
    await human.says("what are my reminders?")
    await human.says("remind me to call Tom")
    with world.database.read() as db:
        assert db.execute("SELECT count(*) FROM outbox WHERE extra LIKE '%undo.turn%'").fetchone()[0] == 0
