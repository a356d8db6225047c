"""Without a model notes of what is to come are kept with their day and offered as reminders, in nine languages; several
in one message each."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bench.moves import Encoders
from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.messages.store import accounts, outbox
from furoshiki.mind.outreach import owner_news
from furoshiki.owner.agenda.store import proposals, tasks
from furoshiki.world import World
from tests.support.abroad import HELLO
from tests.support.world import FrozenClock, Human, Script

SAID = [
    line.split("\t")
    for line in Path(__file__).with_name("said_notes.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.fixture(autouse=True)
def reflex(world: World, human: Human, model: Script) -> None:
    """The built-in mind answers everything, and reads what messages mean."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 90
    human.worker.world = replace(world, vectors=Encoders())


def buttons(world: World, row: int) -> list[tuple[str, str]]:
    with world.database.read() as db:
        shown = [one.extra.get("buttons", ()) for one in outbox.of_turn(db, f"inbox:{row}")]
    return [(button["text"], button["data"]) for rows in shown for row_ in rows for button in row_]


def titles(world: World) -> list[str]:
    with world.database.read() as db:
        return [one.title for one in tasks.in_list(db, tasks.REMINDERS)]


@pytest.mark.parametrize("code", HELLO)
async def test_a_note_is_offered_and_what_is_told_or_felt_is_not(world: World, human: Human, code: str) -> None:
    await human.says(HELLO[code])
    wrong = []
    for wanted, said in (row[1:] for row in SAID if row[0] == code):
        row = human.writes(said)
        await human.waits()
        offered = any(data.startswith("do.") for _, data in buttons(world, row))
        if offered != (wanted == "1"):
            wrong.append(said)
    assert not wrong


SEVERAL = [
    ("en", "dentist monday 10, vet thursday 4pm, mum's birthday on the 12th", "yes"),
    ("de", "montag 10 zahnarzt, donnerstag 16 uhr tierarzt, am 12. hat mama geburtstag", "ja"),
    ("es", "dentista lunes a las 10, veterinario jueves a las 4 de la tarde, el 12 es el cumple de mamá", "sí"),
    ("fr", "dentiste lundi 10h, véto jeudi à 16h et le 12 c'est l'anniversaire de maman", "oui"),
    ("it", "dentista lunedì alle 10, veterinario giovedì alle 16, il 12 è il compleanno di mamma", "sì"),
    ("pt", "dentista segunda às 10, veterinário quinta às 16h e dia 12 é aniversário da mãe", "sim"),
    ("ru", "зубной в понедельник в 10, ветеринар в четверг в 16:00, 12-го день рождения мамы", "да"),
    ("tr", "pazartesi 10 dişçi, perşembe saat 16'da veteriner, ayın 12'si annemin doğum günü", "evet"),
    ("zh", "周一上午十点牙医，周四下午四点兽医，12号妈妈生日", "好的"),
]


@pytest.mark.parametrize(("code", "said", "yes"), SEVERAL)
async def test_each_of_several_notes_is_kept_and_one_word_answers_all(
    world: World, human: Human, code: str, said: str, yes: str
) -> None:
    await human.says(HELLO[code])
    [answer] = await human.says(said)
    assert answer.count("\n") == 3, answer
    assert ("10:00" in answer, "16:00" in answer, "12" in answer) == (True, True, True), answer
    await human.says(yes)
    with world.database.read() as db:
        due = sorted(f"{one.due_at:%d %H:%M}" for one in tasks.in_list(db, tasks.REMINDERS) if one.due_at)
    assert due == ["12 08:00" if world.now.tzinfo is None else due[0], *due[1:]]
    assert [one[:2] for one in due] == ["12", "26", "30"]


async def test_a_tap_takes_one_of_them_or_all(world: World, human: Human) -> None:
    await human.says(HELLO["en"])
    row = human.writes("dentist monday 10\nvet thursday 4pm\nmot friday 9am")
    await human.waits()
    shown = buttons(world, row)
    assert [text for text, _ in shown] == ["dentist (10:00)", "vet (16:00)", "mot (09:00)", "All of them", "No"]
    [said] = await human.says("", kind="callback", data=shown[1][1])
    assert (titles(world), "Reminder" in said, "vet" in said) == (["vet (16:00)"], False, True)
    await human.says("", kind="callback", data=shown[3][1])
    assert sorted(titles(world)) == ["dentist (10:00)", "mot (09:00)", "vet (16:00)"]
    assert "too old" in (await human.says("", kind="callback", data=shown[4][1]))[0]


async def test_none_of_them_is_one_answer(world: World, human: Human) -> None:
    await human.says("dentist monday 10, vet thursday 4pm")
    assert len((await human.says("no"))[0].splitlines()) == 1
    assert titles(world) == []


async def test_each_is_found_again(human: Human) -> None:
    await human.says("dentist monday 10, vet thursday 4pm, mum's birthday on the 12th")
    assert "12 April" in (await human.says("when is mum's birthday?"))[0]
    assert "et: on Thursday, 26 March, at 16:00" in "".join(await human.says("what's on thursday?"))


async def test_of_several_days_none_is_told_by_guess_and_a_short_please_is_a_yes(world: World, human: Human) -> None:
    await human.says(HELLO["es"])
    await human.says("mañana a las 9 itv, el jueves a las 5 dentista de nico y el sabado cumple de marta")
    await human.says("si porfa")
    assert len(titles(world)) == 3
    [answer] = await human.says("cuando es lo de la itv")
    assert "Es el sábado" not in answer


CALLED_OFF = {
    "en": ("oh and lunch with Meg on thursday 12:30", "meg cancelled on me", "Lunch with Meg", "what's on thursday?"),
    "de": (
        "und mittagessen mit Meg am donnerstag 12:30",
        "Meg hat abgesagt",
        "Mittagessen mit Meg",
        "was hab ich am donnerstag?",
    ),
    "es": ("y comida con Meg el jueves a las 12:30", "Meg me canceló", "Comida con Meg", "¿qué tengo el jueves?"),
    "fr": ("et déjeuner avec Meg jeudi à 12h30", "Meg a annulé", "Déjeuner avec Meg", "j'ai quoi jeudi ?"),
    "it": ("e pranzo con Meg giovedì alle 12:30", "Meg non viene più", "Pranzo con Meg", "cosa ho giovedì?"),
    "pt": ("e almoço com Meg quinta às 12:30", "Meg desmarcou", "Almoço com Meg", "o que tenho na quinta?"),
    "ru": ("и обед с Мег в четверг в 12:30", "Мег не придёт", "Обед с Мег", "что у меня в четверг?"),
    "tr": ("bir de perşembe 12:30'da Meg ile yemek", "Meg gelemiyor", "Meg ile yemek", "bu hafta neler var"),
    "zh": ("对了，周四12:30和小王吃午饭", "小王不来了", "和小王吃午饭", "这周有什么安排"),
}


@pytest.mark.parametrize("code", CALLED_OFF)
async def test_what_was_noted_is_off_once_they_say_so(world: World, human: Human, code: str) -> None:
    noted, off, what, asked = CALLED_OFF[code]
    await human.says(HELLO[code])
    await human.says(noted)
    assert what in " ".join(await human.says(asked)), "without the words that lead to it"
    reply = " ".join(await human.says(off)).lower()
    assert what.lower() in reply
    assert what.lower() not in " ".join(await human.says(asked)).lower()


async def test_a_plan_of_a_day_is_listed_till_it_is_off_and_never_asked_about_then(
    human: Human, clock: FrozenClock
) -> None:
    await human.says("hi, I'm Noor")
    await human.says("I'm meeting Jaz on Friday for drinks")
    assert "Jaz" in " ".join(await human.says("what's on Friday?"))
    assert "cancelled" not in " ".join(await human.says("the train was cancelled")).lower()
    assert "ancelled: meeting Jaz" in " ".join(await human.says("cancel drinks with Jaz"))
    assert "Jaz" not in " ".join(await human.says("what's on Friday?"))
    clock.pass_(minutes=1500)
    assert "Jaz" not in " ".join(await human.says("hi again"))


async def test_the_reminder_of_it_ends_with_it(world: World, human: Human) -> None:
    await human.says("hi, I'm Noor")
    await human.says("haircut saturday 10am")
    await human.says("yes")
    assert titles(world) == ["haircut (10:00)"]
    await human.says("the haircut is cancelled")
    assert titles(world) == []


async def test_an_offer_nobody_took_is_not_made_again_later(world: World, human: Human) -> None:
    with world.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now)
    await human.says("hi, I'm Noor")
    await human.says("haircut saturday 10am")
    later = world.now + timedelta(hours=3)
    with world.database.read() as db:
        assert [one.args["offered"] for one in proposals.every_open(db, later)] == [True]
        assert [one.thought.summary for one in owner_news.new(db, later)] == []


async def test_what_names_no_note_takes_none_off(human: Human) -> None:
    await human.says("hi, I'm Noor")
    await human.says("lunch with Meg on friday 12:30")
    for said in ("cancel everything", "remove milk and lunch", "the train got cancelled", "nobody came"):
        assert "Cancelled: lunch" not in " ".join(await human.says(said))
    assert "lunch with meg" in " ".join(await human.says("what's on Friday?")).lower()


# code, what was told, remarks since, the question, its correction, a shorter one, what is quoted then
QUOTED = (
    (
        "en",
        "Lena visits on Sunday",
        "when does Lena visit?",
        "no, it's not Sunday, it's Saturday",
        "no, Friday",
        "Friday",
    ),
    ("de", "Lena kommt am Sonntag", "wann kommt Lena?", "nein, nicht Sonntag, Samstag", "nein, Freitag", "Freitag"),
    (
        "es",
        "Lena viene el domingo",
        "¿cuándo viene Lena?",
        "no es el domingo, es el sábado",
        "no, el viernes",
        "viernes",
    ),
    (
        "fr",
        "Lena vient dimanche",
        "quand vient Lena ?",
        "c'est pas dimanche, c'est samedi",
        "non, vendredi",
        "vendredi",
    ),
    ("it", "Lena viene domenica", "quando viene Lena?", "non è domenica, è sabato", "no, venerdì", "venerdì"),
    ("pt", "a Lena vem no domingo", "quando a Lena vem?", "não é domingo, é sábado", "não, na sexta", "sexta"),
    (
        "ru",
        "Лена приедет в воскресенье",
        "когда приедет Лена?",
        "не в воскресенье, а в субботу",
        "нет, в пятницу",
        "пятницу",
    ),
    ("tr", "Lena pazar günü geliyor", "Lena ne zaman geliyor?", "pazar değil cumartesi", "yok, cuma", "cuma"),
    ("zh", "小雨周日来", "小雨什么时候来?", "不是周日，是周六", "不对，周五", "周五"),
)
REMARKS = {
    "en": ("it rained", "the bus was late", "I made soup", "the neighbour sings"),
    "de": ("es hat geregnet", "der Bus war spät dran", "ich habe Suppe gekocht", "die Nachbarin singt"),
    "es": ("ha llovido", "el autobús llegó tarde", "hice sopa", "la vecina canta"),
    "fr": ("il a plu", "le bus était en retard", "j'ai fait de la soupe", "la voisine chante"),
    "it": ("ha piovuto", "l'autobus era in ritardo", "ho fatto la zuppa", "la vicina canta"),
    "pt": ("choveu hoje", "o ônibus atrasou", "fiz uma sopa", "a vizinha canta"),
    "ru": ("шёл дождь", "автобус опоздал", "я варила суп", "соседка поёт"),
    "tr": ("yağmur yağdı", "otobüs geç kaldı", "çorba yaptım", "komşu şarkı söylüyor"),
    "zh": ("今天下雨了",),
}
"""In Chinese one: without vectors nothing further back is found."""


@pytest.mark.parametrize("row", QUOTED, ids=[row[0] for row in QUOTED])
async def test_what_was_just_quoted_is_put_right_and_again(
    world: World, human: Human, clock: FrozenClock, row: tuple[str, ...]
) -> None:
    code, told, asked, corrected, once_more, last = row
    await human.says(HELLO[code])
    for said in (told, *REMARKS[code], asked):
        clock.pass_(minutes=3)
        await human.says(said)
    for said in (corrected, once_more):
        clock.pass_(minutes=3)
        await human.says(said)
        clock.pass_(minutes=3)
        answer = " ".join(await human.says(asked))
    assert last in answer


async def test_an_offered_reminder_hides_no_correction(world: World, human: Human, clock: FrozenClock) -> None:
    for said in ("hi, I'm Sam", "I have the dentist on friday at 9am", "no, thursday"):
        clock.pass_(minutes=3)
        await human.says(said)
    assert "thursday at 9am" in " ".join(await human.says("when is the dentist?"))
    assert "Dentist: on Thursday, 26 March, at 09:00" in " ".join(await human.says("what's on thursday?"))
    assert "Dentist" not in " ".join(await human.says("what's on friday?"))


# code, a noted appointment, a change of mind, the question, the time that answers it
MINDS = (
    ("fr", "rdv véto jeudi 17h", "finalement c'est vendredi", "c'est quand le véto ?", "vendredi 27 mars"),
    ("de", "meine Schwester kommt am Donnerstag", "am ende doch freitag", "was ist freitag?", "Freitag, 27. März"),
    ("es", "el jueves a las 9 tengo dentista", "al final el viernes", "¿cuándo es el dentista?", "viernes 27 de marzo"),
    ("it", "giovedì alle 9 dentista", "alla fine venerdì", "quand'è il dentista?", "venerdì 27 marzo"),
    ("pt", "quinta às 9 dentista", "afinal é na sexta", "quando é o dentista?", "sexta"),
    ("ru", "в четверг в 9 стоматолог", "в итоге в пятницу", "когда стоматолог?", "27 марта"),
)


@pytest.mark.parametrize("row", MINDS, ids=[row[0] for row in MINDS])
async def test_a_change_of_mind_moves_what_was_noted(human: Human, clock: FrozenClock, row: tuple[str, ...]) -> None:
    code, noted, changed, asked, told = row
    for said in (HELLO[code], noted, changed):
        clock.pass_(minutes=3)
        await human.says(said)
    assert told in " ".join(await human.says(asked))


async def test_a_time_may_be_put_right_with_the_words_behind(human: Human, clock: FrozenClock) -> None:
    for said in (HELLO["fr"], "rappelle-moi d'acheter du pain demain midi"):
        clock.pass_(minutes=3)
        await human.says(said)
    assert "12:30" in " ".join(await human.says("plutôt 12h30 en fait"))
