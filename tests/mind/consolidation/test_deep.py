"""One cycle of many steps, each once; cut off, the next run finishes it, and a second one changes nothing more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.database import kv
from furoshiki.core.errors import NoMindAnswered, StorageUnavailable
from furoshiki.memory import concepts
from furoshiki.memory.store import accesses
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation import deep, due, light
from furoshiki.mind.consolidation.store import consolidation
from furoshiki.models.llm.values import Answer
from furoshiki.world import World
from tests.support.consolidating import EVERYTHING, Night, days, iso
from tests.support.deaths import Trial, Work, opened, rows_in
from tests.support.dying_night import NIGHT, ask, awake_in, world_in
from tests.support.world import FrozenClock, Script


@pytest.fixture
def night(night: Night) -> Night:
    """A night with a mind that answers in the form it is asked for."""
    return replace(night, world=replace(night.world, ask=ask))


LONG_AGO = {"days_ago": 100, "beta": 20.0}


def fill(night: Night) -> None:
    """Something for every step to do."""
    night.keep("They drink green tea in the garden every morning.", days_ago=20)
    night.keep("They drink green tea in the garden every single morning.", days_ago=2, alpha=2.0)
    often = {"access_count": 12, "last_accessed_at": iso(night.clock.at)}
    rows = night.keep("They row on the river.", days_ago=40, **often)
    night.keep("They collect stamps of ships.", days_ago=95)
    night.keep("We watched the boats.", "episodic", **LONG_AGO)
    night.keep("They swim in the sea after hard days.", days_ago=3)
    night.keep("The weeks at the harbour are hard when ships are late.", days_ago=2)
    sure = night.keep("They are called Mira.", days_ago=40, alpha=9.0, beta=1.4, **often)
    with night.world.database.write() as db:
        accesses.together(db, [1, 2, sure], night.clock.at - days(50))
        concepts.read_new(db, night.clock.at - days(1))
    for one in (rows, sure):
        night.used(one, night.clock.at, 12)
    night.embed()


async def test_every_step_is_done_once_and_a_second_cycle_changes_nothing_more(night: Night) -> None:
    fill(night)
    report = await deep.consolidate(night.world)
    assert report.did
    names = [name for name, _ in deep.steps()]
    assert list(report.data) == ["cycle", *names]
    assert report.data["duplicates"] == {"merged": 1}
    assert report.data["forgotten"] == {"forgotten": 2}
    assert report.data["dormant"] == {"dormant": 1, "awake": 0}
    assert report.data["cold"] == {"cold": 2, "hot": 0, "plans_over": 0}
    assert report.data["promotion"] == {"promoted": 1, "asked": 1, "held_back": 0, "rolled_back": 0}
    assert "1 merged" in report.summary
    with night.world.database.read() as db:
        assert list(consolidation.steps_done(db, report.data["cycle"])) == names
        assert kv.get(db, consolidation.CYCLE) is None
    before = night.everything()
    await deep.consolidate(night.world)
    assert night.everything() == before
    night.clock.pass_(hours=3)
    later = await deep.consolidate(night.world)
    assert night.everything()[1:-1] == before[1:-1]
    assert (later.data["duplicates"], later.data["promotion"]["promoted"]) == ({"merged": 0}, 1), "the next tenth of it"


async def test_with_memoryd_and_every_model_away_it_does_what_it_can(night: Night) -> None:
    fill(night)

    async def nobody(*_: object) -> Answer:
        raise NoMindAnswered("nobody is there")

    report = await deep.consolidate(replace(night.world, ask=nobody))
    assert report.data["duplicates"] == {"merged": 1}
    assert "not in this test" in report.data["audit"]["skipped"]
    assert report.data["index"]["backlog"] > 0, "the turns have no vectors yet"


async def test_an_empty_memory_is_left_in_peace(night: Night) -> None:
    report = await deep.consolidate(night.world)
    assert (report.did, report.summary) == (False, "nothing is remembered yet")
    assert night.ask("SELECT count(*) FROM consolidation_log") == [(0,)]


async def test_a_cycle_that_was_cut_off_goes_on_where_it_was(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    night.keep("They row.")
    came: list[str] = []

    def first(_world: World, _cycle: Cycle) -> Mapping[str, Any]:
        came.append("first")
        return {"done": 1}

    async def second(_world: World, cycle: Cycle) -> Mapping[str, Any]:
        came.append(cycle.id)
        if came.count(cycle.id) == 1:
            raise StorageUnavailable("the disk is full")
        return {"done": 1}

    monkeypatch.setattr(deep, "steps", lambda: (("first", first), ("second", second)))
    with pytest.raises(StorageUnavailable):
        await deep.consolidate(night.world)
    with night.world.database.read() as db:
        assert due.consolidate_memory(db, night.clock.at) == "the last cycle was cut off"
    night.clock.pass_(hours=1)
    report = await deep.consolidate(night.world)
    assert came == ["first", report.data["cycle"], report.data["cycle"]]


async def test_a_step_that_never_comes_to_its_end_is_left_out_after_three_tries(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    night.keep("They row.")
    done: list[str] = []

    def broken(_world: World, _cycle: Cycle) -> Mapping[str, Any]:
        raise RuntimeError("a step with a fault")

    def after(_world: World, _cycle: Cycle) -> Mapping[str, Any]:
        done.append("after")
        return {}

    monkeypatch.setattr(deep, "steps", lambda: (("broken", broken), ("after", after)))
    for _ in range(deep.TRIES):
        with pytest.raises(RuntimeError):
            await deep.consolidate(night.world)
    report = await deep.consolidate(night.world)
    assert done == ["after"]
    assert "never came to its end" in report.data["broken"]["skipped"]


def why(night: Night) -> str | None:
    with night.world.database.read() as db:
        return due.consolidate_memory(db, night.clock.at)


async def test_it_is_worth_it_at_night_after_a_day_and_when_much_was_learned(night: Night) -> None:
    assert why(night) is None
    night.keep("They row.")
    assert why(night) is None, "it is afternoon, and this is all there is"
    night.clock.at = night.clock.at.replace(hour=4) + timedelta(days=1)
    assert why(night) == "it is night"
    await deep.consolidate(night.world)
    night.clock.pass_(hours=5)
    night.keep("They sing.")
    assert why(night) is None
    for number in range(50):
        night.keep(f"They know song {number}.")
    assert why(night) == "much was learned"
    await deep.consolidate(night.world)
    night.clock.pass_(hours=10)
    assert why(night) is None
    night.clock.pass_(hours=9)
    assert why(night) == "it is night"
    night.clock.at += timedelta(days=1)
    assert why(night) == "a day has passed"


async def consolidate(home: Path, which: str) -> None:
    """One consolidation of a home's memory, light or deep."""
    world = awake_in(home)
    if which == "light":
        light.run(world)
    else:
        await deep.consolidate(world)


def lying(home: Path) -> None:
    with opened(home) as database:
        fill(Night(world_in(home, database), FrozenClock(NIGHT), Script()))


def left(home: Path) -> dict[str, Any]:
    return rows_in(home, {question: question for question in EVERYTHING})


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("which", ["light", "deep"])
def test_killed_anywhere_the_next_run_finishes_it(which: str, tmp_path: Path, empty_database: Path) -> None:
    trial = Trial(Work(consolidate, lying, left, (which,)), empty_database, tmp_path)
    trial.survives_each({*trial.first_times, *ALSO[which]})
    trial.survives_many(4, seed=7)


ALSO = {"light": ["store.before_commit:3"], "deep": ["store.before_commit:9", "store.after_commit:14"]}
"""A long run dies at each point the first time it comes there, and at these."""
