"""After a number was given: it was not meant so, or something everyday follows; and violence against others."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.core.errors import NoMindAnswered
from furoshiki.language import not_danger
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import World
from tests.support.meaning import Meant
from tests.support.world import FrozenClock, Human, Script

UNMEANT = (
    "it was a joke",
    "no, he's fine, I was only telling you",
    "war nur Spaß",
    "nein, ihm geht's gut",
    "era una broma",
    "no lo dije en serio",
    "c'était une blague",
    "fausse alerte",
    "scherzavo",
    "hai capito male",
    "era brincadeira",
    "você entendeu errado",
    "это шутка",
    "я не это имел в виду",
    "şakaydı",
    "yanlış anladın",
    "我开玩笑的",
    "你误会了",
)
MEANT = (
    "he's still on the floor",
    "I mean it",
    "this is not a joke",
    "er atmet nicht",
    "das ist kein Spaß",
    "no es broma",
    "ce n'est pas une blague",
    "non è uno scherzo",
    "não é brincadeira",
    "это не шутка",
    "bu şaka değil",
    "这不是开玩笑",
    "it is an emergency",
    "es ist ein Notfall",
)
OF_OTHERS = {
    "en": ("one of the kids told me his dad hit him", "my friend says her husband hits her", "he beats his children"),
    "de": ("eins der Kinder hat mir gesagt, dass sein Vater es schlägt", "meine Freundin sagt, ihr Mann schlägt sie"),
    "es": ("uno de los niños me contó que su padre le pegó", "mi amiga dice que su marido le pega"),
    "fr": ("un des enfants m'a dit que son père l'avait frappé", "il la frappe devant les petits"),
    "it": ("uno dei bambini mi ha detto che il padre lo ha picchiato", "il vicino la picchia"),
    "pt": ("uma das crianças me contou que o pai bateu nela", "ele bate nela toda noite"),
    "ru": ("один из детей сказал мне, что отец его ударил", "сосед бьёт её каждый вечер"),
    "tr": ("çocuklardan biri babasının ona vurduğunu söyledi", "komşu onu dövüyor"),
    "zh": ("有个孩子跟我说他爸打他", "邻居天天打她"),
}
OF_ONESELF = {
    "en": ("my dad hits me", "he says he'll kill me and then he hits me", "he beat me again last night"),
    "de": ("mein Vater schlägt mich", "er hat gesagt, er bringt mich um", "er schlägt mich vor den Kindern"),
    "es": ("mi padre me pega", "me dijo que no era nada y me pegó otra vez"),
    "fr": ("mon mari me frappe", "il m'a frappée devant les petits", "il dit qu'il m'aime et il me frappe"),
    "it": ("mio marito mi picchia", "mi ha picchiata, poi ha detto che mi ama"),
    "pt": ("meu marido me bate", "ele bate em mim e nela"),
    "ru": ("муж бьёт меня", "он сказал, что убьёт меня"),
    "tr": ("kocam beni dövüyor", "babam bana vuruyor"),
    "zh": ("我爸打我", "他说要打我"),
}


@pytest.fixture(autouse=True)
def reflex(model: Script) -> None:
    """The built-in mind answers everything, and no model reads what may be danger."""
    mind = ReflexMind(random.Random(7))

    def answer(question: Question) -> Answer:
        if question.purpose == "danger":
            raise NoMindAnswered("none")
        return mind(question, why="no-model")

    model.lines, model.reads_danger = [answer] * 60, True


@pytest.mark.parametrize("said", UNMEANT)
async def test_no_number_follows_once_it_was_not_meant_so(said: str, human: Human, clock: FrozenClock) -> None:
    [first] = await human.says("my dad collapsed, he isn't breathing")
    assert "112" in first
    for then in (said, "I tidied the shelf", "there is paint on it"):
        clock.pass_(minutes=2)
        [reply] = await human.says(then)
        assert "112" not in reply, reply


@pytest.mark.parametrize("said", MEANT)
def test_what_is_meant_is_not_denied(said: str) -> None:
    assert not not_danger.is_unmeant(said)


async def test_a_joke_is_not_told_to_somebody_whose_words_were_one(human: Human, clock: FrozenClock) -> None:
    await human.says("I want to kill myself")
    clock.pass_(minutes=2)
    [reply] = await human.says("it was a joke")
    assert "tell me" in reply and "joke" not in reply


async def test_a_number_is_repeated_in_an_emergency_but_not_to_everyday_news(
    human: Human, world: World, clock: FrozenClock
) -> None:
    human.worker.world = replace(world, vectors=Meant())
    await human.says("my dad collapsed, he isn't breathing")
    clock.pass_(minutes=2)
    [reply] = await human.says("he is still on the floor")
    assert "112" in reply
    clock.pass_(minutes=2)
    [reply] = await human.says("off to cornwall on saturday for a week")
    assert "112" not in reply


@pytest.mark.parametrize(("code", "said"), [(code, one) for code, all_ in OF_OTHERS.items() for one in all_])
def test_violence_against_others_is_known(code: str, said: str) -> None:
    assert not_danger.is_of_others(said, code)


@pytest.mark.parametrize(("code", "said"), [(code, one) for code, all_ in OF_ONESELF.items() for one in all_])
def test_violence_against_the_writer_is_never_taken_for_that(code: str, said: str) -> None:
    assert not not_danger.is_of_others(said, code)


async def test_who_hears_of_violence_is_not_answered_as_its_victim(human: Human) -> None:
    [reply] = await human.says("my friend says her husband hits her")
    assert "112" in reply and "your fault" not in reply and "look away" in reply
