"""Looking back on how messages were answered: when, on what, by whom, and what is kept of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from furoshiki.core.errors import AnswerUnusable
from furoshiki.llm.values import Answer, Question
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, USER, NewTurn
from furoshiki.routing import due, reflection, regulator
from furoshiki.routing.reflection import LookedBack
from furoshiki.routing.store import changes, judgements
from furoshiki.world import World
from tests.support.routing import decided
from tests.support.world import FrozenClock, Script

MISSING = {
    "answers": [
        {"number": 1, "missing": ["memory_availability"], "confidence": 0.9, "why": "they  had told it before"},
        {"number": 2, "missing": [], "confidence": 0.9},
        {"number": 9, "missing": ["intent_clarity"], "confidence": 0.9, "why": "of an answer nobody showed"},
    ]
}


def says(what: object) -> object:
    def line(question: Question) -> Answer:
        parsed = LookedBack.model_validate(what)
        return Answer(json.dumps(what), "stop", "scripted", "script", question.tier, parsed=parsed)

    return line


def talked(world: World, count: int, first: int = 1) -> None:
    """So many messages, each a minute after the one before, answered in words."""
    with world.database.write() as db:
        for number in range(count):
            at = world.now - timedelta(minutes=count - number)
            key = f"inbox:{number + first}"
            for speaker, text in (
                (USER, f"what was dish {number} called?"),
                (COMPANION, f"There are many ({number})."),
            ):
                turns.add(db, NewTurn("s", "telegram", "7", speaker, text, at, turn_key=key))
            decided(db, at, turn_key=key, confidence=0.1 + number / 100, tie_break="score")


@pytest.fixture
def quiet(world: World, clock: FrozenClock) -> Iterator[World]:
    talked(world, 8)
    clock.pass_(minutes=31)
    yield world


def reason(world: World) -> str | None:
    with world.database.read() as db:
        return due.reflect(db, world.now)


async def test_five_answers_are_looked_back_on_and_what_was_said_is_kept(quiet: World, model: Script) -> None:
    model.lines = [says(MISSING)]
    report = await reflection.reflect(quiet)
    assert report.summary == "5 answers looked back on, of 1 something was missing"
    [question] = model.questions
    assert (question.tier, question.purpose) == ("reflect", "routing_reflection")
    shown = question.messages[-1].text
    assert shown.count("The message:") == 5
    assert "They: what was dish 0 called?" in shown
    assert "What they said next:" in shown
    with quiet.database.read() as db:
        made = judgements.since(db, quiet.now - timedelta(days=1))
    looked = [one.reflected for one in made if one.reflected is not None]
    assert len(looked) == 5
    assert looked[0].dimensions == ("memory_availability",)
    assert looked[0].why == "they had told it before"
    assert [one.dimensions for one in looked[1:]] == [()] * 4


async def test_it_costs_nothing_while_they_talk_nor_on_a_day_without_a_word(
    world: World, clock: FrozenClock, model: Script
) -> None:
    assert reason(world) is None
    talked(world, 30)
    assert reason(world) is None, "they are talking"
    clock.pass_(minutes=31)
    assert reason(world) is not None
    model.lines = [says({"answers": []})]
    await reflection.reflect(world)
    clock.pass_(hours=2)
    assert reason(world) is None, "once a day"
    assert not (await reflection.reflect(world)).did
    clock.pass_(hours=19)
    assert reason(world) is None, "a day without a word"
    talked(world, 1, first=31)
    clock.pass_(minutes=31)
    assert reason(world) is not None, "they talked again"
    assert len(model.questions) == 1


async def test_where_nothing_heeds_the_router_nobody_is_asked_and_nothing_moves(quiet: World) -> None:
    off = replace(quiet, settings=quiet.settings.model_copy(update={"furoshiki_router_hints": False}))
    assert (await reflection.reflect(off)).summary == "nothing is done otherwise for how messages are judged"
    assert reason(quiet) is None
    with quiet.database.write() as db:
        decided(db, quiet.now, 30, tie_break="score")
    assert not regulator.regulate(off).did
    with quiet.database.read() as db:
        assert not changes.every(db)


async def test_what_the_owner_praised_is_not_asked_about(quiet: World) -> None:
    with quiet.database.write() as db:
        for one in judgements.since(db, quiet.now - timedelta(days=1))[:4]:
            judgements.label(db, one.id, "correct_route", "reaction", quiet.now)
    assert reason(quiet) is None


async def test_without_a_usable_answer_nothing_is_kept_and_nobody_is_asked_again_at_once(
    quiet: World, model: Script
) -> None:
    model.lines = [AnswerUnusable("no JSON")]
    assert not (await reflection.reflect(quiet)).did
    assert reason(quiet) is None
    with quiet.database.read() as db:
        assert len(judgements.open_since(db, quiet.now - timedelta(days=1))) == 8
