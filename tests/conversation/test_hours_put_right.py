"""An hour that is put right in the next message moves the reminder, in each language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from furoshiki.conversation.worker import Worker
from furoshiki.owner.agenda.store import tasks
from furoshiki.world import World
from tests.support.reflexes import reflexive
from tests.support.said import LISBON
from tests.support.world import Human, Script

ASKED = {
    "de": "erinner mich morgen um 9 an den Zahnarzt",
    "en": "remind me tomorrow at 9 to call the dentist",
    "es": "recuérdame mañana a las 9 llamar al dentista",
    "fr": "rappelle-moi demain à 9 h d'appeler le dentiste",
    "it": "ricordami domani alle 9 di chiamare il dentista",
    "pt": "lembra-me amanhã às 9 de ligar ao dentista",
    "ru": "напомни завтра в 9 позвонить врачу",
    "tr": "yarın saat 9'da dişçiyi aramayı hatırlat",
    "zh": "明天上午9点提醒我给牙医打电话",
}
PUT_RIGHT = {
    "de": ("um 11, nicht um 9", "nicht um 9, um 11", "nicht um 9, sondern um 11", "nein, um 11", "lieber um 11"),
    "en": ("at 11, not at 9", "not 9, 11", "no, make it 11", "11 instead", "no wait 11"),
    "es": (
        "a las 11, no a las 9",
        "no a las 9, sino a las 11",
        "perdona, a las 11",
        "mejor a las 11",
        "que sea a las 11",
    ),
    "fr": (
        "à 11 h, pas à 9 h",
        "pas à 9 h mais à 11 h",
        "non, à 11 h",
        "plutôt à 11 h",
        "disons 11 h",
        "déplace-le à 11 h",
    ),
    "it": (
        "alle 11, non alle 9",
        "non alle 9 ma alle 11",
        "no, alle 11",
        "scusa, alle 11",
        "facciamo alle 11",
        "spostalo alle 11",
    ),
    "pt": ("às 11, não às 9", "não às 9, mas às 11", "não, às 11", "melhor às 11", "deixa às 11", "muda para as 11"),
    "ru": ("в 11, а не в 9", "не в 9, а в 11", "нет, в 11", "лучше в 11", "давай в 11"),
    "tr": ("saat 11'de, 9'da değil", "9'da değil, 11'de", "hayır, 11'de", "11 olsun", "yok 11 olsun"),
    "zh": ("11点，不是9点", "不是9点，是11点", "不，11点", "改到11点"),
}
MONTHS = {
    "de": ("erinner mich am 5. Januar um 9 an die Bank", "quatsch im Februar"),
    "en": ("remind me to call the bank on 5 january at 9", "no wait february"),
    "es": ("recuérdame el 5 de enero a las 9 llamar al banco", "no, en febrero"),
    "fr": ("rappelle-moi d'appeler la banque le 5 janvier à 9h", "non pardon en février"),
    "it": ("ricordami il 5 gennaio alle 9 di chiamare la banca", "no scusa a febbraio"),
    "pt": ("me lembra de ligar pro banco no dia 5 de janeiro às 9", "não, em fevereiro"),
    "ru": ("напомни 5 января в 9 позвонить в банк", "ой в феврале"),
    "tr": ("5 ocak saat 9'da bankayı aramayı hatırlat", "yok şubatta"),
    "zh": ("提醒我1月5日上午9点给银行打电话", "不对，二月"),
}
TOLD = (
    "nein, nicht um alles in der Welt",
    "no, no quiero",
    "non, pas maintenant",
    "не в этом дело",
    "давай потом поговорим",
    "no, may i ask",
    "不是这样的",
)


def kept(world: World) -> list[str]:
    with world.database.read() as db:
        found = tasks.in_list(db, tasks.REMINDERS)
    return [f"{one.due_at.astimezone(LISBON):%m-%d %H:%M}" for one in found if one.due_at is not None]


def _writing(world: World, language: str) -> Human:
    theirs = replace(world, settings=world.settings.model_copy(update={"furoshiki_language": language}))
    return Human(theirs, Worker(theirs))


@pytest.mark.parametrize("language", MONTHS)
async def test_the_month_is_put_right(world: World, model: Script, language: str) -> None:
    reflexive(model)
    human = _writing(world, language)
    asked, put_right = MONTHS[language]
    await human.says(asked)
    assert kept(world) == ["01-05 09:00"]
    await human.says(put_right)
    assert kept(world) == ["02-05 09:00"]


@pytest.mark.parametrize(
    ("language", "said"), [(code, said) for code, every in sorted(PUT_RIGHT.items()) for said in every]
)
async def test_the_hour_is_put_right(world: World, model: Script, language: str, said: str) -> None:
    reflexive(model)
    human = _writing(world, language)
    await human.says(ASKED[language])
    assert kept(world) == ["03-25 09:00"]
    await human.says(said)
    assert kept(world) == ["03-25 11:00"]


@pytest.mark.parametrize("said", TOLD)
async def test_words_that_name_no_hour_move_nothing(world: World, human: Human, model: Script, said: str) -> None:
    reflexive(model)
    await human.says(ASKED["en"])
    await human.says(said)
    assert kept(world) == ["03-25 09:00"]


async def test_what_is_put_on_a_list_moves_no_reminder(world: World, model: Script) -> None:
    reflexive(model)
    human = _writing(world, "es")
    await human.says(ASKED["es"])
    [answer, *_] = await human.says("pon leche y pan en la lista y recuérdame mañana a las 8 la carta")
    assert "No encuentro" not in answer
    assert kept(world) == ["03-25 08:00", "03-25 09:00"]
