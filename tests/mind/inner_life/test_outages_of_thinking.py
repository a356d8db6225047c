"""The night's steps, promises and curiosities while their model is away: nothing is marked done that nobody did."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from furoshiki.conversation.commands import status
from furoshiki.memory import weighing
from furoshiki.memory.store import links
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.synthesis import (
    insights,
    merging,
    narratives,
    recompression,
    reconsolidation,
    tensions,
)
from furoshiki.mind.inner_life.questions import exploration
from furoshiki.mind.inner_life.self_model import commitments
from furoshiki.mind.inner_life.store import patterns, self_questions
from furoshiki.world import World
from tests.support.nights import near
from tests.support.nights_insights import QUESTIONS, TEXT, found
from tests.support.nights_tensions import ACT, VALUE
from tests.support.outages import Condition, House, Provider
from tests.support.promising import SHOULD, WHY
from tests.support.thinking import SEA, Night, night
from tests.support.wondering import sort, wonder

__all__ = ["night"]

AWAY: tuple[Condition, ...] = ("down", "401", "budget")


async def _nothing(_night: Night) -> None:
    pass


async def _at_length(night: Night) -> None:
    night.learns(*(f"{text[:-1]}, and have done so since they moved to the harbour." for text in SEA[:2]))


async def _conduct(night: Night) -> None:
    (valued,) = night.learns(VALUE, type_="preference")
    night.learns(ACT)
    night.weighs(valued, 8.0, 2.0)


async def _contradicted(night: Night) -> None:
    night.says(QUESTIONS, found((TEXT, [1, 3, 4])))
    await insights.step(night.world, night.cycle)
    (held,) = night.all("reflection")
    night.clock.pass_(days=1)
    (new,) = night.learns("They moved to the mountains and walk in the forest after hard days.")
    with night.world.database.write() as db:
        links.link(db, new, held.id, "contradicts", 0.8, night.clock.at)


async def _recurring(night: Night) -> None:
    for text in (SHOULD, WHY, SHOULD):
        wonder(night.world, [text], "inner_monologue:2026-03-24")
        night.clock.pass_(days=4)
    with night.world.database.write() as db:
        pattern = patterns.begin(db, SHOULD, night.world.now)
        for number in (1, 2):
            patterns.place(db, number, pattern)
        patterns.mark_sorted(db, 2, night.clock.at)


async def _wondering(night: Night) -> None:
    wonder(night.world, [SHOULD], "inner_monologue:2026-03-24")


async def _curious(night: Night) -> None:
    wonder(night.world, ["What do people see in old ships?"], "inner_monologue:1", kind="curiosity")


async def _to_explore(night: Night) -> None:
    wonder(night.world, ["What does the sea do after hard days?"], "inner_monologue:1", kind="curiosity")
    with night.world.database.write() as db:
        for one in self_questions.every(db):
            self_questions.sort(db, one.id, "self")


def _at(world: World) -> Cycle:
    return weighing.cycle(world, "night")


Step = tuple[str, Callable[[Night], Awaitable[None]], Callable[[World], Awaitable[object]]]
STEPS: dict[str, Step] = {
    "merging": ("consolidation.merged", _nothing, lambda world: merging.step(world, _at(world), near([1, 3]))),
    "narratives": (
        "consolidation.narrative",
        _nothing,
        lambda world: narratives.step(world, _at(world), near([1, 3, 4])),
    ),
    "tensions": ("consolidation.tensions", _conduct, lambda world: tensions.step(world, _at(world))),
    "recompression": (
        "consolidation.lines",
        _at_length,
        lambda world: recompression.step(world, _at(world), near([7, 8])),
    ),
    "reconsolidation": (
        "consolidation.rejudgement",
        _contradicted,
        lambda world: reconsolidation.step(world, _at(world)),
    ),
    "sorting": ("conduct", _wondering, commitments.learn),
    "promises": ("commitment", _recurring, commitments.learn),
    "curiosity triage": ("curiosity_triage", _curious, sort),
    "exploring": (exploration.PURPOSE, _to_explore, exploration.explore),
}


@pytest.fixture
def house(night: Night) -> House:
    night.learns(*SEA)
    return House(night, Provider())


@pytest.mark.slow
@pytest.mark.parametrize("condition", AWAY)
@pytest.mark.parametrize("step", STEPS)
async def test_a_step_is_done_once_when_the_model_is_back(house: House, step: str, condition: Condition) -> None:
    purpose, prepare, run = STEPS[step]
    await prepare(house.night)
    logged = house.night.rows("SELECT * FROM consolidation_log ORDER BY id")
    house.condition = condition
    for _ in range(2):
        await run(house.world)
        house.passes(minutes=1)
    assert house.provider.calls.count(purpose) == (0 if condition == "budget" else len(house.provider.calls))
    assert house.provider.answered == [] and house.waiting() == [purpose]
    marked = house.night.rows("SELECT * FROM consolidation_log ORDER BY id")
    assert [row for row in marked if row not in logged] == []
    house.passes(hours=24)
    house.condition = None
    await run(house.world)
    assert house.provider.answered.count(purpose) == 1, "it was lost"
    assert house.waiting() == []
    house.passes(minutes=1)
    await run(house.world)
    assert house.provider.answered.count(purpose) == 1


@pytest.mark.slow
async def test_status_names_what_waits_for_a_model(house: House) -> None:
    house.condition = "down"
    for step in ("tensions", "promises"):
        _, prepare, run = STEPS[step]
        await prepare(house.night)
        await run(house.world)
    house.passes(minutes=30)
    told = status.in_words(status.gather(house.world), house.world.now)
    assert "waiting for a model" in told and "tensions" in told and "commitment" in told
    assert "connection refused" in told
