"""An appointment that is told to have moved takes its reminder along, in nine languages; other moves are left alone."""

from __future__ import annotations

import random

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.language.requests.changed_plans import find_moved
from furoshiki.owner.agenda.store import tasks
from furoshiki.world import World
from tests.support.world import Human, Script

MOVED = """
en the doctor changed my appointment to Friday: appointment > Friday
en The clinic telephoned. They have moved it to Friday at two o'clock.: > Friday at two o'clock
en Mandatory training moved from 2pm to 3:30 on Tuesday: Mandatory training > 3:30 on Tuesday
en dance class moved to Thursdays: dance class > Thursdays
en moving footy to weds: footy > weds
en they pushed the meeting back to 4: meeting > 4
de der Arzt hat meinen Termin auf Freitag verschoben: Termin > auf Freitag
de der Termin wurde auf Freitag 14 Uhr verlegt: Termin > auf Freitag 14 Uhr
es me han cambiado la cita al viernes: cita > al viernes
fr le médecin a déplacé mon rendez-vous à vendredi: rendez-vous > à vendredi
it il medico ha spostato l'appuntamento a venerdì: appuntamento > a venerdì
pt a consulta foi remarcada para sexta: consulta > para sexta
ru врач перенёс приём на пятницу: приём > на пятницу
tr toplantı cumaya ertelendi: toplantı > cuma
zh 医生把我的预约改到周五: 预约 > 周五
de wurde auf Donnerstag verschoben: > auf Donnerstag
es ya no va a ser mañana, la pasaron al jueves: > al jueves
fr c'est repoussé à jeudi: > jeudi
it l'hanno spostata a giovedì: > a giovedì
pt mudaram pra quinta: > pra quinta
ru перенесли на четверг: > на четверг
tr perşembeye alındı: > perşembe
zh 推到周四了: > 周四
"""
NOT_MOVED = """
en could you move it to friday?|en i moved the sofa|en it moved me|en we are moving house|en the doctor called
de wir sind umgezogen|es me han llamado|fr le train est arrivé|ru я переехала|zh 我搬家了
"""


@pytest.mark.parametrize("row", MOVED.strip().splitlines())
def test_a_new_time_is_found(row: str) -> None:
    said, found = row[3:].rsplit(": ", 1)
    what, to = (part.strip() for part in f" {found}".split(" > "))
    assert find_moved(said, row[:2]) == (what, to)


@pytest.mark.parametrize("row", NOT_MOVED.strip().replace("\n", "|").split("|"))
def test_no_other_move_is_one(row: str) -> None:
    assert find_moved(row[3:], row[:2]) is None


EYES = "I have an appointment at the eye clinic on Thursday at half past ten."


@pytest.mark.parametrize(
    ("said", "due"),
    [
        ([EYES, "remind me the evening before", "They have moved it to Friday at two."], "03-26 19:00"),
        (["Dentist 11th Dec 8:40", "yes please", "the dentist moved to the 14th"], "12-14 07:40"),
        (["dance class on wednesdays at 15:30", "yes please", "dance class moved to Thursdays"], "03-26 15:30"),
        (["Zahnarzt am 11. Dezember um 8:40", "ja", "der Zahnarzt wurde auf Freitag verschoben"], "03-27 07:40"),
        (["remind me of the vet on friday at 9", "my sister moved to Porto"], "03-27 09:00"),
    ],
)
async def test_the_reminder_goes_along(world: World, human: Human, model: Script, said: list[str], due: str) -> None:
    mind = ReflexMind(random.Random(1))
    model.lines = [lambda question: mind(question, why="no-model")] * 9
    for text in said:
        await human.says(text)
    with world.database.read() as db:
        [one] = tasks.in_list(db, tasks.REMINDERS)
    assert one.due_at is not None
    assert f"{one.due_at:%m-%d %H:%M}" == due


async def test_an_appointment_is_offered_anew_in_place_of_the_old_day(
    world: World, human: Human, model: Script
) -> None:
    mind = ReflexMind(random.Random(1))
    model.lines = [lambda question: mind(question, why="no-model")] * 9
    await human.says("new job starts on the 5th of January")
    assert "6 January 2027" in (await human.says("no, the 6th"))[0]
    assert "27 March, at 15:30" in (await human.says("Mandatory training moved from 2pm to 3:30 on Friday"))[0]
