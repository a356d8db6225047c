"""A thing to do that is only written down is offered for the to-do list, in nine languages; news is left alone."""

from __future__ import annotations

import random

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.language.requests.errands import find_errand
from furoshiki.owner.agenda.store import tasks
from furoshiki.world import World
from tests.support.world import Human, Script

TO_DO = """
en book dentist|return library books|renew passports|pay council tax|pay school lunch by Friday
en need to hand in my history essay by fri|I need to call the bank about her account|water plants
en submit ethics form|prescription needs collecting|gotta pay the rent|don't forget to feed the cat
en I must clean the oven|and renew the parking permit|I have to do the laundry|wash the car saturday
de Zahnarzt anrufen|ich muss noch die Miete überweisen|Bücher zurückgeben|Müll rausbringen|Reisepass verlängern
es pagar el alquiler|tengo que llamar al banco|renovar el pasaporte|devolver los libros
fr payer le loyer|je dois appeler la banque|renouveler le passeport|sortir les poubelles
it pagare l'affitto|devo chiamare la banca|rinnovare il passaporto
pt pagar a renda|tenho que ligar para o banco|renovar o passaporte
ru оплатить квартиру|мне надо позвонить в банк|продлить паспорт
tr faturayı öde|faturayı ödemem lazım|pasaportu yenile
zh 交房租|我要交电费|取快递|记得浇花
"""
TOLD = """
en book club was fun|water is wet|clean as a whistle maybe|I need to talk|I need to sleep|pay me back
en pay attention|I have to go|I must be crazy|fix it|fix me|I need to end it|I have to tell you something
en I should call it a day|post arrived today|the plants are watered|I booked the dentist|book me a flight
en I paid the rent|iron levels were low|I need to get out of here|I need to get over him|should I pay the rent
en print looks bad|pack it in|i want to make a cake|charge is low|I have to say goodbye
en I want to send you a photo|my heart needs fixing|I need to get better|feed me|I should get some sleep
en i need to get up early tomorrow|I have to get used to it|call me Sam
de er muss anrufen|ich muss dich anrufen|ich will nicht bezahlen|wir haben die Küche geputzt
de ich kann nicht zahlen|er wollte mich abholen
es no puedo pagar el alquiler|quiero que me llames|me gusta lavar
fr je ne peux pas payer le loyer|il veut m'appeler
it non posso pagare l'affitto
pt não consigo pagar a renda
ru я не могу заплатить|он не хочет позвонить мне
tr faturayı ödedim|bana gönder
zh 我交了房租|他没交房租|还没吃饭
"""


def rows(table: str) -> list[tuple[str, str]]:
    return [(row[:2], said) for row in table.strip().splitlines() for said in row[3:].split("|")]


@pytest.mark.parametrize(("code", "said"), rows(TO_DO))
def test_a_thing_to_do_is_found(code: str, said: str) -> None:
    found = find_errand(said, code)
    assert found is not None
    assert found in said


@pytest.mark.parametrize(("code", "said"), rows(TOLD))
def test_what_tells_or_asks_is_no_thing_to_do(code: str, said: str) -> None:
    assert find_errand(said, code) is None


async def test_it_is_offered_for_the_list_and_its_day_is_kept(world: World, human: Human, model: Script) -> None:
    mind = ReflexMind(random.Random(1))
    model.lines = [lambda question: mind(question, why="no-model")] * 9
    await human.says("hi, i'm Nell")
    asked = "Shall I put “hand in my history essay by fri” on your to-do list?"
    assert asked in (await human.says("need to hand in my history essay by fri"))[0]
    await human.says("yes please")
    assert "Shall I put “renew passports”" in (await human.says("renew passports"))[0]
    await human.says("no")
    with world.database.read() as db:
        [one] = tasks.in_list(db, "todo")
    assert one.due_at is not None
    assert (one.title, one.due_at.day) == ("hand in my history essay", 27)
