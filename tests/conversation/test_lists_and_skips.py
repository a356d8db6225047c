"""“It” goes on a list, a list is begun by a colon, and a recurring reminder is left out once."""

from __future__ import annotations

import pytest

from furoshiki.owner.agenda.store import tasks
from furoshiki.world import World
from tests.support.reflexes import reflexive
from tests.support.said import LISBON
from tests.support.world import Human, Script


def listed(world: World, name: str) -> list[str]:
    with world.database.read() as db:
        return [one.title for one in tasks.in_list(db, name)]


@pytest.mark.parametrize(
    ("said", "name", "items"),
    [
        (["we're out of olive oil", "add it to my list"], "shopping", ["olive oil"]),
        (["get present for Leo", "put it on the list"], "shopping", ["get present for Leo"]),
        (["i want to read dune", "put it on my reading list"], "reading", ["read dune"]),
        (["we watched Amelie, it was great", "can you add it to my list", "amelie"], "shopping", ["amelie"]),
        (["how are you?", "add it to my list"], "shopping", []),
        (["👍", "add it to my list"], "shopping", []),
        (["...", "put it on the list"], "shopping", []),
        (["i need to get redbull, ramen and pens", "add tape too"], "shopping", ["redbull", "ramen", "pens", "tape"]),
        (["Shopping: milk, eggs", "Oh, and some bird seed."], "shopping", ["milk", "eggs", "bird seed"]),
        (["Shopping: milk, eggs", "please take the milk off again, Doris has some"], "shopping", ["eggs"]),
        (["add tea", "also put milk back on the list"], "shopping", ["tea", "milk"]),
        (["packing list for half term: chargers, wellies", "remove wellies"], "packing", ["chargers"]),
        (["Einkauf: Milch, Eier"], "shopping", ["Milch", "Eier"]),
        (["compra: leche, huevos"], "shopping", ["leche", "huevos"]),
        (["courses : lait, œufs"], "shopping", ["lait", "œufs"]),
        (["spesa: latte, uova"], "shopping", ["latte", "uova"]),
        (["compras: leite, ovos"], "shopping", ["leite", "ovos"]),
        (["купить: молоко, яйца"], "shopping", ["молоко", "яйца"]),
        (["alışveriş: süt, yumurta"], "shopping", ["süt", "yumurta"]),
        (["要买：牛奶、鸡蛋"], "shopping", ["牛奶", "鸡蛋"]),
        (["shopping was fun: i met Tom"], "shopping", []),
        (["we need milk, eggs and bread", "and cheese"], "shopping", ["milk", "eggs", "bread", "cheese"]),
        (["need to buy: soap, pasta", "yes"], "shopping", ["soap", "pasta"]),
        (["note: buy milk, soap", "yes"], "shopping", ["milk", "soap"]),
        (["notier dir: Milch und Brot kaufen", "da noch Käse drauf"], "shopping", ["Milch", "Brot", "Käse"]),
        (["ich muss kaufen: Seife, Nudeln", "ja"], "shopping", ["Seife", "Nudeln"]),
        (["apunta: comprar leche y pan", "añade también queso"], "shopping", ["leche", "pan", "queso"]),
        (["il faut acheter : lessive, pâtes", "ajoute aussi du fromage"], "shopping", ["lessive", "pâtes", "fromage"]),
        (["segna: comprare latte e pane", "aggiungi anche il formaggio"], "shopping", ["latte", "pane", "formaggio"]),
        (["anota: comprar leite e pão", "coloca queijo também"], "shopping", ["leite", "pão", "queijo"]),
        (["запиши: купить молоко и хлеб", "добавь туда ещё сыр"], "shopping", ["молоко", "хлеб", "сыр"]),
        (["almam lazım: deterjan, makarna", "peynir de ekle"], "shopping", ["deterjan", "makarna", "peynir"]),
        (["alışveriş: süt", "listeye ekmek de ekle"], "shopping", ["süt", "ekmek"]),
        (["帮我记一下：买牛奶、鸡蛋", "再加一个苹果"], "shopping", ["牛奶", "鸡蛋", "苹果"]),
        (["we need milk, eggs and bread", "and my sister is coming"], "shopping", []),
        (["note: buy-in meeting moved", "and cheese"], "shopping", []),
    ],
)
async def test_lists(world: World, human: Human, model: Script, said: list[str], name: str, items: list[str]) -> None:
    reflexive(model)
    for text in said:
        await human.says(text)
    assert listed(world, name) == items


BINS = "remind me to put the bins out every tuesday at 7pm"
GERMAN = "erinnere mich jeden dienstag um 19 uhr an die mülltonnen"


@pytest.mark.parametrize(
    ("asked", "said", "day"),
    [
        (BINS, "skip this week's bins", 31),
        (BINS, "skip the bins this week", 31),
        (BINS, "no bins this week", 31),
        (BINS, "cancel the bins today", 31),
        (GERMAN, "diese woche keine mülltonnen", 31),
        ("recuérdame sacar la basura todos los martes a las 19", "esta semana no hace falta la basura", 31),
        ("rappelle-moi de sortir les poubelles tous les mardis à 19h", "pas de poubelles cette semaine", 31),
        ("ricordami di buttare la spazzatura ogni martedì alle 19", "questa settimana niente spazzatura", 31),
        ("me lembra de levar o lixo toda terça às 19h", "essa semana não tem lixo", 31),
        ("напоминай каждый вторник в 19 вынести мусор", "на этой неделе без мусора", 31),
        ("her salı saat 19'da çöpü çıkarmayı hatırlat", "bu hafta çöp yok", 31),
        (BINS, "No bins this week, the street is closed.", 31),
        ("remind me of swimming every tuesday at 7pm", "Swimming is cancelled this week", 31),
        (GERMAN, "die mülltonnen fallen diese woche aus", 31),
        (BINS, "no work today", 24),
        (BINS, "skip this week's yoga", 24),
        (GERMAN, "heute keine lust", 24),
    ],
)
async def test_a_recurring_reminder_is_left_out_once(
    world: World, human: Human, model: Script, asked: str, said: str, day: int
) -> None:
    reflexive(model)
    await human.says(asked)
    await human.says(said)
    with world.database.read() as db:
        [one] = tasks.in_list(db, tasks.REMINDERS)
    assert one.due_at is not None
    assert (one.state, one.due_at.day) == ("open", day)


VAN = "remind me every tuesday at 5:15 to get up for the van"
PILL = "remind me every day at 8 to take my pill"


@pytest.mark.parametrize(
    ("asked", "said", "due", "left_out"),
    [
        (VAN, "not on the 31st", "2026-04-07", []),
        (VAN, "skip next tuesday", "2026-04-07", []),
        (VAN, "no van on april 14 please", "2026-03-31", ["20260414"]),
        (PILL, "not tomorrow though", "2026-03-26", []),
        (PILL, "not tomorrow tho", "2026-03-26", []),
        (PILL, "no pill on friday", "2026-03-25", ["20260327"]),
        (PILL, "no pill reminder on friday please", "2026-03-25", ["20260327"]),
        (PILL, "not today", "2026-03-25", []),
        (PILL, "are you sure? not tomorrow", "2026-03-25", []),
        ("erinnere mich jeden tag um 8 an die tablette", "am freitag bitte keine tablette", "2026-03-25", ["20260327"]),
        ("erinnere mich jeden tag um 8 an die tablette", "morgen aber nicht", "2026-03-26", []),
        ("recuérdame todos los días a las 8 la pastilla", "mañana no", "2026-03-26", []),
        ("recuérdame todos los días a las 8 la pastilla", "el viernes no hay pastilla", "2026-03-25", ["20260327"]),
        ("rappelle-moi tous les jours à 8h le comprimé", "pas de comprimé vendredi", "2026-03-25", ["20260327"]),
        ("rappelle-moi tous les jours à 8h le comprimé", "pas demain", "2026-03-26", []),
        ("ricordami ogni giorno alle 8 la pillola", "venerdì niente pillola", "2026-03-25", ["20260327"]),
        ("ricordami ogni giorno alle 8 la pillola", "domani no", "2026-03-26", []),
        ("me lembra todo dia às 8 do comprimido", "sexta não tem comprimido", "2026-03-25", ["20260327"]),
        ("me lembra todo dia às 8 do comprimido", "amanhã não", "2026-03-26", []),
        ("напоминай каждый день в 8 утра про таблетку", "завтра не надо", "2026-03-26", []),
        ("her gün saat 8'de ilacı hatırlat", "cuma günü ilaç yok", "2026-03-25", ["20260327"]),
        ("her gün saat 8'de ilacı hatırlat", "yarın olmasın", "2026-03-26", []),
        ("每天早上8点提醒我吃药", "明天不用", "2026-03-26", []),
    ],
)
async def test_a_recurring_reminder_is_left_out_on_the_day_that_is_named(
    world: World, human: Human, model: Script, asked: str, said: str, due: str, left_out: list[str]
) -> None:
    reflexive(model)
    await human.says(asked)
    await human.says(said)
    with world.database.read() as db:
        [one] = tasks.in_list(db, tasks.REMINDERS)
    assert one.due_at is not None and one.recurrence is not None
    kept = one.recurrence.partition("EXDATE=")[2]
    assert (f"{one.due_at:%Y-%m-%d}", [day for day in kept.split(",") if day > f"{one.due_at:%Y%m%d}"]) == (
        due,
        left_out,
    )


@pytest.mark.parametrize(
    ("said", "half", "matter"),
    [
        ("remind me every day at 5 to fetch the dough, except sundays", "in the morning", "fetch the dough"),
        ("me lembra todo dia às 5 de pegar a massa, menos domingo", "da manhã", "pegar a massa"),
        ("recuérdame todos los días a las 5 sacar la masa, menos los domingos", "de la mañana", "sacar la masa"),
    ],
)
async def test_a_day_is_left_out_whichever_half_of_the_day_was_meant(
    world: World, human: Human, model: Script, said: str, half: str, matter: str
) -> None:
    """The doubt about five o'clock swallowed the exception, which became a part of the matter."""
    reflexive(model)
    await human.says(said)
    await human.says(half)
    with world.database.read() as db:
        [one] = tasks.in_list(db, tasks.REMINDERS)
    assert (one.title, one.recurrence) == (matter, "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA")


@pytest.mark.parametrize(
    ("said", "rule", "due"),
    [
        (f"{PILL}, except sundays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA", 25),
        (f"{VAN}, not on the 31st and the 14th of april", "FREQ=WEEKLY;BYDAY=TU;EXDATE=20260331,20260414", 7),
        ("every weekday at 7 remind me to feed the cat, except wednesdays", "FREQ=WEEKLY;BYDAY=MO,TU,TH,FR", 26),
        ("erinnere mich jeden tag um 8 an die tablette, außer sonntags", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA", 25),
        ("recuérdame todos los días a las 8 la pastilla menos los lunes", "FREQ=WEEKLY;BYDAY=TU,WE,TH,FR,SA,SU", 25),
        ("rappelle-moi tous les jours à 8h le comprimé sauf le lundi", "FREQ=WEEKLY;BYDAY=TU,WE,TH,FR,SA,SU", 25),
        ("ricordami ogni giorno alle 8 la pillola tranne il lunedì", "FREQ=WEEKLY;BYDAY=TU,WE,TH,FR,SA,SU", 25),
        ("me lembra todo dia às 8 do comprimido menos aos domingos", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA", 25),
        ("напоминай каждый день в 8 утра про таблетку, кроме среды", "FREQ=WEEKLY;BYDAY=MO,TU,TH,FR,SA,SU", 26),
        ("pazar hariç her gün saat 8'de ilacı hatırlat", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA", 25),
        ("除了周日，每天早上8点提醒我吃药", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA", 25),
        ("remind me every monday to water all plants except the cactus", "FREQ=WEEKLY;BYDAY=MO", 30),
        ("remind me every day at 8 to feed the dog, not the cat", "FREQ=DAILY", 25),
    ],
)
async def test_days_that_are_excepted_are_left_out_from_the_start(
    world: World, human: Human, model: Script, said: str, rule: str, due: int
) -> None:
    reflexive(model)
    await human.says(said)
    with world.database.read() as db:
        [one] = tasks.in_list(db, tasks.REMINDERS)
    assert one.due_at is not None
    assert (one.recurrence, one.due_at.day) == (rule, due), one.title


async def test_what_was_left_out_is_told_in_the_rhythm_and_comes_back(
    world: World, human: Human, model: Script
) -> None:
    reflexive(model)
    await human.says(PILL)
    [left] = await human.says("no pill on friday")
    assert "Left out on 27 March" in left and "tomorrow" in left
    [shown] = await human.says("what reminders do I have?")
    assert "every day at 08:00, but not on 27 March" in shown
    await human.says("undo that")
    [shown] = await human.says("what reminders do I have?")
    assert "but not" not in shown


async def test_one_reminder_of_tomorrow_is_cancelled_as_before(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("remind me tomorrow at 9 of the dentist")
    await human.says("cancel the dentist tomorrow")
    assert listed(world, tasks.REMINDERS) == []


@pytest.mark.parametrize(
    ("said", "due"),
    [
        (
            [
                "I have an appointment with the eye doctor on Thursday at half past ten.",
                "Could you remind me of that the evening before?",
            ],
            ["appointment with the eye doctor 03-25 19:00"],
        ),
        (["MOT due 14 December", "remind me a week before"], ["MOT 12-07 09:00"]),
        (["bin day is Thursday, remind me the night before"], ["bin day 03-25 20:00"]),
        (["Parents evening 3 December 6pm", "remind me an hour before"], ["Parents evening 12-03 17:00"]),
        (["remind me an hour before"], []),
        (["i feel great", "remind me the day before"], []),
        (
            ["remind me to take my heart tablets every morning at 8", "And the water tablet at noon, please."],
            ["take my heart tablets 03-25 08:00", "the water tablet 03-25 12:00"],
        ),
        (["remind me tomorrow at 9 to call mum", "and the film at 8 was great"], ["call mum 03-25 09:00"]),
    ],
)
async def test_a_reminder_by_its_lead_time_or_beside_another(
    world: World, human: Human, model: Script, said: list[str], due: list[str]
) -> None:
    reflexive(model)
    for text in said:
        await human.says(text)
    with world.database.read() as db:
        found = tasks.in_list(db, tasks.REMINDERS)
    assert [f"{one.title} {one.due_at.astimezone(LISBON):%m-%d %H:%M}" for one in found if one.due_at] == due


PLANNED = [
    ("dentist friday at 10", "what's in my calendar?"),
    ("dentist friday at 10", "what all things I have this week?"),
    ("Zahnarzt am Freitag um 10", "was hab ich geplant?"),
    ("dentista el viernes a las 10", "qué tengo planeado?"),
    ("dentiste vendredi à 10h", "qu'est-ce qu'il y a dans mon agenda ?"),
    ("dentista venerdì alle 10", "cosa ho in programma?"),
    ("dentista sexta às 10", "o que tenho planejado?"),
    ("в пятницу в 10 к стоматологу", "какие у меня планы?"),
    ("cuma 10'da dişçi", "bu hafta ne işlerim var"),
    ("星期五十点看牙医", "我有什么安排"),
]


@pytest.mark.parametrize(("noted", "asked"), PLANNED)
async def test_what_is_planned_is_told_without_a_day(human: Human, model: Script, noted: str, asked: str) -> None:
    reflexive(model)
    await human.says(noted)
    row = human.writes(asked)
    await human.waits()
    [answer] = [one.text for one in human.answers(row)]
    assert "27" in answer and "10:00" in answer, answer
