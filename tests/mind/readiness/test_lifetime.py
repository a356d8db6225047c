"""How long it has lived: from its first start or its oldest row, counted by the hour, with its starts."""

from __future__ import annotations

import asyncio
from datetime import datetime

import pytest

from furoshiki.conversation.commands import status
from furoshiki.conversation.worker import Worker
from furoshiki.core.database import kv
from furoshiki.mind.readiness.lifetime import Lifetime
from furoshiki.mind.readiness.store import lives
from furoshiki.mind.readiness.values import Manifest
from furoshiki.world import World
from tests.support.world import START, FrozenClock


def kept(world: World) -> Manifest:
    with world.database.read() as db:
        return lives.manifest(db, world.now)


async def test_each_start_of_a_mind_counts_and_its_hours(world: World, clock: FrozenClock) -> None:
    assert kept(world) == Manifest(START)
    for number in (1, 2):
        stop = asyncio.Event()
        running = asyncio.create_task(Worker(world).run(stop))
        while kept(world).starts < number:
            await asyncio.sleep(0)
        clock.pass_(minutes=90)
        stop.set()
        await running
        assert kept(world).hours_up == pytest.approx(1.5 * number)
    found = status.gather(world)["manifest"]
    assert (found["starts"], found["restarts"], found["hours_up"], found["age_days"]) == (2, 1, 3.0, 0.12)
    assert datetime.fromisoformat(found["created_at"]) == START


async def test_to_ask_one_thing_is_no_start(world: World) -> None:
    stop = asyncio.Event()
    stop.set()
    await Worker(world, lasting=False).run(stop)
    assert kept(world).starts == 0


def test_it_is_written_once_an_hour(world: World, clock: FrozenClock) -> None:
    life = Lifetime()
    life.go_on(world)
    assert kept(world).starts == 0, "what never began lives no hours"
    life.begin(world)
    seen = set()
    for _ in range(3 * 60):
        clock.pass_(minutes=1)
        life.go_on(world)
        with world.database.read() as db:
            seen.add(str(kv.get(db, lives.KEY)))
    assert len(seen) == 4 and kept(world).hours_up == pytest.approx(3.0)


def test_a_machine_that_slept_and_a_clock_that_jumped_are_not_hours_lived(world: World, clock: FrozenClock) -> None:
    life = Lifetime()
    life.begin(world)
    clock.pass_(days=30)
    life.go_on(world)
    assert kept(world).hours_up == pytest.approx(3.0)
    clock.pass_(days=-40)
    life.go_on(world)
    clock.pass_(hours=1)
    life.go_on(world)
    assert kept(world).hours_up == pytest.approx(4.0)
