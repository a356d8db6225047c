"""Whoever writes in a language the built-in mind does not speak is told so in it, kept and quoted word for word."""

from __future__ import annotations

import random

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.messages.store import turns
from furoshiki.world import World
from tests.support.abroad import KEYS, SPOKEN
from tests.support.world import FrozenClock, Human, Script


@pytest.fixture(autouse=True)
def reflex(model: Script) -> None:
    """The built-in mind answers everything."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 60


@pytest.mark.parametrize(("code", "told", "remark", "question"), KEYS)
async def test_it_says_so_once_keeps_the_words_and_finds_them_again(
    code: str, told: str, remark: str, question: str, world: World, human: Human, clock: FrozenClock
) -> None:
    one = SPOKEN[code]
    assert await human.says(told) == [one.first.format(me="Furo")]
    assert (await human.says(remark))[0] in one.again
    clock.pass_(days=3)
    [answer] = await human.says(question)
    assert answer == f"{one.quoted.format(day='2026-03-24', words=told)} {one.first.format(me='Furo')}"
    with world.database.read() as db:
        assert {told, remark, question} <= {turn.text for turn in turns.recent(db, "telegram", "7", 20)}


async def test_it_is_said_once_in_a_long_conversation_too(human: Human) -> None:
    await human.says("hoy estoy muy cansado")
    for number in range(12):
        await human.says(f"the box with number {number} is in the cellar")
    assert (await human.says("no puedo dormir esta noche"))[0] in SPOKEN["es"].again


async def test_a_greeting_that_is_plainly_foreign_gets_no_english_one(human: Human) -> None:
    assert await human.says("merhaba, nasılsın?") == [SPOKEN["tr"].first.format(me="Furo")]


async def test_what_was_never_written_is_not_made_up(human: Human) -> None:
    await human.says("hoy estoy muy cansado")
    assert await human.says("¿dónde está la llave?") == [SPOKEN["es"].asked]


async def test_english_is_answered_in_english_again(human: Human) -> None:
    await human.says("hoy estoy muy cansado")
    assert "Noor" in (await human.says("sorry, I meant: my name is Noor"))[0]


@pytest.mark.parametrize("said", ["hola!", "danke", "schadenfreude is a great word", "c'est la vie", "haha", "ok"])
async def test_a_loan_word_is_no_language(said: str, human: Human) -> None:
    await human.says("hello")
    assert "only speak" not in (await human.says(said))[0]


async def test_commands_and_reminders_work_whatever_language_the_talk_is_in(human: Human) -> None:
    await human.says("hoy estoy muy cansado")
    assert "/forget" in (await human.says("/help"))[0]
    assert "18:00" in (await human.says("remind me at 18:00 to call Ana"))[0]
