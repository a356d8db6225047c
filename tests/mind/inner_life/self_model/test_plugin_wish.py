"""After a long look at itself the companion may wish for one plugin, where its owner lets it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from furoshiki.extensions.plugins.store import jobs
from furoshiki.mind.inner_life import due
from furoshiki.mind.inner_life.self_model import plugin_wish
from furoshiki.mind.inner_life.store import drift
from furoshiki.mind.inner_life.store.drift import Ground, NewDrift
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import World
from tests.support.world import FrozenClock, Script

THEME = "They wondered every morning whether the ferry would go."


def look(world: World) -> None:
    new = NewDrift("I am.", "I am.", "", 1.0, 0.0, (Ground(THEME, kind="theme"),), (), "local", 0, "applied")
    with world.database.write() as db:
        drift.add(db, new, world.now)


def wishes(wish: str | None) -> object:
    def answer(question: Question) -> Answer:
        parsed = plugin_wish.ReadWish(wish=wish)
        return Answer("", "stop", "scripted", "script", question.tier, parsed=parsed)

    return answer


def reason(world: World) -> str | None:
    with world.database.read() as db:
        return due.plugin_wish(db, world.now)


@pytest.mark.parametrize(
    ("allowed", "said", "taken"),
    [
        ("own", "say in the morning whether the ferry goes", ["say in the morning whether the ferry goes"]),
        ("own", None, []),
        ("owner", "say in the morning whether the ferry goes", []),
    ],
)
def test_one_wish_after_a_look_where_it_may(
    world: World, model: Script, clock: FrozenClock, allowed: str, said: str | None, taken: list[str]
) -> None:
    world = replace(world, settings=world.settings.model_copy(update={"furoshiki_plugin_wishes": allowed}))
    assert reason(world) is None
    look(world)
    assert reason(world) is not None
    model.lines = [wishes(said)]
    asyncio.run(plugin_wish.wish(world))
    assert (len(model.questions) == 1) is (allowed == "own")
    assert allowed != "own" or THEME in model.last_words
    with world.database.read() as db:
        assert [one.wish for one in jobs.of_states(db)] == taken
        assert {one.source for one in jobs.of_states(db)} <= {"reflection"}
    assert reason(world) is None
    clock.pass_(days=2)
    look(world)
    model.lines = [wishes("count the gulls on the roof across the street")]
    asyncio.run(plugin_wish.wish(world))
    with world.database.read() as db:
        assert len(jobs.of_states(db)) == len(taken) + (allowed == "own" and not taken)
