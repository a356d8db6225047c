"""Without a model terse notes are kept with their day, offered as a reminder, and answer the question for it later."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bench.moves import Encoders
from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.messages.store import outbox
from furoshiki.owner.agenda.store import tasks
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
    ("wren has her jabs thurs 10.40", "wren has her jabs, on Thursday, 26 March, at 10:40"),
    ("gas engineer coming weds between 8 and 12", "gas engineer, on Wednesday, 25 March, at 08:00"),
    ("also the dentist on friday 9am", "dentist, on Friday, 27 March, at 09:00"),
    ("saturday 8pm at Dan's", "Dan's, on Saturday, 28 March, at 20:00"),
    ("at mum's sunday 1pm", "mum's, on Sunday, 29 March, at 13:00"),
    ("my physio mon 10", "physio, on Monday, 30 March, at 10:00"),
]
HOURS = [
    ("auch noch der zahnarzt freitag 9 uhr", "27. März, um 09:00"),
    ("freitag 7 abendessen bei oma", "27. März, um 19:00"),
    ("mittwoch 7 essen mit thomas", "25. März, um 19:00"),
    ("viernes 7 cena con abuela", "27 de marzo a las 19:00"),
    ("vendredi 7 diner chez mamie", "27 mars à 19:00"),
    ("mardi 9h dentiste", "31 mars à 09:00"),
    ("venerdi 7 cena da nonna", "27 marzo alle 19:00"),
    ("sexta 7 jantar na vó", "27 de março, às 19:00"),
    ("terça 9h dentista", "31 de março, às 09:00"),
    ("пятница 7 ужин у бабушки", "27 марта, в 19:00"),
    ("cuma 7 anneannemde yemek", "27 Mart Cuma, saat 19:00"),
    ("周五7点去奶奶家吃饭", "3月27日星期五19:00"),
]


@pytest.mark.parametrize(("said", "when"), HOURS)
async def test_a_number_behind_a_weekday_is_an_hour(human: Human, said: str, when: str) -> None:
    """“viernes 7 cena” was kept without its hour, “cuma 7 … yemek” at seven in the morning, and a Tuesday's “mardi 9h”,
    said on a Tuesday afternoon, for nine at night."""
    hello = {"à": "bonjour", "alle": "buongiorno", "às": "bom dia"}
    await human.says(next((hello[word] for word in when.split() if word in hello), "hi"))
    [answer] = await human.says(said)
    assert when in answer


TOLD = """
finally friday|roll on saturday|dreading monday|great gig saturday|lovely walk sunday with the dog|hate sundays
saw mum friday|rained all sunday|worked till 8 friday|party saturday was mad|sick since monday|not going friday
slept till 10|went to bed at 3am|home by 6 thank god|quiet in the house tonight|long day today|big day tomorrow
boss dumped another project on me at 5pm|72f in celsius|statin at night|dads at mine this weekend|mum visiting next week
he has no time on friday at 2|mum has been sick since friday 2pm|i have no time on friday at 2
the shop closes on friday at 6pm|the meeting starts friday 9am|the doctor said friday 9am|at least 5 people tomorrow
the worst day ever friday 9am|my shift is over at 6pm|jonas owes me 15|the baby woke at 3am
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


PILL = "remind me every morning at 8 to take a tablet of the blood pressure pill"


async def test_what_holds_from_now_on_stands_in_the_reminder(world: World, human: Human, clock: FrozenClock) -> None:
    await human.says(PILL)
    for said in (
        "from now on i get up earlier",
        "from now on no more blood pressure pill",
        "from now on my dad takes half a blood pressure pill",
    ):
        await human.says(said)
    with world.database.read() as db:
        assert [one.title for one in tasks.in_list(db, tasks.REMINDERS)] == ["take a tablet of the blood pressure pill"]
    clock.pass_(minutes=5)
    await human.says("saw the doctor. half a tablet of the blood pressure pill from now on")
    with world.database.read() as db:
        assert [one.title for one in tasks.in_list(db, tasks.REMINDERS)] == ["half a tablet of the blood pressure pill"]
    [answer] = await human.says("how much of the blood pressure pill do i take?")
    assert "half a tablet" in answer


async def test_in_another_language_too(world: World, human: Human) -> None:
    await human.says("erinnere mich jeden morgen um 8 an eine tablette vom blutdruck medikament")
    await human.says("ab jetzt eine halbe tablette vom blutdruck medikament")
    with world.database.read() as db:
        assert "halbe tablette" in tasks.in_list(db, tasks.REMINDERS)[0].title


async def test_the_name_of_somebody_who_died_is_linked_and_nobody_asks_after_them(human: Human) -> None:
    await human.says("hi im Sam")
    await human.says("my mum died")
    [answer] = await human.says("her name was Ruth")
    assert ("Ruth" in answer, "?" in answer) == (True, False)
    assert "Ruth" in (await human.says("what was my mum's name?"))[0]


async def test_a_question_without_its_mark_is_answered(human: Human) -> None:
    await human.says("dave owes me 200")
    assert "dave owes me 200" in (await human.says("does dave still owe me"))[0]
    assert "dave" not in (await human.says("does my head in"))[0]


async def test_a_question_in_short_is_answered_from_what_was_told(human: Human) -> None:
    await human.says("hello, I'm Joe")
    await human.says("Cole door is 1981 x 762, left hung")
    assert "1981 x 762" in (await human.says("door size for cole?"))[0]
    assert "1981" not in (await human.says("pizza?"))[0]


async def test_of_several_times_the_day_is_told(human: Human) -> None:
    await human.says("cataract op 5 may, St Marys, nil by mouth from midnight")
    [answer] = await human.says("when is my cataract op?")
    assert "Tuesday, 5 May" in answer


@pytest.mark.parametrize(
    ("said", "before", "answer"),
    [
        ("hab am Montag um 8 Zahnarzt", "Bitte erinnern Sie mich daran eine Stunde vorher.", "30. März, um 07:00"),
        ("Am Donnerstag um 10 Uhr habe ich einen Termin", "erinner mich ne stunde vorher", "26. März, um 09:00"),
        ("El jueves a las 11 tengo cita con el médico.", "recuérdamelo una hora antes", "26 de marzo a las 10:00"),
        ("Jeudi à 10 heures j'ai rendez-vous", "rappelle-le-moi une heure avant", "26 mars à 09:00"),
        ("Giovedì alle 10 ho la visita", "ricordamelo mezz'ora prima", "26 marzo alle 09:30"),
        ("Na quinta às 10 tenho consulta", "me lembra uma hora antes", "26 de março, às 09:00"),
        ("В четверг в 10 у меня приём", "напомни за час", "26 марта, в 09:00"),
        ("Perşembe saat 10'da randevum var.", "bir saat önce hatırlat", "26 Mart Perşembe, saat 09:00"),
        ("星期四上午10点看医生", "提前一个小时提醒我", "3月26日星期四09:00"),
    ],
)
async def test_an_hour_before_is_an_hour_before_what_was_told(
    world: World, human: Human, said: str, before: str, answer: str
) -> None:
    """“¿Cuándo te lo recuerdo: una hora antes?” was asked back."""
    await human.says(said)
    [kept] = await human.says(before)
    assert answer in kept
    with world.database.read() as db:
        [title] = [task.title for task in tasks.in_list(db, tasks.REMINDERS)]
    assert not title.lower().startswith(("habe", "tengo", "j'ai", "ho ", "tenho", "у меня")), title
