"""Everyday news without a model, in English and in other languages: each kind gets a line that fits it, what is no news
none of these."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from bench.news import NONE, SAID, SAID_ENGLISH, read
from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.app.wiring import load_meaning_head
from furoshiki.core.catalogue import everywhere
from furoshiki.language.requests.news import LINES, find_kind
from furoshiki.world import World
from tests.support.meaning import Meant
from tests.support.world import FrozenClock, Human, Script

ANSWERED, RIGHT = 0.68, 0.88
"""The share of news that is taken for any kind at least, and of that the share that is of this kind."""

MOST_TAKEN = 0.06
"""This share of the lines that are no news may be taken for some."""


@pytest.fixture(autouse=True)
def reflex(model: Script) -> None:
    """The built-in mind answers everything."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 60


@pytest.mark.parametrize("path", [SAID, SAID_ENGLISH])
def test_news_is_told_by_its_kind_and_nothing_else_is(path: Path) -> None:
    found = []
    for kind, said in read(path):
        encoder, [vector] = Meant().said([said], multilingual=path == SAID)
        head = load_meaning_head(encoder)
        assert head is not None
        found.append((kind, find_kind(head.shares(vector, said)) or NONE, said))
    news = [one for one in found if one[0] != NONE]
    heard = [one for one in news if one[1] != NONE]
    assert len(heard) / len(news) >= ANSWERED
    assert sum(kind == told for kind, told, _ in heard) / len(heard) >= RIGHT
    others = [one for one in found if one[0] == NONE]
    assert len([one for one in others if one[1] != NONE]) / len(others) <= MOST_TAKEN


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("das theaterstück war öde", "bad_film"),
        ("llueve desde el martes", "weather"),
        ("le chat a fait tomber le sapin", "pet"),
        ("ho fatto il tiramisù", "food"),
        ("помыла окна", "chores"),
        ("bu romanı çok sevdim", "good_film"),
        ("面试通过了", "success"),
        ("der kollege macht sich ständig über mich lustig", "hurt"),
        ("la capo mi ha umiliata in riunione", "hurt"),
        ("babamla tartıştık yine", "quarrel"),
        ("no le importo a nadie", "sad"),
        ("собаку сбила машина, мы в клинике", "dear"),
        ("il capo mi ha fatto i complimenti davanti a tutti", "success"),
        ("wir bekommen Zwillinge", "joy"),
        ("der Junge trägt eine Zahnspange", NONE),
        ("a la abuela le ponen una cadera nueva en mayo", NONE),
        ("a maggio la nonna mette l'anca nuova", NONE),
        ("die rechnung liegt auf dem kühlschrank", NONE),
        ("mi perro se llama Toby", NONE),
        ("ma mère a un cancer", NONE),
        ("il mio medico si chiama Rossi", NONE),
        ("meu número de sapato é 38", NONE),
        ("ключ под ковриком", NONE),
        ("kan grubum sıfır pozitif", NONE),
        ("我对花生过敏", NONE),
    ],
)
async def test_a_message_is_answered_as_its_kind_is(
    said: str, kind: str, human: Human, world: World, clock: FrozenClock
) -> None:
    human.worker.world = replace(world, vectors=Meant())
    await human.says("hallo")
    clock.pass_(minutes=10)
    [reply] = await human.says(said)
    for each, lines in LINES.items():
        fits = any(words.replace("{name}", "") in reply for line in lines for words in everywhere(line))
        assert fits == (each == kind), reply


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("we won the pub quiz by one point lol", "success"),
        ("the baby has her first tooth", "joy"),
        ("got a cold again, nose like a tap", "unwell"),
        ("missed the last bus by ten seconds", "trouble"),
        ("had a good natter with my old neighbour over the fence", "visit"),
        ("my landlord is called mr hobbs", NONE),
        ("im allergic to penicillin", NONE),
        ("put eggs and flour on the shopping list", NONE),
        ("what did i say about the dentist", NONE),
        ("honestly i think politics is all noise", NONE),
        ("i feel so empty lately", NONE),
        ("i miss my gran so much", NONE),
        ("grandpa left us this morning", NONE),
        ("would have been dads 80th on friday", NONE),
        ("valentines day alone again", NONE),
        ("all my mates got in and i didnt", NONE),
    ],
)
async def test_an_english_message_is_answered_as_its_kind_is(
    said: str, kind: str, human: Human, world: World, clock: FrozenClock
) -> None:
    human.worker.world = replace(world, vectors=Meant())
    await human.says("hello")
    clock.pass_(minutes=10)
    [reply] = await human.says(said)
    for each, lines in LINES.items():
        assert any(line.replace("{name}", "") in reply for line in lines) == (each == kind), reply


async def test_after_grief_no_english_news_is_answered_lightly(human: Human, world: World, clock: FrozenClock) -> None:
    human.worker.world = replace(world, vectors=Meant())
    await human.says("my father died yesterday")
    clock.pass_(minutes=10)
    [reply] = await human.says("the baby has her first tooth")
    assert not [line for lines in LINES.values() for line in lines if line.replace("{name}", "") in reply]


def test_a_feeling_that_does_not_go_with_a_kind_outweighs_it_where_it_is_not_certain() -> None:
    assert find_kind({"joy": 0.5}, dark=True) is None
    assert find_kind({"joy": 0.9}, dark=True) == "joy"
    assert find_kind({"trouble": 0.5}, dark=True) == "trouble"
    assert find_kind({"joy": 0.3}) is None
    assert find_kind({"trouble": 0.6}, surely=True) is None
    assert find_kind({}) is None


def test_no_line_asks_and_each_kind_has_enough_not_to_repeat_itself() -> None:
    for lines in LINES.values():
        assert len(lines) >= 3
        assert not [said for line in lines for said in everywhere(line) if "?" in said or "？" in said]
