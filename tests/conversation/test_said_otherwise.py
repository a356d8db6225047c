"""Reminders as people word them: politely, for two, with the time first, of what was just told."""

from __future__ import annotations

import random

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.owner.agenda.store import tasks
from furoshiki.world import World
from tests.support.world import Human, Script

TABLET = "I take a tablet for my blood pressure every morning at eight o'clock. Could you remind me, please?"


def reflexive(model: Script) -> None:
    mind = ReflexMind(random.Random(1))
    model.lines = [lambda question: mind(question, why="no-model")] * 9


@pytest.mark.parametrize(
    ("said", "title", "due"),
    [
        ([TABLET], "take a tablet for my blood pressure", "03-25 08:00"),
        (["Kindly remind me to take the bins out on Tuesday evenings."], "take the bins out", "03-24 19:00"),
        (["dance class is Wednesdays at 15:30", "remind me of that as well"], "dance class", "03-25 15:30"),
        (["remind Julia and me to pick up the costume on Friday at 5pm"], "pick up the costume", "03-27 17:00"),
        (["remind me every school day at 7:20 to pack lunches"], "pack lunches", "03-25 07:20"),
        (["every last Friday of the month: pay the cleaner"], "pay the cleaner", "03-27 09:00"),
        (["in 20 minutes: oven"], "oven", "03-24 15:20"),
        (["remind me abt footy every tues n thurs at 17:30"], "footy", "03-24 17:30"),
        (["wake me at 630 tomorrow"], "time to wake up", "03-25 06:30"),
        (["remind me to call mum at six", "sleep 4 hours, coffee 5"], "call mum", "03-24 18:00"),
    ],
)
async def test_a_reminder_is_set(
    world: World, human: Human, model: Script, said: list[str], title: str, due: str
) -> None:
    reflexive(model)
    for text in said:
        await human.says(text)
    with world.database.read() as db:
        [one] = tasks.in_list(db, tasks.REMINDERS)
    assert one.due_at is not None
    assert (one.title, f"{one.due_at:%m-%d %H:%M}") == (title, due)


@pytest.mark.parametrize(
    "said",
    ["every cloud: a silver lining", "she reminds me of my mum", "remind me", "thanks for reminding Anna and me"],
)
async def test_none_is(world: World, human: Human, model: Script, said: str) -> None:
    reflexive(model)
    await human.says("hi, i'm Pat")
    await human.says(said)
    with world.database.read() as db:
        assert tasks.in_list(db, tasks.REMINDERS) == []


async def test_what_is_told_of_people_is_put_right_by_the_next(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("my son Leo is 9")
    await human.says("Leo turned 10 today!")
    assert "10" in (await human.says("how old is Leo?"))[0]
    await human.says("My neighbour, Mrs Holroyd, has gone into hospital.")
    assert "Mrs Holroyd" in (await human.says("who is my neighbour?"))[0]


async def test_a_thing_done_is_known_by_its_own_words(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("to do: fix bike, call plumber, paint fence")
    await human.says("I called the plumber")
    await human.says("fix bike")
    await human.says("the fence is green")
    with world.database.read() as db:
        assert [one.title for one in tasks.in_list(db, "todo")] == ["fix bike", "paint fence"]


async def test_a_last_day_is_a_plan(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("hi, i'm Pat")
    assert "last day" in (await human.says("Friday is my last day"))[0]


async def test_a_link_or_a_pasted_letter_is_no_silence_to_greet(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("hi, i'm Pat")
    for said in ("https://www.example.com/best", '"Dear Pat, your appointment on 2 December is cancelled. Dr Patel"'):
        assert "Kept" in (answer := (await human.says(said))[0]) or "kept" in answer


async def test_a_measure_is_admitted_and_more_goes_on_the_list(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("hi, i'm Pat")
    assert "kept" not in (await human.says("72f in celsius"))[0].lower()
    await human.says("nappies and milk on the shopping list")
    await human.says("put sunscreen on it too")
    await human.says("- torch")
    await human.says("put it on my packing list")
    with world.database.read() as db:
        assert [one.title for one in tasks.in_list(db, "shopping")] == ["nappies", "milk", "sunscreen"]
        assert [one.title for one in tasks.in_list(db, "packing")] == ["torch"]
