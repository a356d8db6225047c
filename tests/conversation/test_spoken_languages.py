"""What the program says by itself is in the language of the person it says it to."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.core.catalogue import get_language
from furoshiki.mind.outreach import reminders
from furoshiki.owner.user_model import languages
from furoshiki.world import World
from tests.support.world import FrozenClock, Human, Script

ASKED = [
    ("erinnere mich in zwei Stunden an den Zahnarzt", "Zahnarzt", "heute", "Erledigt"),
    ("recuérdame en dos horas llamar a mi madre", "llamar a mi madre", "hoy", "Hecho"),
    ("rappelle-moi dans deux heures d'appeler maman", "appeler maman", "aujourd’hui", "Fait"),
    ("ricordami tra due ore di chiamare la mamma", "chiamare la mamma", "oggi", "Fatto"),
    ("lembra-me daqui a duas horas de ligar à mãe", "ligar à mãe", "hoje", "Feito"),
    ("напомни через два часа позвонить маме", "позвонить маме", "сегодня", "Готово"),
    ("iki saat sonra annemi aramayı hatırlat", "annemi aramayı", "bugün", "Tamam"),
    ("两个小时后提醒我给妈妈打电话", "给妈妈打电话", "今天", "完成了"),
]


@pytest.fixture(autouse=True)
def reflex(model: Script) -> None:
    """The built-in mind answers everything."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 60


@pytest.mark.parametrize(("asked", "matter", "today", "done"), ASKED)
async def test_a_reminder_is_confirmed_and_rung_in_the_language_it_was_asked_for_in(
    asked: str, matter: str, today: str, done: str, world: World, human: Human, clock: FrozenClock
) -> None:
    [answer] = await human.says(asked)
    assert matter in answer and today in answer.casefold()
    clock.pass_(hours=2, minutes=1)
    assert reminders.speak_due(world).did
    with world.database.read() as db:
        row = db.execute("SELECT extra FROM outbox WHERE text LIKE '⏰%' ORDER BY id DESC LIMIT 1").fetchone()
    assert json.loads(row["extra"])["buttons"][0][0]["text"] == done


async def test_a_greeting_alone_does_not_make_a_language_the_usual_one(world: World, human: Human) -> None:
    await human.says("hola")
    with languages.speaking_as_usual(world):
        assert get_language() == "en"


async def test_the_usual_language_is_that_of_most_messages_and_not_of_the_last(world: World, human: Human) -> None:
    for said in ("ich habe heute lange gearbeitet", "morgen ist endlich Wochenende", "das war ein guter Tag für mich"):
        await human.says(said)
    await human.says("by the way, I watched a film in English tonight")
    with languages.speaking_as_usual(world):
        assert get_language() == "de"
    with languages.speaking_to(world, "I watched a film in English tonight"):
        assert get_language() == "en"
    with languages.speaking_to(world, "ok"):
        assert get_language() == "en", "what is too short to tell follows the message before"
    with languages.speaking_to(world, "/mood"):
        assert get_language() == "de"


async def test_who_lives_in_two_languages_is_spoken_to_in_the_one_that_has_a_catalogue(
    world: World, human: Human
) -> None:
    """A Pole in Leipzig had her pills rung with English buttons."""
    polish = ("mieszkam w Lipsku od trzech lat", "jutro mama idzie do lekarza", "czuję się tu sama", "tęsknię za domem")
    german = ("erinner mich bitte jeden Abend an Euthyrox", "wann ist mein Termin?", "morgen ist endlich Wochenende")
    for said in (*polish, *german, "a teraz idę spać, dobranoc"):
        await human.says(said)
    with languages.speaking_as_usual(world):
        assert get_language() == "de"
    with languages.speaking_to(world, "dobrze! dostałam kartę pobytu na stałe"):
        assert get_language() == "de"
    with languages.speaking_to(world, "I got my residence permit today"):
        assert get_language() == "en"


async def test_the_setting_holds_whatever_is_written(world: World, human: Human) -> None:
    for said in ("ich habe heute lange gearbeitet", "morgen ist endlich Wochenende", "das war ein guter Tag für mich"):
        await human.says(said)
    chosen = world.settings.model_copy(update={"furoshiki_language": "fr"})
    with languages.speaking_as_usual(replace(world, settings=chosen)):
        assert get_language() == "fr"
