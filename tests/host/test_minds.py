"""A home that is sent too much pauses where others talk."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from furoshiki.conversation.worker import Worker
from furoshiki.host.minds import AT_ONCE, PER_SECOND, Living, Minds

FLOOD = int(AT_ONCE) + 80


class Quiet:
    """A worker that does nothing until it is stopped."""

    def __init__(self, data: Path) -> None:
        self.world = SimpleNamespace(settings=SimpleNamespace(data=data, secrets=lambda: ()))
        self.on_turn: Callable[[int], Awaitable[None]] | None = None

    async def run(self, stop: asyncio.Event) -> None:
        await stop.wait()


@pytest.fixture
def minds(tmp_path: Path) -> Iterator[Minds]:
    made = Minds(tmp_path / "logs", 60.0)
    yield made
    made.close(5.0)


def begin(minds: Minds, data: Path) -> tuple[Living, Quiet]:
    data.mkdir()
    worker = Quiet(data)
    return minds.live(cast(Worker, worker)), worker


def test_a_flood_pauses_only_beside_others(minds: Minds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paused: list[float] = []

    async def pause(seconds: float, *_: Any) -> None:
        paused.append(seconds)

    flooded, anna = begin(minds, tmp_path / "flooded"), begin(minds, tmp_path / "anna")

    def turn(worker: Quiet, messages: int) -> list[float]:
        paused.clear()
        assert worker.on_turn is not None
        with monkeypatch.context() as patched:
            patched.setattr("furoshiki.host.minds.sleep", pause)
            asyncio.run_coroutine_threadsafe(cast(Any, worker.on_turn(messages)), minds.loop).result(10.0)
        return list(paused)

    assert not turn(flooded[1], FLOOD), "nobody else is there"
    assert not turn(anna[1], 1)
    [seconds] = turn(flooded[1], FLOOD)
    assert seconds > (FLOOD - AT_ONCE) / PER_SECOND
    assert not turn(anna[1], 1), "who writes little never waits"
    for living, _ in (flooded, anna):
        living.stop()
        living.over.result(10.0)
