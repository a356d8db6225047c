"""Without a model terse notes are kept with their day, offered as a reminder, and answer the question for it later."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bench.moves import Encoders
from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.messages.store import outbox
from furoshiki.world import World
from tests.support.world import FrozenClock, Human, Script


@pytest.fixture(autouse=True)
def reflex(world: World, human: Human, model: Script) -> None:
    """The built-in mind answers everything, and reads what messages mean."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 90
    human.worker.world = replace(world, vectors=Encoders())


def offers(world: World, row: int) -> bool:
    with world.database.read() as db:
        shown = [one.extra.get("buttons", ()) for one in outbox.of_turn(db, f"inbox:{row}")]
    return "do.yes" in str(shown)


JOTTED = [
    ("physics mock fri 9am", "physics mock, on Friday, 27 March, at 09:00"),
    ("boiler man thurs 8-12", "boiler man, on Thursday, 26 March, at 08:00"),
    ("bins thurs, recycling every other week", "bins, on Thursday, 26 March"),
    ("cs coursework due 2 april", "cs coursework, on Thursday, 2 April"),
    ("bus pass runs out 31st", "bus pass runs out, on Tuesday, 31 March"),
    ("Mrs Cole thurs 8am, 14 Elm Rd", "Mrs Cole, 14 Elm Rd, on Thursday, 26 March, at 08:00"),
    ("cataract op 5 may, St Marys, nil by mouth from midnight", "cataract op, on Tuesday, 5 May"),
    ("wife's birthday sat. need flowers", "wife's birthday, on Saturday, 28 March"),
    ("detention thurs 3.30", "detention, on Thursday, 26 March, at 15:30"),
    ("mum - 9pm hospital", "mum hospital, on Tuesday, 24 March, at 21:00"),
    ("payday is the 27th", "payday, on Friday, 27 March"),
]
TOLD = """
finally friday|roll on saturday|dreading monday|great gig saturday|lovely walk sunday with the dog|hate sundays
saw mum friday|rained all sunday|worked till 8 friday|party saturday was mad|sick since monday|not going friday
slept till 10|went to bed at 3am|home by 6 thank god|quiet in the house tonight|long day today|big day tomorrow
boss dumped another project on me at 5pm|72f in celsius|statin at night
"""


async def test_a_note_is_kept_with_its_day_and_offered(world: World, human: Human) -> None:
    await human.says("hello, I'm Joe")
    wrong = {}
    for said, kept in JOTTED:
        row = human.writes(said)
        await human.waits()
        [answer] = [one.text for one in human.answers(row)]
        if not answer.startswith(f"Kept: {kept}. Shall I remind you") or not offers(world, row):
            wrong[said] = answer
    assert not wrong


async def test_what_is_told_or_felt_is_offered_nothing(world: World, human: Human) -> None:
    await human.says("hello, I'm Joe")
    wrong = []
    for said in TOLD.strip().replace("\n", "|").split("|"):
        row = human.writes(said)
        await human.waits()
        if offers(world, row):
            wrong.append(said)
    assert not wrong


async def test_the_question_is_answered_from_what_was_told_last(human: Human, clock: FrozenClock) -> None:
    for said in ("boiler man thurs 8-12", "Mrs Cole thurs 8am", "dentist friday 2pm", "boiler man moved to friday"):
        await human.says(said)
    [answer] = await human.says("when's he coming?")
    assert answer.startswith("It's now on Friday, 27 March, at 08:00: boiler man. You told me today: “boiler man moved")
    await human.says("cole cancelled. moved to mon")
    clock.pass_(minutes=700)
    [answer] = await human.says("when is mrs cole?")
    assert answer.startswith("It's now on Monday, 30 March, at 08:00: Mrs Cole.")
    [answer] = await human.says("when's the dentist?")
    assert "dentist friday 2pm" in answer
    await human.says("dentist cancelled")
    answer = "".join(await human.says("what's on friday?"))
    assert ("Boiler man" in answer, "entist" in answer, "Cole" in answer) == (True, False, False), answer


async def test_a_corrected_hour_counts(human: Human) -> None:
    await human.says("theory test 9 may 10.15")
    [answer] = await human.says("actually its 11.30")
    assert "on Saturday, 9 May, at 11:30" in answer
    [answer] = await human.says("when is it?")
    assert answer.startswith("It's now on Saturday, 9 May, at 11:30: theory test.")


async def test_a_day_shows_what_was_only_told(human: Human) -> None:
    await human.says("swim gala friday 10am")
    await human.says("bins friday")
    answer = "".join(await human.says("who am i seeing friday?"))
    assert "Swim gala: on Friday, 27 March, at 10:00" in answer
    assert "Bins: on Friday, 27 March" in answer
    assert "gala" not in "".join(await human.says("what are my reminders?"))


MEASURES = [
    "bp 141/82",
    "window cleaner 12 quid, paid",
    "greenhouse 31 degrees at noon",
    "leo 39.2 fever",
    "paid the gas. 84",
]


@pytest.mark.parametrize("said", MEASURES)
async def test_an_amount_is_kept_and_found(human: Human, said: str) -> None:
    await human.says("hello, I'm Joe")
    [answer] = await human.says(said)
    assert "ept" in answer, answer
    assert "?" not in answer
    [found] = await human.says(f"what was the {said.split()[0]}?")
    assert said in found or said.startswith("paid"), found


async def test_things_that_are_only_named_are_offered_for_the_list(human: Human) -> None:
    assert (
        "milk, bread, calpol and nappies on the shopping list?" in (await human.says("milk, bread, calpol, nappies"))[0]
    )
    assert "screws and 18mm ply on the shopping list?" in (await human.says("need: screws, 18mm ply"))[0]
    assert "list?" not in (await human.says("maths, physics and comp sci"))[0]


async def test_being_tired_is_answered(human: Human) -> None:
    await human.says("hello, I'm Joe")
    [answer] = await human.says("exhausted")
    assert "Rest as well" in answer or "let things be" in answer
    assert "ept" not in (await human.says("bored out of my mind"))[0]
