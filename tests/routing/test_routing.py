"""Which way a message is answered, through the real turn: what is written, what the mind is told, what it weighs."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest

from furoshiki.routing.store import decisions
from furoshiki.routing.store.decisions import Decision
from furoshiki.world import World
from tests.support.world import Human, Script


def written(world: World) -> list[Decision]:
    """All decisions, newest first."""
    with world.database.read() as db:
        return decisions.in_chat(db, "telegram", "7", 99)


async def test_a_message_is_routed_and_the_mind_is_told_of_it(world: World, human: Human, model: Script) -> None:
    model.lines = ["Hi Noor.", "It is on your list."]
    await human.says("hi, I'm Noor and I have just moved to Lisbon")
    await human.says("add rye bread to my shopping list")
    second, first = written(world)
    assert (first.mode, first.previous_mode, second.mode, second.previous_mode) == ("RESPOND", None, "ACT", "RESPOND")
    assert second.signals["action_intent"] is True and second.signals["tokens"] == 7
    assert second.scores["ACT"] > second.scores["RESPOND"] > second.scores["CLARIFY"]
    assert second.warmth == pytest.approx(0.5 / 3) and 0 < second.margin < 0.3 and second.ms < 1000
    assert (second.weights_version, second.path, second.acted) == (0, "unified", False)
    assert "They want something done, not talked about" in model.last_words
    assert "something done" not in model.questions[0].messages[-1].text


async def test_no_hint_is_given_where_they_are_switched_off(world: World, human: Human, model: Script) -> None:
    settings = world.settings.model_copy(update={"furoshiki_router_hints": False})
    human.worker.world = replace(world, settings=settings)
    await human.says("add rye bread to my shopping list")
    assert "something done" not in model.last_words
    assert written(world)[0].mode == "ACT", "it is still written down"


async def test_a_changed_weight_routes_the_next_message(world: World, human: Human) -> None:
    await human.says("thanks, that helped")
    path = world.home / "memory" / "mode_router.json"
    path.write_text(json.dumps({"version": 4, "weights": {"acknowledge_praise": 0.5, "respond_praise": 0.25}}))
    await human.says("thanks, that helped")
    after, before = written(world)
    assert after.scores["ACKNOWLEDGE"] == pytest.approx(before.scores["ACKNOWLEDGE"] + 0.1)
    assert (before.weights_version, after.weights_version) == (0, 4)
    path.unlink()
    await human.says("thanks, that helped")
    assert written(world)[0].weights_version == 0


async def test_broken_weights_are_told_once_and_the_shipped_ones_hold(
    world: World, human: Human, caplog: pytest.LogCaptureFixture
) -> None:
    path = world.home / "memory" / "mode_router.json"
    path.write_text('{"version": 2, "weights": {"act_bse": 0.2}}')
    await human.says("hello there")
    await human.says("and how are you?")
    assert [one.weights_version for one in written(world)] == [0, 0]
    told = [one.getMessage() for one in caplog.records if "mode_router.json" in one.getMessage()]
    assert len(told) == 1 and "did you mean 'act_base'" in told[0] and "shipped weights" in told[0]
    os.utime(path, ns=(1, 1))
    await human.says("fine, thanks")
    assert written(world)[0].weights_version == 0


async def test_why_tells_which_way_it_was_taken(human: Human) -> None:
    await human.says("remind me to call Anika on Sunday at ten")
    [told] = await human.says("/why")
    assert "I took your message for something to be done or looked up: you asked for something to be done." in told
