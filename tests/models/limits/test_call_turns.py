"""Whose model call comes next: homes take turns, conversations come first, and a killed process holds nothing."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from furoshiki.core.atomic_files import hold
from furoshiki.models.limits import home_limits, spending
from furoshiki.models.limits.home_limits import FOLDER, CallTurns


def take(
    turns: CallTurns, home: str, *, reply: bool = True, of_host: int = 1, of_home: int = 0, patience_s: float = 10.0
) -> Awaitable[list[int]]:
    return turns.take(home, reply=reply, of_home=of_home, of_host=of_host, patience_s=patience_s)


async def served(turns: CallTurns, *calls: tuple[str, bool]) -> list[str]:
    """In which order calls are served that arrive in this one while the only place is taken."""
    first, order = await take(turns, "somebody"), []

    async def call(home: str, reply: bool) -> None:
        place = await take(turns, home, reply=reply)
        order.append(home if reply else home.upper())
        turns.give_back(place)

    tasks = []
    for one in calls:
        tasks.append(asyncio.create_task(call(*one)))
        await asyncio.sleep(0)
    turns.give_back(first)
    await asyncio.gather(*tasks)
    return order


async def test_a_home_that_floods_waits_after_each_call_for_all_others(tmp_path: Path) -> None:
    order = await served(CallTurns(tmp_path), *[("anna", True)] * 5, ("ben", True), ("cleo", True), ("ben", True))
    assert order == ["anna", "ben", "cleo", "anna", "ben", "anna", "anna", "anna"]


async def test_conversations_come_before_everything_else(tmp_path: Path) -> None:
    order = await served(CallTurns(tmp_path), ("anna", False), ("ben", False), ("anna", True), ("cleo", True))
    assert order == ["anna", "cleo", "ANNA", "BEN"]


async def test_a_place_is_kept_for_conversations(tmp_path: Path) -> None:
    turns = CallTurns(tmp_path)
    held = [await take(turns, home, reply=False, of_host=4) for home in ("anna", "ben", "cleo")]
    with pytest.raises(TimeoutError):
        await take(turns, "dora", reply=False, of_host=4, patience_s=0.05)
    held.append(await take(turns, "dora", of_host=4))
    for place in held:
        turns.give_back(place)
    assert [list(home_limits.order_places(1, reply=False)), list(home_limits.order_places(2, reply=False))] == [
        [0],
        [0],
    ]


async def test_a_home_at_its_own_limit_keeps_nobody_else_waiting(tmp_path: Path) -> None:
    turns = CallTurns(tmp_path)
    held = await take(turns, "anna", of_host=8, of_home=1)
    waiting = asyncio.ensure_future(take(turns, "anna", of_host=8, of_home=1))
    await asyncio.sleep(0)
    turns.give_back(await take(turns, "ben", of_host=8, of_home=1))
    assert not waiting.done()
    turns.give_back(held)
    turns.give_back(await waiting)


async def test_who_gives_up_holds_nothing(tmp_path: Path) -> None:
    turns = CallTurns(tmp_path)
    held = await take(turns, "anna")
    waiting = asyncio.ensure_future(take(turns, "ben"))
    await asyncio.sleep(0)
    waiting.cancel()
    turns.give_back(held)
    turns.give_back(await take(turns, "cleo", patience_s=1.0))


@pytest.mark.slow
async def test_a_place_of_a_killed_process_is_free(tmp_path: Path) -> None:
    lock = tmp_path / FOLDER / ".host-0"
    program = "import sys, time; from pathlib import Path; from furoshiki.core.atomic_files import hold; "
    program += "held = hold(Path(sys.argv[1])); print('held', flush=True); time.sleep(60)"
    child = subprocess.Popen([sys.executable, "-c", program, str(lock)], stdout=subprocess.PIPE)
    assert child.stdout is not None and child.stdout.readline() == b"held\n"
    waiting = asyncio.ensure_future(take(CallTurns(tmp_path), "anna"))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    for handle in await waiting:
        os.close(handle)
    handle = hold(lock)
    assert handle is not None
    os.close(handle)


async def test_a_loop_has_one_queue_for_each_host(tmp_path: Path) -> None:
    assert home_limits.of_host(tmp_path) is home_limits.of_host(tmp_path)


def test_what_all_homes_spend_is_added_up_over_processes(tmp_path: Path) -> None:
    now, next_day = datetime(2026, 3, 24, 23, tzinfo=UTC), datetime(2026, 3, 25, 1, tzinfo=UTC)
    listener, job = spending.Spending(tmp_path), spending.Spending(tmp_path)
    listener.add("anna", 0.25, now)
    job.add("ben", 0.5, now)
    assert listener.of_all(now) == job.of_all(now) == 0.75
    job.add("anna", 0.25, now)
    assert listener.of_all(now) == 1.0 and listener.by_home(now)["anna"] == 0.5
    assert listener.of_all(next_day) == 0.0
    with (tmp_path / spending.FOLDER / "2026-03-24").open("a") as file:
        file.write("anna 1")  # the power went in the middle of a line
    assert job.of_all(now) == 1.0


def test_a_moment_without_files_loses_no_place_and_ends_no_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = [OSError(24, "Too many open files")] * 2

    def sometimes(lock: Path) -> int | None:
        if failing:
            raise failing.pop()
        return hold(lock)

    monkeypatch.setattr(home_limits, "hold", sometimes)

    async def calls() -> None:
        turns = CallTurns(tmp_path)
        with pytest.raises(OSError, match="Too many"):
            await take(turns, "anna")
        first = asyncio.ensure_future(take(turns, "ben"))
        with pytest.raises(OSError, match="Too many"):
            await first
        place = await take(turns, "ben", patience_s=2.0)
        waiting = asyncio.ensure_future(take(turns, "cleo"))
        await asyncio.sleep(0)
        failing.append(OSError(24, "Too many open files"))
        while failing:
            await asyncio.sleep(0.01)
        turns.give_back(place)
        turns.give_back(await waiting)

    asyncio.run(calls())


def test_a_line_torn_by_a_power_cut_swallows_no_other_ones_cost(tmp_path: Path) -> None:
    now = datetime(2026, 11, 2, 12, tzinfo=UTC)
    spending.Spending(tmp_path).add("anna", 1.0, now)
    [path] = (tmp_path / spending.FOLDER).iterdir()
    with path.open("a") as file:
        file.write("anna 0.0")
    spending.Spending(tmp_path).add("ben", 5.0, now)
    assert spending.Spending(tmp_path).of_all(now) == pytest.approx(6.0)
