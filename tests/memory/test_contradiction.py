"""Three layers, the cheapest first: rules, the direction of vectors, one yes or no of the smallest model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from furoshiki.core.database import kv
from furoshiki.core.errors import NoMindAnswered
from furoshiki.memory import contradiction
from furoshiki.memory.contradiction import Contradicting, Judged, by_rule_and_direction, contradicts, learn_directions
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import World
from tests.support.near import Near
from tests.support.world import Script

UNCLEAR = ("My garden is my joy", "I let the garden go to seed")


def says(verdict: bool) -> Any:
    def answer(question: Question) -> Answer:
        return Answer("", "stop", "scripted", "script", question.tier, parsed=Contradicting(contradict=verdict))

    return answer


async def test_what_the_rules_know_costs_nothing(world: World, model: Script) -> None:
    assert await contradicts(world, "They live in Paris.", "I moved to Lyon") == Judged(True)
    assert await contradicts(world, "I like long walks", "I like long walks") == Judged(False)
    assert model.questions == []


@pytest.mark.parametrize("verdict", [True, False])
async def test_what_nothing_else_tells_is_asked_alone(world: World, model: Script, verdict: bool) -> None:
    model.lines = [says(verdict)]
    assert await contradicts(world, *UNCLEAR) == Judged(verdict)
    [question] = model.questions
    assert (question.tier, question.answer, len(question.messages)) == ("micro", Contradicting, 1)
    assert UNCLEAR[0] in question.messages[0].text and "Furo" not in question.system[0].text


async def test_with_every_layer_away_the_answer_is_no(world: World, model: Script) -> None:
    model.lines = [NoMindAnswered("nobody")]
    assert await contradicts(world, *UNCLEAR) == Judged(False)
    assert by_rule_and_direction(world, *UNCLEAR) == Judged(False, open=True)


async def test_a_model_that_is_away_is_asked_once_and_the_question_stays_open(world: World, model: Script) -> None:
    model.lines = [NoMindAnswered("no connection", away=True)]
    assert await contradicts(world, *UNCLEAR) == Judged(False, open=True)
    assert len(model.questions) == 1


async def test_the_directions_are_learned_once_for_each_encoder(world: World, model: Script) -> None:
    near = Near(world)
    world = replace(world, vectors=near)
    by_rule_and_direction(world, *UNCLEAR)
    asked = len(near._encoder.asked)
    assert asked >= 2 * (len(contradiction.OPPOSED_PAIRS) + len(contradiction.ALIKE_PAIRS))
    by_rule_and_direction(world, *UNCLEAR)
    assert len(near._encoder.asked) == asked + 2
    with world.database.read() as db:
        kept = kv.get(db, "opposition.directions")
    assert len(kept["against"]) == len(kept["alike"]) == contradiction.DIRECTIONS


def test_the_direction_of_opposition_is_found_where_it_is() -> None:
    def pairs(axis: int) -> list[list[float]]:
        rows = []
        for number in range(12):
            first = [0.1 * ((number * 7 + i) % 5) for i in range(12)]
            second = list(first)
            second[axis] += 0.5
            rows += [first, second]
        return rows

    found = learn_directions(pairs(3), pairs(8))
    assert max(abs(one[3]) for one in found.against) > 0.99
    assert max(abs(one[8]) for one in found.alike) > 0.99
