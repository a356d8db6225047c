"""Skills within one answer: held to the rules of every loop, on record, and never without words for the person."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from furoshiki.messages.store import act_iterations
from furoshiki.messages.store.act_iterations import Iteration
from furoshiki.models.llm.values import Answer, ToolCall
from furoshiki.world import World
from tests.support.world import Human, Script

PLACES = ("the harbour", "a red kite", "her birthday", "rent", "Oporto", "the dentist", "more")


def recall(query: str) -> ToolCall:
    return ToolCall("x", "recall", {"query": query})


def rounds(world: World) -> list[Iteration]:
    with world.database.read() as db:
        return act_iterations.of_loop(db, "inbox:1")


async def test_the_rounds_of_an_answer_are_on_record(world: World, human: Human, model: Script) -> None:
    model.lines = [recall("the harbour"), "Nothing about it yet."]
    await human.says("what do you know of the harbour?")
    assert [(one.source_tag, one.number, one.stopped) for one in rounds(world)] == [("user", 1, "finished")]
    assert rounds(world)[0].actions[0].args == {"query": "the harbour"}
    await human.says("thanks")
    with world.database.read() as db:
        assert act_iterations.of_loop(db, "inbox:2") == []


@pytest.mark.parametrize(
    ("queries", "stopped", "note"),
    [
        (itertools.repeat("the harbour"), "same", "no tool is run any more for this message"),
        (itertools.cycle(("old harbour", "harbour, old", "harbour old")), "circles", "These steps repeat"),
        (iter(PLACES), "rounds", "say plainly what is missing"),
    ],
)
async def test_a_mind_that_does_not_stop_is_told_and_answered_for(
    world: World, human: Human, model: Script, queries: Any, stopped: str, note: str
) -> None:
    model.lines = [lambda _: recall(next(queries))] * 20
    [said] = await human.says("tell me about the harbour")
    assert said.startswith("I have been looking into this and did not get to the end of it")
    assert rounds(world)[-1].stopped == stopped
    assert len(rounds(world)) <= 5
    assert note in model.questions[-1].messages[-1].text
    assert not any(note in message.text for message in model.questions[-2].messages)


async def test_ten_thousand_calls_at_once_are_eight(world: World, human: Human, model: Script) -> None:
    many = tuple(recall(f"place {number}") for number in range(10_000))
    model.lines = [Answer("", "tools", "scripted", "script", "chat", many), "That was a lot."]
    assert await human.says("look everything up") == ["That was a lot."]
    assert len(rounds(world)[0].actions) == 8
