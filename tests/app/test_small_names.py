"""A name in small letters is asked about and what only begins so is not: words that no head was fitted to."""

from __future__ import annotations

import random

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.app.wiring import load_meaning_head
from furoshiki.core import catalogue
from furoshiki.language.facts.names import find_name, guess_name
from furoshiki.language.testimony import Own, own
from furoshiki.owner.user_model import user
from furoshiki.world import World
from tests.support.meaning import Meant
from tests.support.world import Human, Script

NAMES = """
en hi im gwen|en its bruno|en hey i'm yusuf|de ich bin frieda|es soy rosalía|fr je suis maxime|fr c'est noémie
it sono vittoria|it io sono emanuele|pt sou a joana|ru я ваня|ru привет, я оксана|tr ben merve|tr merhaba ben emir
zh 我是小刚|zh 我是刘欢|tr selam ben nazlı|pt oi sou caio|de hallo bin frieda|ru я света
"""
OTHERS = """
en im starving|en its snowing|en im outside|de ich bin heiser|de ich bin friseurin|es soy electricista|es soy alto
fr je suis dehors|fr c'est nul|it sono in pausa|it sono idraulico|pt sou arquiteta|pt sou alto|ru я замёрз|ru я юрист
zh 我是记者|zh 我是左撇子|en im a cashier|de ich bin maurer|es hola soy pintora|fr je suis facteur|it sono postino
pt sou mecânico|ru я слесарь|tr ben çevirmen|tr ben dişçi|tr ben oyuncu|tr selam ben dansçı|zh 我是画家
"""


def rows(table: str) -> list[tuple[str, str]]:
    said = [line.partition(" ") for line in table.strip().replace("\n", "|").split("|")]
    return [(language, text) for language, _, text in said]


def guessed(language: str, text: str) -> str | None:
    encoder, [vector] = Meant().said([text], multilingual=language != "en")
    head = load_meaning_head(encoder)
    assert head is not None
    with catalogue.speaking(language):
        assert find_name(own(text, ())) is None
        return guess_name(own(text, ()), head.shares(vector, text))


@pytest.mark.parametrize(("language", "text"), rows(NAMES))
def test_a_name_in_small_letters_is_heard(language: str, text: str) -> None:
    assert (guessed(language, text) or "").casefold() == text.split()[-1].removeprefix("我是")


@pytest.mark.parametrize(("language", "text"), rows(OTHERS))
def test_what_only_begins_so_is_no_name(language: str, text: str) -> None:
    assert guessed(language, text) is None


@pytest.mark.parametrize(
    ("text", "name"), [("hi its tasha", "Tasha"), ("im jonah", None), ("hi im tired", None), ("hi its late", None)]
)
def test_without_a_vector_only_a_greeting_tells(text: str, name: str | None) -> None:
    assert guess_name(Own(text), {}) == name


@pytest.mark.parametrize(("answer", "name"), [("yes", "Tasha"), ("no", None)])
async def test_it_is_asked_and_believed_with_a_yes(
    human: Human, world: World, model: Script, answer: str, name: str | None
) -> None:
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 4
    asked = await human.says("hi its tasha")
    assert "Shall I call you Tasha?" in asked[0]
    await human.says(answer)
    with world.database.read() as db:
        assert user.name(db) == name
