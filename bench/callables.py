"""What callables cost: a turn's look for them without any plugin, and a callable's run beyond its own work.

    python -m bench.callables [--runs 30]

Prints milliseconds of processor: the look whether there is anything outside, with nothing there and with one plugin;
then a whole call (arguments checked, sandbox, record) of a script that does nothing, children included.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from furoshiki.app.wiring import SystemClock, build_world, prepare
from furoshiki.conversation.skills import registry
from furoshiki.conversation.skills.skill import Place, SkillContext
from furoshiki.core import settings
from furoshiki.core.database import migrate
from furoshiki.extensions.plugins import installing
from furoshiki.models.llm.values import ToolCall
from furoshiki.world import World

PLUGIN = b"""---
name: bench
version: 1.0.0
description: Does nothing
author: Furoshiki
licence: MIT
min_furoshiki: 0.1.0
entry_points:
  - hook: callable
    script: scripts/nothing.py
    tool: nothing
    description: Does nothing
    when_to_use: Never
permissions: {}
---
"""
SCRIPT = b"print('{\"data\": 1}')\n"
LOOKS = 1000


def main() -> None:
    """Measure and print."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--runs", type=int, default=30)
    runs = asked.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        world = _world(Path(folder))
        print(f"the look in a turn, no plugin   {_look(world):8.3f} ms")
        installing.install(world, {"PLUGIN.md": PLUGIN, "scripts/nothing.py": SCRIPT}, "folder")
        _look(world)
        print(f"the look in a turn, one plugin  {_look(world):8.3f} ms")
        asyncio.run(_calls(world, runs))


def _world(data: Path) -> World:
    found = settings.load({"FUROSHIKI_DATA": str(data)})
    prepare(data)
    migrate.upgrade(data / "memory" / "longmemory.sqlite")
    return build_world(found, SystemClock())


def _look(world: World) -> float:
    with world.database.read() as db:
        registry.outside_tools(world, db)
        began = time.process_time()
        for _ in range(LOOKS):
            registry.outside_tools(world, db)
        return (time.process_time() - began) * 1000 / LOOKS


async def _calls(world: World, runs: int) -> None:
    async def call(number: int) -> None:
        doing = SkillContext(world, None, Place(f"inbox:{number}", "console", "c", "o"))
        result = await registry.run(doing, ToolCall("1", "bench_nothing", {}))
        assert result.ok, result.text

    first, _ = await _spent(lambda: call(0))
    cpu, clock = zip(*[await _spent(lambda number=one: call(number)) for one in range(1, runs + 1)], strict=True)  # type: ignore[misc]
    print(f"the first call (what it imports, the sandbox tried out) {first:.0f} ms of processor")
    print(
        f"a call of a script that does nothing  {statistics.median(cpu):.0f} ms of processor, "
        f"{statistics.median(clock):.0f} by the clock"
    )


async def _spent(work: Callable[[], Awaitable[None]]) -> tuple[float, float]:
    began, clock = _cpu(), time.monotonic()
    await work()
    return (_cpu() - began) * 1000, (time.monotonic() - clock) * 1000


def _cpu() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


if __name__ == "__main__":
    main()
