"""A worker that sleeps until the database is written to sleeps over nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from furoshiki.conversation.worker import Worker
from furoshiki.world import World


async def test_a_write_that_is_heard_before_its_version_shows_is_not_slept_over(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker, written = Worker(world), asyncio.Event()
    versions: Iterator[int] = iter([1, 1, 2])  # when it rests, when it is woken, and a moment later
    monkeypatch.setattr(worker, "_version", lambda: next(versions, 2))
    monkeypatch.setattr(worker, "_waits", lambda: True)
    stopping = asyncio.create_task(asyncio.Event().wait())
    resting = asyncio.create_task(worker._rest(stopping, 1, written))
    await asyncio.sleep(0)
    written.set()  # the only time that the kernel tells
    await asyncio.wait_for(resting, 5)
    stopping.cancel()
