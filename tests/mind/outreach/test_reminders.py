"""Reminders: at their time, once, on the right channel, also after the machine was off."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest

from furoshiki.conversation import worker
from furoshiki.core.timestamps import parse
from furoshiki.messages.store import accounts
from furoshiki.mind.outreach import reminders
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.agenda.store.tasks import REMINDERS
from furoshiki.world import World
from tests.support.world import START, FrozenClock, Human, Script


def remind(world: World, title: str, at: datetime, **more: str) -> int:
    with world.database.write() as db:
        return tasks.add(
            db,
            REMINDERS,
            title,
            world.now,
            due_at=at,
            due_zone="Europe/Lisbon",
            channel="console",
            chat_id="console",
            **more,
        )  # type: ignore[arg-type]


def sent(world: World) -> list[tuple[str, str, str]]:
    with world.database.read() as db:
        rows = db.execute("SELECT channel, chat_id, text FROM outbox ORDER BY id").fetchall()
    return [tuple(row) for row in rows]


def test_a_reminder_is_said_at_its_time_and_once(world: World, clock: FrozenClock) -> None:
    remind(world, "call Anika", START + timedelta(hours=1))
    assert not reminders.speak_due(world).did
    clock.pass_(minutes=60)
    assert reminders.speak_due(world).did
    assert not reminders.speak_due(world).did
    assert sent(world) == [("console", "console", "⏰ call Anika")]


def test_a_late_reminder_says_how_late_it_is(world: World, clock: FrozenClock) -> None:
    remind(world, "water the plants", START + timedelta(hours=1))
    clock.pass_(hours=7)
    reminders.speak_due(world)
    ((_, _, text),) = sent(world)
    assert "today at 16:00" in text and "6 hours ago" in text


def test_a_recurring_reminder_comes_again_at_the_same_hour_across_the_clock_change(
    world: World, clock: FrozenClock
) -> None:
    task = remind(world, "pills", parse("2026-03-28T08:00+00:00"), recurrence="FREQ=DAILY")
    clock.at = parse("2026-03-28T08:00:05+00:00")
    reminders.speak_due(world)
    with world.database.read() as db:
        again = tasks.get(db, task)
    assert again is not None and again.due_at == parse("2026-03-29T07:00+00:00")  # 08:00 in Lisbon, now UTC+1
    clock.at = parse("2026-04-02T12:00+00:00")
    reminders.speak_due(world)
    assert len(sent(world)) == 2  # missed days are not made up for one by one


def test_a_reminder_goes_to_telegram_when_the_owner_is_there(world: World, clock: FrozenClock) -> None:
    with world.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now)
    remind(world, "call Anika", START)
    reminders.speak_due(world)
    assert sent(world) == [("telegram", "7", "⏰ call Anika")]


def test_a_rule_that_does_not_come_true_for_years_keeps_no_other_reminder_back(
    world: World, clock: FrozenClock
) -> None:
    remind(world, "look at the comet", START, recurrence="FREQ=YEARLY;INTERVAL=75")
    remind(world, "call Anika", START)
    clock.pass_(minutes=1)
    assert reminders.speak_due(world).data["said"] == ["look at the comet", "call Anika"]
    assert not reminders.speak_due(world).did


async def test_a_reminder_does_not_wait_for_a_model_that_thinks_long(
    world: World, model: Script, human: Human, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "REMINDER_SECONDS", 0.02)
    thinking = asyncio.Event()

    async def until_it_was_said() -> None:
        clock.pass_(minutes=1)
        while not any("call Anika" in text for _, _, text in sent(world)):
            await asyncio.sleep(0.01)
        thinking.set()

    model.pause = until_it_was_said
    remind(world, "call Anika", START + timedelta(seconds=30))
    human.writes("what do you make of the tides?")
    stop = asyncio.Event()
    running = asyncio.create_task(human.worker.run(stop))
    await asyncio.wait_for(thinking.wait(), 20)
    stop.set()
    await asyncio.wait_for(running, 20)
    assert len([text for _, _, text in sent(world) if "call Anika" in text]) == 1
