"""What holding a plugin costs: an empty run in each backend that works here, against the same Python by itself.

    python -m bench.plugins [--runs 30]

Prints a table of milliseconds: the middle one of the processor's and of the clock's. The last row is a whole run of
ours, with its storage measured and its answer read.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import get_args

from furoshiki.app.wiring import SystemClock, build_world
from furoshiki.core import settings
from furoshiki.core.database import migrate
from furoshiki.extensions.plugins import running
from furoshiki.extensions.plugins.sandbox.command import command, interpreter
from furoshiki.extensions.plugins.sandbox.probing import fault
from furoshiki.extensions.plugins.sandbox.supervising import supervise
from furoshiki.extensions.plugins.sandbox.values import Backend, Layout, Limits
from furoshiki.extensions.plugins.values import EntryPoint, Installed


def main() -> None:
    """Measure and print."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--runs", type=int, default=30)
    runs = asked.parse_args().runs
    rows = [("python -I -S -B", [plain() for _ in range(runs)])]
    for backend in get_args(Backend):
        if (why := fault(backend)) is None:
            rows.append((backend, [held(backend) for _ in range(runs)]))
        else:
            print(f"{backend}: {why}")
    rows.append(("running.run", asyncio.run(whole(runs))))
    print(f"{'an empty run, ms':<20} {'processor':>10} {'clock':>10}")
    for name, figures in rows:
        cpu, clock = (statistics.median(column) for column in zip(*figures, strict=True))
        print(f"{name:<20} {cpu:>10.0f} {clock:>10.0f}")


def plain() -> tuple[float, float]:
    """Run Python without a sandbox."""
    began = time.monotonic()
    process = subprocess.Popen([interpreter(), "-I", "-S", "-B", "-c", ""], env={})
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = status
    return (used.ru_utime + used.ru_stime) * 1000, (time.monotonic() - began) * 1000


def held(backend: Backend) -> tuple[float, float]:
    """Run an empty script in the sandbox."""
    with tempfile.TemporaryDirectory() as folder:
        script, data = Path(folder) / "empty.py", Path(folder) / "data"
        script.touch()
        data.mkdir()
        limits = Limits()
        started = command(backend, Layout(script, data, code=(script,)), limits)
        ended = supervise(backend, started, b"{}", limits, data)
    assert ended.code == 0, ended.stderr.decode()
    return ended.cpu_ms, ended.ms


async def whole(runs: int) -> list[tuple[float, float]]:
    """Run whole hooks; CPU time is the plugin's and ours."""
    with tempfile.TemporaryDirectory() as name:
        data = Path(name)
        migrate.ensure(data / "memory" / "longmemory.sqlite")
        world = build_world(settings.load({"FUROSHIKI_DATA": name}), SystemClock(), spawn_memoryd=False)
        plugin = Installed("empty", data / "plugins" / "empty", None, "enabled", "folder")
        (plugin.folder / "scripts").mkdir(parents=True)
        (plugin.folder / "scripts" / "empty.py").touch()
        found = []
        for _ in range(runs):
            cpu, clock = time.process_time(), time.monotonic()
            run = await running.run(world, plugin, EntryPoint("callable", "scripts/empty.py"), {})
            assert run.ok, run.error
            found.append(((time.process_time() - cpu) * 1000 + run.cpu_ms, (time.monotonic() - clock) * 1000))
    return found


if __name__ == "__main__":
    main()
