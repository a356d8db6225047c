"""The owner's time zone changes: what comes again goes along, everything else keeps its moment."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from furoshiki.conversation.commands.choices import person
from furoshiki.core.timestamps import parse
from furoshiki.mind.outreach import reminders
from furoshiki.owner.agenda import travel
from furoshiki.owner.agenda.store import tasks
from furoshiki.world import World
from tests.support.world import START, FrozenClock, Human

DB = sqlite3.Connection
LISBON, TOKYO, NEW_YORK = (ZoneInfo(name) for name in ("Europe/Lisbon", "Asia/Tokyo", "America/New_York"))
NOW = parse("2026-03-24T12:00Z")


def daily(db: DB, due: str, rule: str = "FREQ=DAILY", zone: str = "Europe/Lisbon") -> int:
    return tasks.add(db, tasks.REMINDERS, "pills", NOW, due_at=parse(due), due_zone=zone, recurrence=rule)


def due(db: DB, number: int, zone: ZoneInfo) -> str:
    task = tasks.get(db, number)
    assert task is not None and task.due_at is not None
    return task.due_at.astimezone(zone).strftime("%m-%d %H:%M")


@pytest.mark.parametrize("there", [TOKYO, NEW_YORK])
def test_nine_is_nine_there_on_the_day_that_was_next(db: DB, there: ZoneInfo) -> None:
    pills = daily(db, "2026-03-25T09:00Z")
    assert [task.id for task in travel.follow(db, LISBON, there, NOW)] == [pills]
    assert due(db, pills, there) == "03-25 09:00"


def test_where_that_time_has_gone_by_it_comes_the_next_day(db: DB) -> None:
    pills = daily(db, "2026-03-24T18:00Z")
    travel.follow(db, LISBON, TOKYO, NOW)  # it is 21:00 in Tokyo
    assert due(db, pills, TOKYO) == "03-25 18:00"


def test_a_single_one_and_one_of_other_clocks_keep_their_moment(db: DB) -> None:
    call = tasks.add(db, tasks.REMINDERS, "call", NOW, due_at=NOW + timedelta(hours=5), due_zone="Europe/Lisbon")
    standup = daily(db, "2026-03-25T13:00Z", zone="America/New_York")
    water = daily(db, "2026-03-24T13:00Z", "FREQ=HOURLY")
    assert travel.follow(db, LISBON, TOKYO, NOW) == []
    assert due(db, call, LISBON) == "03-24 17:00"
    assert due(db, standup, NEW_YORK) == "03-25 09:00"
    assert due(db, water, LISBON) == "03-24 13:00"


def test_there_and_back_again_nothing_has_changed(db: DB) -> None:
    pills = daily(db, "2026-03-25T09:00Z", "FREQ=DAILY;COUNT=5")
    before = tasks.get(db, pills)
    travel.follow(db, LISBON, TOKYO, NOW)
    travel.follow(db, TOKYO, LISBON, NOW)
    after = tasks.get(db, pills)
    assert before is not None and after is not None
    assert (after.due_at, after.first_due, after.due_zone) == (before.due_at, before.first_due, before.due_zone)


async def test_the_button_that_sets_the_zone_takes_them_along(world: World, human: Human, clock: FrozenClock) -> None:
    clock.at = START
    with world.database.write() as db:
        pills = daily(db, "2026-03-25T09:00Z")
    words = await person.press_zone(world, "set", "Asia/Tokyo", None)  # type: ignore[arg-type]
    assert words is not None and "Anything that repeats follows that clock, too: pills." in words.text
    rung: list[datetime] = []
    for _ in range(72):
        clock.pass_(hours=1)
        rung += [clock.now() for _ in reminders.speak_due(world).data["said"]]
    assert [at.astimezone(TOKYO).strftime("%d %H") for at in rung] == ["25 09", "26 09", "27 09"]
    with world.database.read() as db:
        assert due(db, pills, TOKYO) == "03-28 09:00"
