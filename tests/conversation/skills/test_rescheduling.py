"""Reminders there are, changed by a call: once for a turn, undone as they were, by a model as by rules."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from furoshiki.conversation.skills.schedule import ScheduleArguments
from furoshiki.models.llm.values import ToolCall
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.agenda.store.tasks import Task
from furoshiki.world import World
from tests.support.world import Human, Script

CAKE = datetime(2026, 3, 25, 15, tzinfo=UTC)


@pytest.fixture
def cake(world: World) -> int:
    with world.database.write() as db:
        return tasks.add(db, tasks.REMINDERS, "buy cake", world.now, due_at=CAKE)


def held(world: World, task_id: int) -> Task:
    with world.database.read() as db:
        found = tasks.get(db, task_id)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("args", "title", "due"),
    [
        ({"action": "move", "what": "cake", "when": "6pm"}, "buy cake", "2026-03-25T18:00"),
        ({"action": "move", "what": "cake", "when": "friday"}, "buy cake", "2026-03-27T15:00"),
        ({"action": "move", "what": "cake", "when": "by an hour"}, "buy cake", "2026-03-25T16:00"),
        ({"action": "move", "what": "cake", "when": "2026-03-26T10:00"}, "buy cake", "2026-03-26T10:00"),
        ({"action": "rename", "id": 1, "what": "fetch the cake"}, "fetch the cake", "2026-03-25T15:00"),
        ({"action": "move", "what": "cake"}, "buy cake", "2026-03-25T15:00"),
        ({"action": "move", "what": "cake", "when": "yesterday at 9"}, "buy cake", "2026-03-25T15:00"),
    ],
)
async def test_what_a_model_asks_for_is_done_or_refused(
    args: dict[str, Any], title: str, due: str, cake: int, world: World, human: Human, model: Script
) -> None:
    model.lines = [ToolCall("1", "schedule", args), "Done."]
    await human.says("please see to the cake: fetch the cake")
    found = held(world, cake)
    assert (found.title, found.due_at) == (title, datetime.fromisoformat(due).replace(tzinfo=UTC))


async def test_several_are_cancelled_in_one_call_and_come_back(
    cake: int, world: World, human: Human, model: Script
) -> None:
    with world.database.write() as db:
        call = tasks.add(db, tasks.REMINDERS, "call Tom", world.now, due_at=CAKE)
    model.lines = [ToolCall("1", "schedule", {"action": "cancel", "ids": [cake, call]}), "Gone."]
    await human.says("cancel all reminders")
    assert [held(world, one).state for one in (cake, call)] == ["cancelled", "cancelled"]
    [answer] = await human.says("undo that")
    assert "back" in answer
    assert [held(world, one).state for one in (cake, call)] == ["open", "open"]


def test_a_turn_that_is_begun_again_changes_nothing_twice(cake: int, world: World) -> None:
    for _ in range(2):
        with world.database.write() as db:
            task = tasks.get(db, cake)
            assert task is not None and task.due_at is not None
            before = tasks.change(db, task, world.now, "inbox:1", due_at=task.due_at.replace(hour=task.due_at.hour + 1))
    assert held(world, cake).due_at == CAKE.replace(hour=16)
    with world.database.write() as db:
        assert tasks.restore(db, cake, before, world.now)
    assert held(world, cake).due_at == CAKE


def test_one_is_named_by_its_id_as_before_there_were_several() -> None:
    assert ScheduleArguments.model_validate({"action": "cancel", "id": 3}).ids == (3,)
    assert ScheduleArguments.model_validate({"action": "list", "id": None}).ids == ()


async def test_a_model_leaves_out_days_when_it_makes_one_and_later(world: World, human: Human, model: Script) -> None:
    rule = "FREQ=WEEKLY;BYDAY=TU;EXDATE=20260407T051500,20260414"
    what = {"action": "create", "what": "the van", "when": "2026-03-31T05:15", "recurrence": rule}
    model.lines = [ToolCall("1", "schedule", what), "Tuesdays, but not on the 7th and 14th."]
    await human.says("remind me on tuesdays, not on the 7th and 14th of april")
    with world.database.read() as db:
        [van] = tasks.in_list(db, tasks.REMINDERS)
    answers = [("2026-04-21", True), ("2026-04-22", False), ("next tuesday", True)]
    for number, (day, may_be) in enumerate(answers):
        skip = {"action": "skip", "ids": [van.id], "when": day}
        model.lines = [ToolCall(f"s{number}", "schedule", skip), "Fine."]
        await human.says(f"and not on {day}")
        told = json.loads(model.questions[-1].messages[-1].text)
        assert told["ok"] is may_be, told
    assert "I'll remind you again on Tuesday, 28 April" in told["result"]
    left = held(world, van.id)
    assert left.due_at is not None and f"{left.due_at:%Y-%m-%d}" == "2026-04-28"
    assert left.recurrence == "FREQ=WEEKLY;BYDAY=TU;EXDATE=20260331,20260407,20260414,20260421"


async def test_what_comes_at_that_time_by_itself_is_not_said_twice(world: World, human: Human, model: Script) -> None:
    with world.database.write() as db:
        lea = tasks.add(
            db,
            tasks.REMINDERS,
            "pick up Lea",
            world.now,
            due_at=CAKE,
            due_zone="Europe/Lisbon",
            recurrence="FREQ=DAILY",
            channel="telegram",
            chat_id="7",
        )
    model.lines = [ToolCall("1", "schedule", {"action": "snooze", "id": lea, "when": "tomorrow at 3pm"}), "Fine."]
    await human.says("tomorrow, remind me again then")
    with world.database.read() as db:
        assert [(one.id, one.due_at) for one in tasks.in_list(db, tasks.REMINDERS)] == [(lea, CAKE)]
    [answer] = await human.says("undo that")
    assert "nothing" in answer.lower()


@pytest.mark.parametrize(
    ("first", "then", "told"),
    [
        (("İŞKUR'u aramayı", "2026-03-28T10:00"), ("İŞKUR'u ara", "2026-03-30T10:00"), True),
        (("Zahnarzt anrufen", "2026-03-28T10:00"), ("beim Zahnarzt anrufen", "2026-03-30T10:00"), True),
        (("call the ward", "2026-03-28T10:00"), ("ring the ward", "2026-03-30T10:00"), True),
        (("call the ward", "2026-03-28T10:00"), ("buy new shoes", "2026-03-30T10:00"), False),
        (("call the ward", "2026-03-28T10:00"), ("call the ward", "2026-03-28T10:00"), False),
    ],
)
async def test_a_mind_is_told_of_what_it_may_have_meant_to_move(
    world: World, human: Human, model: Script, first: tuple[str, str], then: tuple[str, str], told: bool
) -> None:
    """“Monday at 10 then” made a second one, and the first came on Saturday, when nobody was there to be rung."""
    for what, when in (first, then):
        model.lines = [ToolCall("1", "schedule", {"action": "create", "what": what, "when": when}), "Ok."]
        await human.says(f"{what} {when}")
    shown = model.questions[-1].messages[-1].text
    assert ("If this is instead of it, cancel that one" in shown) == told
    assert not told or first[0] in shown


@pytest.mark.parametrize(
    ("then", "meant", "told"),
    [
        ("no the other one, abuela", "call abuela", True),
        ("nein die andere, oma", "call oma", True),
        ("no, la otra, la abuela", "call abuela", True),
        ("нет, другой, бабушке", "call бабушке", True),
        ("hayır öbürü, anneanneme", "call anneanne", True),
        ("non, l'autre, mamie", "call mamie", True),
        ("não, a outra, a avó", "call avó", True),
        ("no, l'altra, la nonna", "call nonna", True),
        ("不，是另一个，外婆", "call 外婆", True),
        ("i meant abuela", "call abuela", True),
        ("and abuela too", "call abuela", False),
        ("and i need bread then", "buy bread", False),
        ("und oma auch", "call oma", False),
        ("pareil pour mamie", "call mamie", False),
    ],
)
async def test_a_mind_is_told_of_what_is_put_right_at_the_same_hour(
    world: World, human: Human, model: Script, then: str, meant: str, told: bool
) -> None:
    """“No the other one, abuela” made a second reminder at six, and nobody said that mum's was still there."""
    for what, words in (("call mum", "can you remind me to call mum at 6pm"), (meant, then)):
        asked = {"action": "create", "what": what, "when": "2026-03-28T18:00"}
        model.lines = [ToolCall("1", "schedule", asked), "Ok."]
        await human.says(words)
    shown = model.questions[-1].messages[-1].text
    assert ("If this is instead of it, cancel that one" in shown) == told
