"""What people met in their first hour with reminders and dates, said to the built-in mind."""

from __future__ import annotations

import random

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.owner.agenda.store import tasks
from furoshiki.world import World
from tests.support.said import LISBON
from tests.support.world import Human, Script


@pytest.fixture(autouse=True)
def reflex(model: Script) -> None:
    """The built-in mind answers everything."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 60


def kept(world: World) -> list[str]:
    with world.database.read() as db:
        found = tasks.in_list(db, tasks.REMINDERS)
    return [f"{one.title} {one.due_at.astimezone(LISBON):%m-%d %H:%M}" for one in found if one.due_at is not None]


# said on Tuesday 24 March 2026 at 15:00 in Lisbon
@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (["remind me 2 hours before my flight on december 3rd at 14:20"], ["my flight 12-03 12:20"]),
        (["remind me half an hour before the meeting tomorrow at 9:00"], ["the meeting 03-25 08:30"]),
        (["erinnere mich 2 Stunden vor meinem Flug am 3. Dezember um 14:20"], ["meinem Flug 12-03 12:20"]),
        (["recuérdame 2 horas antes de mi vuelo el 3 de diciembre a las 14:20"], ["mi vuelo 12-03 12:20"]),
        (["напомни за 2 часа до рейса 3 декабря в 14:20"], ["рейса 12-03 12:20"]),
        (["3 Aralık saat 14:20'deki uçuşumdan 2 saat önce hatırlat"], ["uçuşumdan 12-03 12:20"]),
        (["在12月3日14:20的航班前两小时提醒我"], ["航班 12-03 12:20"]),
        (["会议明天上午9点，提前半小时提醒我"], ["会议 03-25 08:30"]),
        (["12月12日上午9点的考试前一天提醒我"], ["考试 12-11 09:00"]),
        (["remind me later to water the plants", "at 6"], ["water the plants 03-24 18:00"]),
        (["erinnere mich später ans Gießen", "um 18 Uhr"], ["Gießen 03-24 18:00"]),
        (["pls rmnd me tmrw 2 get milk plz"], ["get milk 03-25 09:00"]),
        (["remind me to call Ann at 5 and how are you?"], ["call Ann 03-24 17:00"]),
        (
            ["can you remind me at 5 to ask where he was and what he wants?"],
            ["ask where he was and what he wants 03-24 17:00"],
        ),
        (["remind me tomorrow at 9 to call mum", "move it to three"], ["call mum 03-25 15:00"]),
        (["remind me tomorrow at 8 to call mum", "move it to nine"], ["call mum 03-25 09:00"]),
        (
            ["remind me tomorrow at 9 to water plants and at 10 to call mum", "delete the second one"],
            ["water plants 03-25 09:00"],
        ),
        (
            ["remind me tomorrow at 9 to water plants and at 10 to call mum", "cancel the first one"],
            ["call mum 03-25 10:00"],
        ),
        (["remind me tomorrow at 9 to water plants", "delete the plants"], []),
        (
            [
                "remind me on Friday at 9 to water plants",
                "remind me on Friday at 10 to call mum",
                "remind me on Saturday at 10 to call Tom",
                "cancel my reminder",
                "the one on Friday",
            ],
            ["water plants 03-27 09:00", "call mum 03-27 10:00", "call Tom 03-28 10:00"],
        ),
        (
            ["me lembra amanhã às 9h de regar as plantas", "bota leite na lista", "cancela o alarme do cinema"],
            ["regar as plantas 03-25 09:00"],
        ),
        (["me lembra amanhã às 9h30 do dentista", "muda o lembrete do dentista pra 10h"], ["dentista 03-25 10:00"]),
        (
            ["remind me tomorrow at 9 to water plants and at 10 to call mum", "move the first one to 12"],
            ["call mum 03-25 10:00", "water plants 03-25 12:00"],
        ),
        (["remind me in a bit to drink water", "I'm so happy today"], []),
        (["remind me in a bit to drink water", "my exam is tomorrow"], []),
        (["remind me in a bit to drink water", "in an hour"], ["drink water 03-24 16:00"]),
        (["remind me in a bit to drink water", "tomorrow at 9 please"], ["drink water 03-25 09:00"]),
        (["erinnere mich bald ans Trinken", "ich bin heute so froh"], []),
        (["plz remind me tmrw 2 pay rent"], ["pay rent 03-25 09:00"]),
        (["pls remind me 2moro 2 call mum"], ["call mum 03-25 09:00"]),
        (["what's 5+5 and remind me to stretch in 1 minute"], ["stretch 03-24 15:01"]),
        (["how are you? remind me to stretch in 1 minute"], ["stretch 03-24 15:01"]),
        (
            [
                "remind me every sunday at 18:00 to call mum",
                "my dad is coming on the 31st of november",
                "no I mean 30 november",
            ],
            ["call mum 03-29 18:00"],
        ),
        (
            ["remind me every sunday at 18:00 to call mum", "my sister has her exam on Friday", "sorry, Thursday"],
            ["call mum 03-29 18:00"],
        ),
        (["remind me to call mum on Sunday at six", "sorry, Saturday"], ["call mum 03-28 18:00"]),
        (
            ["remind me tomorrow at 9 to call Ana", "remind me tomorrow at 10 to water the plants", "at 11, not 9"],
            ["water the plants 03-25 10:00", "call Ana 03-25 11:00"],
        ),
        (
            ["remind me tomorrow at 9 to call Ana", "remind me tomorrow at 10 to water the plants", "at 11, not 10"],
            ["call Ana 03-25 09:00", "water the plants 03-25 11:00"],
        ),
    ],
)
async def test_what_was_met_in_the_first_hour(said: list[str], expected: list[str], world: World, human: Human) -> None:
    for line in said:
        await human.says(line)
    assert kept(world) == expected


NINE, TEN = "remind me tomorrow at 9 to call mum", "remind me tomorrow at 10 to see the dentist"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([NINE, TEN, "cancel the dentist", "no, the other one"], ["see the dentist 03-25 10:00"]),
        ([NINE, TEN, "cancel the dentist", "no, mum"], ["see the dentist 03-25 10:00"]),
        (
            [NINE, TEN, "move the dentist to 4pm", "no, I meant the other one"],
            ["see the dentist 03-25 10:00", "call mum 03-25 16:00"],
        ),
        (
            [NINE, TEN, "move the dentist to 4pm", "I meant the one at 9"],
            ["see the dentist 03-25 10:00", "call mum 03-25 16:00"],
        ),
        ([NINE, TEN, "no, at 11", "wrong one"], ["see the dentist 03-25 10:00", "call mum 03-25 11:00"]),
        (
            [NINE, TEN, "remind me tomorrow at 11 to paint", "cancel the dentist", "no, the other one", "call mum"],
            ["see the dentist 03-25 10:00", "paint 03-25 11:00"],
        ),
        (
            ["erinnere mich morgen um 9 an Brot", "erinnere mich morgen um 10 an Milch"]
            + ["verschiebe Milch auf 16 Uhr", "nein, die andere"],
            ["Milch 03-25 10:00", "Brot 03-25 16:00"],
        ),
        (
            ["recuérdame mañana a las 9 llamar a mamá", "recuérdame mañana a las 10 comprar pan"]
            + ["mueve comprar pan a las 16", "no, el otro"],
            ["comprar pan 03-25 10:00", "llamar a mamá 03-25 16:00"],
        ),
        # nothing was done just before, or nothing else is there
        ([NINE, TEN, "no, the other one"], ["call mum 03-25 09:00", "see the dentist 03-25 10:00"]),
        ([NINE, "cancel mum", "no, the other one"], []),
        ([NINE, TEN, "cancel the dentist", "my cat is called Pixel", "no, the other one"], ["call mum 03-25 09:00"]),
        ([NINE, TEN, "cancel the dentist", "no, that's all"], ["call mum 03-25 09:00"]),
    ],
)
async def test_the_other_one_is_meant(said: list[str], expected: list[str], world: World, human: Human) -> None:
    for line in said:
        await human.says(line)
    assert kept(world) == expected


@pytest.mark.parametrize("correction", ["no, the eggs", "the other one, sorry", "not that one"])
async def test_of_a_list_the_other_thing_is_meant(correction: str, world: World, human: Human) -> None:
    for line in ("put milk and eggs on the shopping list", "I bought the milk", correction):
        await human.says(line)
    with world.database.read() as db:
        assert [one.title for one in tasks.in_list(db, "shopping")] == ["milk"]


@pytest.mark.parametrize(
    ("asked", "of_which", "of_tomorrow", "shown"),
    [
        ("remind me tomorrow at 9 to call Ana", "which reminders do I have?", "what do I have tomorrow?", "all Ana:"),
        ("erinner mich morgen um 9 an Ana", "welche Erinnerungen habe ich?", "was steht morgen an?", "Ana: morgen"),
        ("recuérdame mañana a las 9 llamar a Ana", "¿qué recordatorios tengo?", "¿qué tengo mañana?", "Ana: mañana"),
        (
            "rappelle-moi demain à 9h d'appeler Ana",
            "quels rappels ai-je ?",
            "qu’est-ce que j’ai demain ?",
            "Ana: demain",
        ),
        ("ricordami domani alle 9 di chiamare Ana", "quali promemoria ho?", "cosa ho domani?", "Ana: domani"),
        ("lembra-me amanhã às 9h de ligar à Ana", "que lembretes tenho?", "o que tenho amanhã?", "Ana: amanhã"),
        ("напомни завтра в 9:00 позвонить Ане", "какие у меня напоминания?", "что у меня завтра?", "Ане: завтра"),
        (
            "yarın saat 9'da Ana'yı aramayı hatırlat",
            "hangi hatırlatıcılarım var?",
            "yarın neyim var?",
            "aramayı: yarın",
        ),
        ("明天上午九点提醒我给小王打电话", "我有哪些提醒？", "明天有什么安排？", "打电话: 明天"),
    ],
)
async def test_what_waits_is_shown_when_it_is_asked_for(
    asked: str, of_which: str, of_tomorrow: str, shown: str, human: Human
) -> None:
    [kept_as] = await human.says(asked)
    if not asked.startswith("remind"):
        assert "by the way" not in kept_as, "who speaks is said in the language of the message"
    for question in (of_which, of_tomorrow):
        [answer] = await human.says(question)
        assert shown in answer


@pytest.mark.parametrize(
    ("asked", "gone", "time", "day"),
    [
        (
            "erinner mich morgen um 9 an Ana",
            "lösch die Erinnerung an Ana",
            "wie spät ist es?",
            "welcher Tag ist heute?",
        ),
        ("recuérdame mañana a las 9 llamar a Ana", "borra el recordatorio de Ana", "¿qué hora es?", "¿qué día es hoy?"),
        (
            "rappelle-moi demain à 9h d'appeler Ana",
            "annule le rappel d'Ana",
            "quelle heure est-il ?",
            "on est le combien ?",
        ),
        (
            "ricordami domani alle 9 di chiamare Ana",
            "cancella il promemoria di Ana",
            "che ore sono?",
            "che giorno è oggi?",
        ),
        ("lembra-me amanhã às 9h de ligar à Ana", "apaga o lembrete da Ana", "que horas são?", "que dia é hoje?"),
        ("напомни завтра в 9:00 позвонить Оле", "удали напоминание про Олю", "который час?", "какой сегодня день?"),
        ("yarın 9:00'da Ali'yi aramayı hatırlat", "Ali hatırlatıcısını sil", "saat kaç?", "bugün günlerden ne?"),
        ("明天上午九点提醒我给小王打电话", "取消小王的提醒", "现在几点了？", "今天星期几？"),
    ],
)
async def test_a_reminder_is_cancelled_and_the_clock_told_abroad(
    asked: str, gone: str, time: str, day: str, world: World, human: Human
) -> None:
    await human.says(asked)
    assert len(kept(world)) == 1
    await human.says(gone)
    assert kept(world) == []
    assert await human.says(time) == ["15:00"]
    [told] = await human.says(day)
    assert "2026" in told and "24" in told


async def test_an_alarm_that_is_set_moves_no_reminder(world: World, human: Human) -> None:
    await human.says("erinner mich freitag um 8 ans Auto")
    await human.says("stell den Wecker auf 7")
    assert kept(world) == ["aufstehen 03-25 07:00", "Auto 03-27 08:00"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("in 20 minutes check the oven", ["check the oven 03-24 15:20"]),
        ("in half an hour call mum", ["call mum 03-24 15:30"]),
        ("can you write to me tomorrow evening? just to check in", ["check in 03-25 19:00"]),
        ("in 20 minutes i have a call", []),
        ("in an hour it gets dark", []),
        ("in two hours?", []),
        ("he will write to me tomorrow at 9", []),
        ("can you message me in the evenings only", []),
    ],
)
async def test_what_is_wanted_after_a_while_is_set(world: World, human: Human, said: str, expected: list[str]) -> None:
    await human.says(said)
    assert kept(world) == expected


@pytest.mark.parametrize(
    ("said", "title", "answer"),
    [
        ("what's 5+5 and remind me to stretch in 1 minute", "stretch 03-24 15:01", "10."),
        ("remind me to stretch in 5 minutes and what is 12*7?", "stretch 03-24 15:05", "84."),
        ("was ist 5+5 und erinnere mich in 10 minuten ans dehnen", "dehnen 03-24 15:10", "10."),
        ("erinnere mich um 17 Uhr ans Dehnen und was ist 12*7?", "Dehnen 03-24 17:00", "84."),
        ("cuánto es 5+5 y recuérdame estirar en 10 minutos", "estirar 03-24 15:10", "10."),
    ],
)
async def test_a_sum_beside_a_reminder_is_answered_in_any_language(
    world: World, human: Human, said: str, title: str, answer: str
) -> None:
    assert (await human.says(said))[0].startswith(answer)
    assert kept(world) == [title]


@pytest.mark.parametrize("said", ["wie viel ist 12 mal 7?", "¿cuánto es 12 por 7?", "12*7是多少？", "quanto fa 12*7?"])
async def test_a_sum_is_answered_in_any_language(human: Human, said: str) -> None:
    assert await human.says(said) == ["84."]


@pytest.mark.parametrize("said", ["was machen wir am 24/12?", "wann ist 3-4 Uhr frei?", "¿qué hay el 24/12?"])
async def test_a_date_is_no_sum(human: Human, said: str) -> None:
    assert "2" not in (await human.says(said))[0].split(".")[0]


@pytest.mark.parametrize(
    ("told", "corrected", "question", "answer"),
    [
        (
            "my sister arrives on the 12th of december",
            "sorry, I meant the 13th",
            "when does my sister arrive?",
            "13 December",
        ),
        (
            "I have a dentist appointment on 12 december at 10",
            "no, the 13th",
            "when is my dentist appointment?",
            "13th december at 10",
        ),
        ("mein Bruder kommt am 12. Dezember", "nein, am 13.", "wann kommt mein Bruder?", "13. Dezember"),
        ("Ich fange am 7. an im neuen Büro", "eigentlich am 8., nicht am 7.", "wann fange ich an?", "8. April"),
        ("mi padre viene el 12 de diciembre", "no, quería decir el 13", "¿cuándo viene mi padre?", "13 de diciembre"),
        ("Empiezo el trabajo nuevo el 7 de abril", "en realidad empiezo el 8, no el 7", "¿cuándo empiezo?", "el 8"),
        ("mon père vient le 12 décembre", "non, le 13", "quand vient mon père ?", "13 décembre"),
        ("inizio il lavoro il 7 aprile", "anzi l'8, non il 7", "quando inizio?", "il 8 aprile"),
    ],
)
async def test_a_day_put_right_is_the_day_that_is_told(
    human: Human, told: str, corrected: str, question: str, answer: str
) -> None:
    """Also where a reminder was offered for it; the month stays when only its day was wrong."""
    for line in (told, corrected):
        await human.says(line)
    assert answer in " ".join(await human.says(question))


async def test_what_was_said_before_small_talk_is_put_right(human: Human) -> None:
    for line in ("I'm vegetarian", "lovely soup today", "I said pescatarian"):
        await human.says(line)
    assert "pescatarian" in (await human.says("what do I eat?"))[0]
