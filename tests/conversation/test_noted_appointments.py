"""What is noted for a day is kept with it, found by "when", and a reminder of it is offered with a tap."""

from __future__ import annotations

import random

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.messages.store import outbox
from furoshiki.owner.agenda.store import tasks
from furoshiki.world import World
from tests.support.world import Human, Script

NOTED = [
    ("note: dentist thursday 9", "when is the dentist?"),
    ("note to self: dentist on thursday at 9am", "when is the dentist?"),
    ("dentist thursday at 9", "when is the dentist?"),
    ("notier dir: zahnarzt donnerstag 9 uhr", "wann ist der zahnarzt?"),
    ("merk dir zahnarzt am donnerstag um 9", "wann ist der zahnarzt?"),
    ("zahnarzt donnerstag um 9", "wann ist der zahnarzt?"),
    ("anota: dentista jueves a las 9", "cuándo es el dentista?"),
    ("apunta dentista el jueves a las 9", "cuándo es el dentista?"),
    ("note: dentiste jeudi 9h", "c'est quand le dentiste ?"),
    ("dentiste jeudi à 9h", "c'est quand le dentiste ?"),
    ("annota: dentista giovedì alle 9", "quando è il dentista?"),
    ("segna dentista giovedì ore 9", "quando è il dentista?"),
    ("anota aí: dentista quinta 9h", "quando é o dentista?"),
    ("anota dentista quinta às 9", "quando é o dentista?"),
    ("запиши: стоматолог в четверг в 9", "когда стоматолог?"),
    ("запомни, стоматолог в четверг в 9", "когда стоматолог?"),
    ("not al: dişçi perşembe 9'da", "dişçi ne zaman?"),
    ("dişçi perşembe saat 9", "dişçi ne zaman?"),
    ("记一下：周四九点看牙医", "什么时候看牙医？"),
    ("帮我记一下，周四上午九点看牙医", "什么时候看牙医？"),
]

NOT_NOTED = [
    "we met on thursday at 9",
    "note that i hate mondays",
    "i slept until 9 on thursday",
    "woke up at 5",
    "ich war donnerstag um 9 beim zahnarzt",
    "regen um 5",
    "erinnere mich donnerstag um 9 an den zahnarzt",
    "anota leche en la lista de la compra",
    "estoy cansado desde el jueves a las 9",
    "j'ai noté que tu dors jeudi à 9h",
    "lavoro giovedì alle 9 e non voglio",
    "eu acordei às 5",
    "в четверг в 9 я спал",
    "perşembe 9'da uyuyordum",
    "我周四九点在睡觉",
    "dentist thursday at 9?",
    "we got 2 grandkids, emma 6 and jack 3",
    "i have two sons, tim 6 and ben 4",
]


@pytest.fixture(autouse=True)
def reflex(model: Script) -> None:
    """The built-in mind answers everything."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 60


def buttons(world: World, human: Human, row: int) -> list[str]:
    """What the buttons below an answer send."""
    with world.database.read() as db:
        shown = [one.extra.get("buttons", ()) for one in outbox.of_turn(db, f"inbox:{row}")]
    return [button["data"] for rows in shown for row_ in rows for button in row_]


@pytest.mark.parametrize(("noted", "asked"), NOTED)
async def test_an_appointment_is_kept_with_its_hour_and_a_tap_reminds_an_hour_before(
    world: World, human: Human, noted: str, asked: str
) -> None:
    row = human.writes(noted)
    await human.waits()
    [answer] = [one.text for one in human.answers(row)]
    assert ("26" in answer, "09:00" in answer) == (True, True), answer
    [yes, no] = buttons(world, human, row)
    assert (yes[:7], no[:6]) == ("do.yes:", "do.no:")
    with world.database.read() as db:
        assert tasks.in_list(db, tasks.REMINDERS) == []
    await human.says("", kind="callback", data=yes)
    with world.database.read() as db:
        [task] = tasks.in_list(db, tasks.REMINDERS)
    assert task.due_at is not None
    assert (task.due_at.isoformat()[:16], "(09:00)" in task.title) == ("2026-03-26T08:00", True)
    [found] = await human.says(asked)
    assert noted in found
    assert "26" in found
    assert "09:00" in found


@pytest.mark.parametrize("said", NOT_NOTED)
async def test_what_is_told_or_asked_for_otherwise_is_no_note(world: World, human: Human, said: str) -> None:
    row = human.writes(said)
    await human.waits()
    assert not [data for data in buttons(world, human, row) if data.startswith("do.")]


async def test_a_typed_no_leaves_it_a_note(world: World, human: Human) -> None:
    await human.says("note: school concert friday")
    await human.says("no")
    with world.database.read() as db:
        assert tasks.in_list(db, tasks.REMINDERS) == []
    [found] = await human.says("when is the school concert?")
    assert "27 March" in found


CORRECTED = [
    ("dentist on friday at 3pm", "no wait 4pm", "27 15:00"),
    ("dentist on friday at 3pm", "no, thursday", "26 14:00"),
    ("zahnarzt freitag um 15 uhr", "quatsch 16 uhr", "27 15:00"),
    ("zahnarzt freitag um 15 uhr", "nein, donnerstag", "26 14:00"),
    ("dentista viernes a las 15:00", "no, a las 16:00", "27 15:00"),
    ("dentiste vendredi à 15h", "non pardon jeudi", "26 14:00"),
    ("dentista venerdì alle 15", "no scusa alle 16", "27 15:00"),
    ("dentista sexta às 15h", "não, quinta", "26 14:00"),
    ("стоматолог в пятницу в 15:00", "ой в четверг", "26 14:00"),
    ("dişçi cuma saat 15", "perşembe olsun", "26 14:00"),
]


def waiting(world: World) -> list[str]:
    with world.database.read() as db:
        return [f"{one.due_at:%d %H:%M}" for one in tasks.in_list(db, tasks.REMINDERS) if one.due_at is not None]


@pytest.mark.parametrize(("noted", "corrected", "due"), CORRECTED)
async def test_an_offered_reminder_has_the_corrected_time(
    world: World, human: Human, noted: str, corrected: str, due: str
) -> None:
    row = human.writes(noted)
    await human.waits()
    [early, _] = buttons(world, human, row)
    row = human.writes(corrected)
    await human.waits()
    [late, _] = buttons(world, human, row)
    await human.says("", kind="callback", data=early)
    assert waiting(world) == []  # the first offer no longer holds
    await human.says("", kind="callback", data=late)
    assert waiting(world) == [due]


@pytest.mark.parametrize(("noted", "corrected", "due"), CORRECTED)
async def test_an_accepted_reminder_follows_the_correction(
    world: World, human: Human, noted: str, corrected: str, due: str
) -> None:
    row = human.writes(noted)
    await human.waits()
    await human.says("", kind="callback", data=buttons(world, human, row)[0])
    await human.says(corrected)
    assert waiting(world) == [due]


async def test_a_named_reminder_is_moved_itself(world: World, human: Human) -> None:
    await human.says("dentist on friday at 3pm")
    await human.says("remind me to call mum on friday at 5pm")
    await human.says("no wait 6pm")
    assert waiting(world) == ["27 18:00"]


STATED = [
    ("I have an appointment with the eye doctor on Thursday at half past ten.", "26 09:30"),
    ("i got a chem midterm on friday 9am", "27 08:00"),
    ("we're flying to Rome on friday at 7am", "27 06:00"),
    ("my landlord is coming tomorrow at 5pm", "25 16:00"),
    ("swimming every wednesday at 5pm", "25 17:00"),
    ("Pick up Ella from ballet every Wednesday 17:30", "25 17:30"),
]


@pytest.mark.parametrize(("stated", "due"), STATED)
async def test_a_plan_at_an_hour_is_offered_too(world: World, human: Human, stated: str, due: str) -> None:
    row = human.writes(stated)
    await human.waits()
    await human.says("", kind="callback", data=buttons(world, human, row)[0])
    assert waiting(world) == [due]


async def test_a_stated_plan_follows_its_correction(world: World, human: Human) -> None:
    row = human.writes("I have an appointment with the eye doctor on Thursday at half past ten.")
    await human.waits()
    await human.says("", kind="callback", data=buttons(world, human, row)[0])
    await human.says("no wait, friday")
    assert waiting(world) == ["27 09:30"]


@pytest.mark.parametrize(
    "said",
    ["boss dumped another project on me at 5pm", "we met tom on thursday at 9", "the shop closes on friday at 6pm"],
)
async def test_what_only_happens_at_an_hour_is_not_offered(world: World, human: Human, said: str) -> None:
    from dataclasses import replace

    from bench.moves import Encoders

    human.worker.world = replace(world, vectors=Encoders())
    row = human.writes(said)
    await human.waits()
    assert not [data for data in buttons(world, human, row) if data.startswith("do.")]


ORDERED = [
    ("dentist thursday at 9", "move the dentist to friday"),
    ("dentist thursday at 9", "changed to friday"),
    ("zahnarzt donnerstag um 9", "verschieb den Zahnarzt auf Freitag"),
    ("dentista el jueves a las 9", "mueve el dentista al viernes"),
    ("dentiste jeudi à 9h", "décale le dentiste à vendredi"),
    ("dentista giovedì alle 9", "sposta il dentista a venerdì"),
    ("dentista quinta às 9", "muda o dentista para sexta"),
    ("в четверг в 9 к стоматологу", "перенеси стоматолога на пятницу"),
    ("dişçi perşembe saat 9", "dişçiyi cumaya al"),
    ("周四上午九点看牙医", "把牙医改到星期五"),
]


@pytest.mark.parametrize(("noted", "order"), ORDERED)
async def test_an_order_moves_what_was_noted_and_has_no_reminder_yet(human: Human, noted: str, order: str) -> None:
    for said in (noted, order):
        row = human.writes(said)
        await human.waits()
    [answer] = [one.text for one in human.answers(row)]
    assert "27" in answer and "09:00" in answer and order.split()[0] not in answer, answer


async def test_an_hour_alone_moves_what_was_noted_last_and_not_a_reminder_of_before(world: World, human: Human) -> None:
    for said in ("wake me at 6:30 tomorrow", "vet on thursday at 3", "move it to 4"):
        row = human.writes(said)
        await human.waits()
    [answer] = [one.text for one in human.answers(row)]
    assert "vet" in answer and "16:00" in answer, answer
    with world.database.read() as db:
        assert [f"{one.due_at:%H:%M}" for one in tasks.in_list(db, tasks.REMINDERS) if one.due_at] == ["06:30"]


async def test_an_order_that_names_a_place_moves_no_appointment(human: Human) -> None:
    for said in ("dentist thursday at 9", "move the car to the garage"):
        row = human.writes(said)
        await human.waits()
    [answer] = [one.text for one in human.answers(row)]
    assert "09:00" not in answer, answer
