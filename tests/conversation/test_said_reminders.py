"""A reminder said in plain words, through the whole turn with the built-in mind, down to the row that is due."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.language.dates.parsing import FURTHEST
from furoshiki.messages.store import accounts
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.agenda.store.tasks import Task
from furoshiki.world import World
from tests.support.world import START, Human, Script


@pytest.fixture
def reflex(model: Script) -> None:
    """The built-in mind answers everything."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 60


def waiting(world: World) -> list[Task]:
    with world.database.read() as db:
        return tasks.in_list(db, tasks.REMINDERS)


# said on Tuesday 24 March 2026 at 15:00 in Lisbon, where summer time begins on Sunday
WRONG_BEFORE = {
    "remind me 12/24 at 6pm to call Anika": "2026-12-24T18:00",
    "remind me on 24.12. at 18:00 to call Anika": "2026-12-24T18:00",
    "remind me on the last day of the month at 9 to call Anika": "2026-03-31T08:00",
    "remind me a week from Tuesday to call Anika": "2026-03-31T08:00",
    "remind me next year on march 3 to call Anika": "2027-03-03T09:00",
}


@pytest.mark.usefixtures("reflex")
@pytest.mark.parametrize("said", WRONG_BEFORE)
async def test_a_reminder_is_booked_for_the_day_that_was_said(said: str, world: World, human: Human) -> None:
    await human.says(said)
    [task] = waiting(world)
    assert task.due_at == datetime.fromisoformat(WRONG_BEFORE[said]).replace(tzinfo=UTC)
    assert task.title == "call Anika"


@pytest.mark.usefixtures("reflex")
async def test_what_is_not_understood_is_asked_about_and_then_booked_once(world: World, human: Human) -> None:
    await human.says("my name is Ines")
    [asked] = await human.says("remind me 12/24ish to call Anika")
    assert "12/24ish" in asked and "When should I remind you to call Anika?" in asked
    assert waiting(world) == []
    [again] = await human.says("around christmas-ish")
    assert "When should I remind you to call Anika?" in again
    assert waiting(world) == []
    [booked] = await human.says("on 24 December at 6pm")
    assert "24 December" in booked
    [task] = waiting(world)
    assert (task.title, task.due_at) == ("call Anika", datetime(2026, 12, 24, 18, tzinfo=UTC))


@pytest.mark.usefixtures("reflex")
@pytest.mark.parametrize(
    "said", ["in 99999999999 weeks", "in 99999999999999999999999 minutes", "in 9000 years", "on 30.02."]
)
async def test_a_time_that_cannot_be_costs_no_turn(said: str, world: World, human: Human) -> None:
    [answer] = await human.says(f"remind me {said} to call Anika")
    assert "When should I remind you to call Anika?" in answer
    assert waiting(world) == []
    [command] = await human.says(f"/remind {said} call Anika")
    assert "When exactly" in command
    assert waiting(world) == []


@pytest.mark.usefixtures("reflex")
@pytest.mark.parametrize(
    ("language", "said", "due", "title"),
    [
        ("de", "/remind morgen um 9 den Müll rausbringen", "2026-03-25T09:00", "den Müll rausbringen"),
        ("es", "/remind mañana a las 9 llamar a mamá", "2026-03-25T09:00", "llamar a mamá"),
        ("tr", "/remind yarın saat 9'da annemi ara", "2026-03-25T09:00", "annemi ara"),
        ("ru", "/remind завтра в 9 позвонить маме", "2026-03-25T09:00", "позвонить маме"),
        ("de", "/remind 3/4 um 9 zum Arzt", "2026-04-03T08:00", "zum Arzt"),
        ("en-US", "/remind 3/4 at 9am see the doctor", "2027-03-04T09:00", "see the doctor"),
    ],
)
async def test_a_reminder_in_the_owners_language(
    language: str, said: str, due: str, title: str, world: World, human: Human
) -> None:
    with world.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now, "Ines", language)
    await human.says(said)
    [task] = waiting(world)
    assert (task.due_at, task.title) == (datetime.fromisoformat(due).replace(tzinfo=UTC), title)


@pytest.mark.usefixtures("reflex")
async def test_03_04_is_asked_about_where_neither_language_nor_zone_tells(world: World, human: Human) -> None:
    [asked] = await human.says("remind me 03/04 at 9 to call Anika")
    assert "3 April" in asked and "4 March" in asked
    await human.says("3 April at 9am")
    [task] = waiting(world)
    assert task.due_at == datetime(2026, 4, 3, 8, tzinfo=UTC)
    assert task.due_at - START < FURTHEST
