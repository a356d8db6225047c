"""Without a model the present fact is told, and the old one when it is asked for; to a model an old one is marked."""

from __future__ import annotations

import random

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.conversation.skills import registry
from furoshiki.conversation.skills.skill import Place, SkillContext
from furoshiki.models.llm.values import ToolCall
from furoshiki.world import World
from tests.support.world import FrozenClock, Human, Script

CHANGED = [
    ("hi I'm Joe", "i live in Lisbon", "I've moved to Porto", "where do i live?", "where did i live before?"),
    ("hallo", "ich wohne in Lisbon", "ich bin nach Porto gezogen", "wo wohne ich?", "wo hab ich früher gewohnt?"),
    ("hola", "vivo en Lisbon", "me he mudado a Porto", "¿dónde vivo?", "¿dónde vivía antes?"),
    (
        "salut",
        "j'habite à Lisbon",
        "j'ai déménagé à Porto",
        "où est-ce que j'habite ?",
        "où est-ce que j'habitais avant ?",
    ),
    ("ciao, sono Joe", "abito a Lisbon", "mi sono trasferita a Porto", "dove abito?", "dove abitavo prima?"),
    ("oi", "moro em Lisbon", "me mudei para Porto", "onde eu moro?", "onde eu morava antes?"),
    ("привет", "я живу в Лиссабоне", "переехала в Порту", "где я живу?", "где я жила раньше?"),
    ("merhaba", "Lizbon'da yaşıyorum", "Porto'ya taşındım", "nerede yaşıyorum?", "önceden nerede yaşıyordum?"),
    ("你好", "我住在里斯本", "我搬到波尔图了", "我住哪里？", "我以前住哪里？"),
]


@pytest.fixture(autouse=True)
def reflex(model: Script) -> None:
    """The built-in mind answers everything."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 60


@pytest.mark.parametrize(("hello", "then", "now", "asked", "asked_before"), CHANGED)
async def test_what_holds_is_told_and_what_was_before_when_asked(
    human: Human, clock: FrozenClock, hello: str, then: str, now: str, asked: str, asked_before: str
) -> None:
    await human.says(hello)
    for said in (then, now):
        clock.pass_(minutes=900)
        await human.says(said)
    clock.pass_(minutes=900)
    [present] = await human.says(asked)
    assert (now in present, then in present) == (True, False), present
    clock.pass_(minutes=30)
    [past] = await human.says(asked_before)
    assert (then in past, now in past) == (True, False), past


async def test_a_turn_that_told_what_is_over_is_marked_for_a_model(
    world: World, human: Human, clock: FrozenClock
) -> None:
    await human.says("hi I'm Joe")
    for said in ("i live in Lisbon", "I've moved to Porto"):
        clock.pass_(minutes=900)
        await human.says(said)
    doing = SkillContext(world, None, Place("inbox:1", "telegram", "7", "owner"))
    found = await registry.run(doing, ToolCall("1", "recall", {"query": "where do they live"}))
    lines = [line for line in found.text.splitlines() if "Lisbon" in line and "companion" not in line]
    assert lines
    assert all("not now" in line for line in lines), lines
