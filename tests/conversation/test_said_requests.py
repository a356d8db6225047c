"""Reminders and lists as people say them, with the built-in mind, through the whole turn and the real database.

The table stands beside this file: what is said (" / " between messages, "+11m" lets minutes pass, and what is due is
said), what is kept afterwards ("title @ local time rule", "list: item", "-" for nothing), and words of the last answer.
It begins on Tuesday 24 March 2026 at 15:00 in Lisbon, where summer time begins on Sunday; a message takes a minute.
"""

from __future__ import annotations

import csv
import random
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from furoshiki.agenda.store import tasks
from furoshiki.agenda.store.tasks import Task
from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.outreach import reminders
from furoshiki.world import World
from tests.support.world import START, FrozenClock, Human, Script

TABLE = Path(__file__).with_name("said_requests.tsv")
ROWS = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
LISBON = ZoneInfo("Europe/Lisbon")
PARTS = 4
"""Tests that the table is divided into: to make a world for each row would take as long as what is said in it."""


@pytest.fixture(autouse=True)
def reflex(model: Script) -> None:
    """The built-in mind answers everything."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 20 * len(ROWS)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
async def test_what_is_said_is_done_and_kept(part: int, world: World, human: Human, clock: FrozenClock) -> None:
    wrong = {}
    for number, row in enumerate(ROWS[part::PARTS]):
        begin_anew(number, world, human, clock)
        answer = " ".join((await spoken(row["said"], world, human, clock)).split())
        if kept(world) != row["kept"] or row["says"] not in answer:
            wrong[row["said"]] = f"kept {kept(world)}, said {answer}"
    assert not wrong


def test_the_table_is_large_enough_and_names_nothing_twice() -> None:
    assert len(ROWS) >= 150
    assert len({row["said"] for row in ROWS}) == len(ROWS)


async def test_reminders_that_were_asked_for_in_one_breath_ring_once_each(
    world: World, human: Human, clock: FrozenClock
) -> None:
    await human.says("remind me in 5 minutes and in 10 minutes to turn the steak")
    rung = []
    for _ in range(12):
        clock.pass_(minutes=1)
        rung += [(clock.now().minute, title) for title in reminders.speak_due(world).data["said"]]
    assert rung == [(5, "turn the steak"), (10, "turn the steak")]


async def test_a_rhythm_keeps_its_hours_when_the_clocks_change(world: World, human: Human, clock: FrozenClock) -> None:
    await human.says("remind me every day at 9 and at 5 to take my pills")
    rung = []
    for _ in range(6 * 24):
        clock.pass_(hours=1)
        rung += [clock.now().astimezone(LISBON).strftime("%a %H") for _ in reminders.speak_due(world).data["said"]]
    days = ("Wed", "Thu", "Fri", "Sat", "Sun", "Mon")
    assert rung == [f"{day} {hour}" for day in days for hour in ("09", "17")][: len(rung)]
    assert len(rung) >= 11


def begin_anew(number: int, world: World, human: Human, clock: FrozenClock) -> None:
    """A chat in which nothing has been said, at the first hour, with nothing waiting or listed."""
    clock.at, human.chat_id = START, str(100 + number)
    with world.database.write() as db:
        db.execute("DELETE FROM tasks")
        db.execute("DELETE FROM skill_runs")


async def spoken(said: str, world: World, human: Human, clock: FrozenClock) -> str:
    """The last answer to what is said, one message after the other."""
    answer: list[str] = []
    for message in said.split(" / "):
        if message.startswith("+"):
            clock.pass_(minutes=int(message.strip("+m")))
            assert reminders.speak_due(world).did
        else:
            answer = await human.says(message)
            clock.pass_(minutes=1)
    return " ".join(answer)


def kept(world: World) -> str:
    """What waits to be said and stands on lists, in the order in which it was first asked for."""
    with world.database.read() as db:
        rows = db.execute("SELECT id FROM tasks WHERE state!='cancelled' ORDER BY id").fetchall()
        found = [task for row in rows if (task := tasks.get(db, row["id"])) is not None]
    return "; ".join(shown for task in found if (shown := _shown(task))) or "-"


def _shown(task: Task) -> str:
    if task.list_id != tasks.REMINDERS:
        return f"{task.list_id}: {task.title}{' (done)' if task.state == 'done' else ''}"
    if task.state == "done" or task.due_at is None:
        return ""
    due = task.due_at.astimezone(LISBON)
    seconds = due.strftime(":%S") if due.second else ""
    return f"{task.title} @ {due.strftime('%Y-%m-%dT%H:%M')}{seconds}{f' {task.recurrence}' if task.recurrence else ''}"
