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
