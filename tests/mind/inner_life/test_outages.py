"""What each step does while its model is away, by the reason, and that it does it once when a model is there again.

| | no model configured | no connection, refused key, spent budget | answers of no use |
|---|---|---|---|
| reading a session, profile, journal, deep reflection | by rule, for good | waits | waits |
| the steps of consolidation | by rule where there is one | waits | waits |
| questions to itself | plainly from memory, else open | waits, not counted as looked into | again tomorrow |
| looks ahead and back, contemplation, promises | nothing is written | waits | waits |

What waits is asked about after 20 minutes, then after twice as long, and so on up to 23 hours; one answer to any of
them ends the waiting of all that found nobody. The other steps of the night are in test_outages_of_thinking.py.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import get_args

import pytest

from furoshiki.core.paths import ROOT
from furoshiki.messages.store import sessions
from furoshiki.mind.consolidation.synthesis import insights
from furoshiki.mind.inner_life.journal import contemplation, monologue
from furoshiki.mind.inner_life.questions import processing
from furoshiki.mind.inner_life.self_model import deep_reflection
from furoshiki.mind.inner_life.store import monologue as monologue_store
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.mind.post_conversation.due import run_post_conversation
from furoshiki.mind.post_conversation.reading import read_sessions
from furoshiki.owner.user_model import profile
from furoshiki.owner.user_model.store import profiles
from furoshiki.world import World
from tests.support.outages import Condition, House, Provider
from tests.support.thinking import Night, night
from tests.support.wondering import wonder

__all__ = ["night"]

AWAY: tuple[Condition, ...] = ("down", "401", "budget", "garbage")

SAID = (
    "They swim in the sea after hard days.",
    "They work at the harbour in Porto.",
    "They have a sister called Anika.",
    "They play chess on Sundays.",
    "They drink their coffee black.",
    "They are afraid of the dentist.",
)
WHY = "What do they do after hard days?"


async def _insights(world: World, night: Night) -> object:
    return await insights.step(world, dataclasses.replace(night.cycle, now=world.now))


async def _deep_reflection(world: World, night: Night) -> object:
    with world.database.write() as db:
        if monologue_store.last(db, "journal") is None:  # without an entry there is nothing to look at
            monologue_store.add(
                db, "journal", "2026-03-24", [monologue_store.Passage("A calm day.", ())], "rule", 1, world.now
            )
    return await deep_reflection.reflect(world)


Step = Callable[[World, Night], Awaitable[object]]
STEPS: dict[str, tuple[str, Step]] = {
    "reading a session": ("post_conversation", lambda world, _: read_sessions(world)),
    "profile": ("profile", lambda world, _: profile.refine(world)),
    "journal": ("inner_monologue.journal", lambda world, _: monologue.night(world)),
    "look ahead": ("inner_monologue.morning", lambda world, _: monologue.morning(world)),
    "look back": ("inner_monologue.afternoon", lambda world, _: monologue.afternoon(world)),
    "contemplation": ("inner_monologue.contemplation", lambda world, _: contemplation.contemplate(world)),
    "deep reflection": ("deep_reflection", _deep_reflection),
    "questions to itself": ("question_processing", lambda world, _: processing.process(world)),
    "insights": ("consolidation.questions", _insights),
}
ASKED_AGAIN = frozenset({"deep reflection"})
"""Its smallest answer is refused whole, and then the week is looked at again by design."""


@pytest.fixture
def house(night: Night) -> House:
    night.learns(*SAID)
    wonder(night.world, [WHY], "sessions:s1")
    with night.world.database.write() as db:
        db.execute("UPDATE memories SET index_state='indexed'")
    night.clock.pass_(hours=1)
    return House(night, Provider())


def test_every_condition_is_in_the_table() -> None:
    assert {"no model", *AWAY} == set(get_args(Condition))


@pytest.mark.slow
@pytest.mark.parametrize("condition", AWAY)
@pytest.mark.parametrize("step", STEPS)
async def test_a_step_is_done_once_when_the_model_is_back(house: House, step: str, condition: Condition) -> None:
    purpose, run = STEPS[step]
    house.condition = condition
    await run(house.world, house.night)
    if condition == "budget":
        assert house.provider.calls == []
    else:
        assert purpose in house.provider.calls
    assert purpose not in house.provider.answered
    if condition != "garbage":
        assert purpose in house.waiting()
    house.passes(hours=24)
    house.condition = None
    await run(house.world, house.night)
    assert purpose in house.provider.answered, "it was lost"
    assert house.waiting() == []
    times = house.provider.answered.count(purpose)
    house.passes(minutes=1)
    await run(house.world, house.night)
    assert house.provider.answered.count(purpose) == times or step in ASKED_AGAIN


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
async def test_without_any_model_nothing_waits_for_one(house: House, step: str) -> None:
    house.condition = "no model"
    await STEPS[step][1](house.world, house.night)
    assert (house.provider.calls, house.waiting()) == ([], [])


@pytest.mark.slow
@pytest.mark.parametrize("condition", AWAY)
async def test_three_days_of_an_outage_cost_next_to_nothing(house: House, condition: Condition) -> None:
    """Every step is begun every 20 minutes, which is far more often than any schedule has it."""
    house.condition = condition
    quick = {"reading a session", "journal", "questions to itself"}
    for _ in range(3 * 24 * 3):
        house.passes(minutes=20)
        for step in quick:
            await STEPS[step][1](house.world, house.night)
    of_reading = [one for one in house.provider.calls if one == "post_conversation"]
    tries = {"down": 3, "401": 1, "budget": 0, "garbage": 2}[condition]
    assert len(of_reading) <= tries * 10


async def test_a_session_waits_for_its_reading_and_is_then_read_once(house: House) -> None:
    """And the reading by rule, which is all there would be without any model, does not take its place."""
    house.condition = "down"
    report = await read_sessions(house.world)
    assert not report.did and "to be read when there is a model" in report.summary
    with house.night.world.database.read() as db:
        assert sessions.latest(db) == []
        assert run_post_conversation(db, house.night.clock.at + timedelta(minutes=10)) is None
        assert run_post_conversation(db, house.night.clock.at + timedelta(minutes=20)) is not None
    house.passes(minutes=20)
    house.condition = None
    assert (await read_sessions(house.world)).did
    assert not (await read_sessions(house.world)).did
    with house.night.world.database.read() as db:
        assert len(sessions.latest(db)) == 1
    assert house.provider.answered.count("post_conversation") == 1


async def test_without_any_model_a_session_is_read_by_rule_for_good(house: House) -> None:
    house.condition = "no model"
    assert (await read_sessions(house.world)).did
    house.condition = None
    house.passes(hours=24)
    await read_sessions(house.world)
    assert "post_conversation" not in house.provider.calls
    with house.night.world.database.read() as db:
        assert len(sessions.latest(db)) == 1
        assert profiles.find_profile(db) is not None


async def test_a_question_nobody_could_look_into_is_not_counted_as_looked_into(house: House) -> None:
    house.condition = "401"
    await processing.process(house.world)
    with house.night.world.database.read() as db:
        [one] = self_questions.every(db)
    assert (one.state, one.looked_at) == ("open", None)


async def test_one_answer_ends_the_waiting_of_all_that_found_nobody(house: House) -> None:
    house.condition = "down"
    for step in ("journal", "profile"):
        await STEPS[step][1](house.world, house.night)
    assert sorted(house.waiting()) == ["inner_monologue.journal", "profile"]
    house.passes(minutes=25)
    house.condition = None
    await STEPS["journal"][1](house.world, house.night)
    assert house.waiting() == []


ASKS = re.compile(r"\b(world|asker)\.ask\(")


def test_every_script_asks_patiently() -> None:
    """Code that asks a model without a person waiting goes through `background`, where outages are waited out."""
    at_once = {
        "appearance.py",
        "background.py",
        "believing.py",
        "danger.py",
        "deliberate.py",
        "proposing.py",
        "remind.py",
        "routing.py",
        "second_thoughts.py",
        "signals.py",
    }
    asking = {path.name for path in (ROOT / "furoshiki").rglob("*.py") if ASKS.search(path.read_text("utf-8"))}
    assert asking == at_once
