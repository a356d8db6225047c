"""Reminders from plain words, in the user's own time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from furoshiki.language.dates import parsing
from furoshiki.language.reflex.reminders.reminding import matter
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.agenda.store.tasks import Task
from tests.support.commands import Commander
from tests.support.world import START, FrozenClock


def _waiting(command: Commander) -> list[Task]:
    with command.world.database.read() as db:
        return tasks.in_list(db, tasks.REMINDERS)


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("tomorrow at 9 call Anika", "call Anika"),
        ("me tomorrow at 9 to call Anika", "call Anika"),
        ("call Anika tomorrow at 9", "call Anika"),
        ("to buy milk in 20 minutes", "buy milk"),
        ("in 20 minutes: tea", "tea"),
        ("every monday at 18:00 take out the bins", "take out the bins"),
        ("tomorrow at 9", ""),
    ],
)
def test_what_is_left_without_the_time_is_the_reminder(line: str, title: str) -> None:
    when = parsing.read(line, START)
    assert when is not None
    assert matter(line, when.spans) == title


async def test_it_is_made_in_the_users_zone_and_can_be_taken_back(command: Commander) -> None:
    words = await command("/remind tomorrow at 9 call Anika")
    assert words.text == "I will remind you tomorrow at 09:00: call Anika."
    [task] = _waiting(command)
    assert task.due_at == datetime(2026, 3, 25, 9, tzinfo=UTC)
    assert (task.channel, task.chat_id) == ("telegram", "7")
    [[button]] = words.extra["buttons"]
    taken = await command.press(button["data"])
    assert taken is not None and "Taken back" in taken.text
    assert _waiting(command) == []


async def test_undo_takes_it_back_too(command: Commander) -> None:
    await command("/remind tomorrow at 9 call Anika")
    assert "The reminder is gone: call Anika." in (await command("/undo")).text
    assert _waiting(command) == []


@pytest.mark.parametrize(
    ("line", "asks"),
    [("call Anika", "When shall I"), ("tomorrow at 9", "remind you of?"), ("", "No reminders are waiting")],
)
async def test_what_is_missing_is_asked_for(line: str, asks: str, command: Commander) -> None:
    assert asks in (await command(f"/remind {line}")).text
    assert _waiting(command) == []


async def test_what_repeats_says_so(command: Commander) -> None:
    words = await command("/remind every monday at 18:00 take out the bins")
    assert "and then every Monday at 18:00" in words.text
    assert _waiting(command)[0].recurrence == "FREQ=WEEKLY;BYDAY=MO"


async def test_later_is_in_an_hour_and_only_this_once(command: Commander, clock: FrozenClock) -> None:
    await command("/remind every monday at 18:00 take out the bins")
    await command("/remind in 20 minutes tea")
    tea, bins = sorted(_waiting(command), key=lambda task: task.title, reverse=True)
    for task in (tea, bins):
        assert await command.press(f"remind.later:{task.id}") is not None
    due = {(task.title, task.due_at) for task in _waiting(command)}
    soon = clock.now() + timedelta(hours=1)
    assert due == {("tea", soon), ("take out the bins", soon), ("take out the bins", bins.due_at)}


async def test_what_comes_in_an_hour_by_itself_is_not_said_twice(command: Commander, clock: FrozenClock) -> None:
    with command.world.database.write() as db:
        due = clock.now() + timedelta(minutes=59)
        drink = tasks.add(db, tasks.REMINDERS, "drink", clock.now(), due_at=due, recurrence="FREQ=HOURLY")
    words = await command.press(f"remind.later:{drink}")
    assert words is not None and "again" in words.text
    assert [(task.id, task.due_at) for task in _waiting(command)] == [(drink, due)]


async def test_it_may_be_urgent(command: Commander) -> None:
    await command("/remind urgent: tomorrow at 9 call the bank")
    with command.world.database.read() as db:
        [task] = tasks.in_list(db, tasks.REMINDERS)
    assert (task.title, task.priority) == ("call the bank", 1)
