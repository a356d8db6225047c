"""Reminders and lists as people say them, with the built-in mind, through the whole turn and the real database.

The table stands beside this file: what is said (" / " between messages, "+11m" lets minutes pass, and what is due is
said), what is kept afterwards ("title @ local time rule", "list: item", "-" for nothing), and words of the last answer.
It begins on Tuesday 24 March 2026 at 15:00 in Lisbon, where summer time begins on Sunday; a message takes a minute.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.mind.outreach import reminders
from furoshiki.world import World
from tests.support.extent import at_night
from tests.support.said import LISBON, begin_again, kept, rows_of, spoken
from tests.support.world import FrozenClock, Human, Script

TABLE = Path(__file__).with_name("said_requests.tsv")
ROWS = rows_of(TABLE)
PARTS = 4
"""Tests that the table is dealt out to, row by row: to make a world for each row would take as long as what is said in
it. Every second row is said each time, the others at night."""


@pytest.fixture(autouse=True)
def reflex(model: Script) -> None:
    """The built-in mind answers everything."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 20 * len(ROWS)


@pytest.mark.slow
@pytest.mark.parametrize("part", [0, 2, *at_night(1, 3)])
async def test_what_is_said_is_done_and_kept(part: int, world: World, human: Human, clock: FrozenClock) -> None:
    wrong = {}
    for number, row in enumerate(ROWS[part::PARTS]):
        begin_again(number, world, human, clock)
        answer = await spoken(row["said"], world, human, clock)
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
