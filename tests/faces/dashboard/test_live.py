"""Open pages are told what changes, once, and again what they missed."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator

import pytest

from furoshiki.core.atomic_files import locked
from furoshiki.faces.dashboard import live
from furoshiki.faces.dashboard.live import Hub
from furoshiki.faces.dashboard.shared import Shared
from furoshiki.faces.dashboard.store import marks
from furoshiki.world import World
from tests.support.commands import said
from tests.support.dashboard import House


def topics(event: str) -> list[str]:
    return list(json.loads(event.split("data: ")[1])["topics"])


def number(event: str) -> str:
    return event.partition("\n")[0].removeprefix("id: ")


@pytest.fixture(autouse=True)
def _look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LOOK_SECONDS", 0.02)


async def _next(stream: AsyncIterator[str]) -> str:
    return await asyncio.wait_for(anext(stream), 5)


async def test_a_new_message_is_told_as_such_and_nothing_else_is(world: World) -> None:
    hub = Hub(lambda: world, "a")
    stream = hub.changes()
    assert topics(await _next(stream)) == []
    waiting = asyncio.create_task(_next(stream))
    await asyncio.sleep(0.1)
    said(world, "Hello")
    assert topics(await waiting) == ["messages"]
    await stream.aclose()  # type: ignore[attr-defined]
    assert hub._looking is None, "nobody watches, so nobody looks"


async def test_rows_that_come_after_their_file_has_changed_are_told_and_shown(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = Hub(lambda: world, "a")
    kept, stream = Shared(hub.newest), hub.changes()
    await _next(stream)
    waiting = asyncio.create_task(_next(stream))
    await asyncio.sleep(0.1)
    true, late = marks.of, [2]

    def before(db: sqlite3.Connection) -> dict[str, object]:
        late[0] -= 1
        return dict(hub._known[1]) if late[0] >= 0 and hub._known else true(db)

    monkeypatch.setattr(marks, "of", before)
    said(world, "Hello")
    assert kept.get(world, "part", lambda: "old") == "old"
    assert topics(await waiting) == ["messages"]
    assert kept.get(world, "part", lambda: "new") == "new"
    await stream.aclose()  # type: ignore[attr-defined]


async def test_a_process_that_dies_without_a_word_is_told(house: House) -> None:
    world, run = house.world, house.world.settings.data / "run"
    assert "neither listener nor brain is running" in house.page("/parts/now/health")
    hub = Hub(lambda: world, "a")
    with locked(run / "brain.lock"), locked(run / "journal.lock"):
        stream = hub.changes()
        await _next(stream)
        assert "brain</dd>" in house.page("/parts/now/health")
        assert house.page("/parts/logs/processes").count(">running<") == 1
        waiting = asyncio.create_task(_next(stream))
        await asyncio.sleep(0.1)
    assert set(topics(await waiting)) <= {"processes", "scripts"}
    assert "neither listener nor brain is running" in house.page("/parts/now/health")
    assert ">running<" not in house.page("/parts/logs/processes")
    await stream.aclose()  # type: ignore[attr-defined]


async def test_who_comes_back_is_told_what_they_missed(world: World) -> None:
    hub = Hub(lambda: world, "a")
    for topic in ("jobs", "memory", "costs"):
        hub.tell([topic])
    stream = hub.changes("a-1")
    assert [topics(await _next(stream)) for _ in range(2)] == [["memory"], ["costs"]]


@pytest.mark.parametrize("seen", ["b-2", "a-9", "nonsense", "a-", "a-²", "a-" + "9" * 5000], ids=range(6))
async def test_who_cannot_be_told_what_they_missed_is_told_to_look_at_everything(world: World, seen: str) -> None:
    hub = Hub(lambda: world, "a")
    hub.tell(["jobs"])
    assert set(topics(await _next(hub.changes(seen)))) == set(live.TOPICS)


async def test_closing_ends_the_streams(world: World) -> None:
    hub = Hub(lambda: world, "a")
    stream = hub.changes()
    await _next(stream)
    waiting = asyncio.create_task(_next(stream))
    await asyncio.sleep(0)
    hub.close()
    with pytest.raises(StopAsyncIteration):
        await waiting
