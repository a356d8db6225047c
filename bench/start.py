"""What a start costs: CPU of each process until the first poll, and which imports take it.

    python -m bench.start              three starts of `furoshiki up`, and the dearest imports of each process
    python -m bench.start --rows 40    more of them

The first start of an installation is not counted: it writes bytecode, and what modules compile beside it.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.turn import Table
from furoshiki.core.paths import ROOT
from tests.e2e import processes
from tests.e2e.program import Program
from tests.emulators.telegram import TelegramEmulator

STARTS = 3

LOADED = {
    "up": "furoshiki.faces.cli.services.up",
    "listen": "furoshiki.app.listener",
    "brain": "furoshiki.app.brain",
}
"""The module of each process, by its command."""

MOST_CPU_S = 1.5
"""All together: 0.6 of a comparable program (2.5 s in the same harness)."""


def main() -> int:
    """Return 1 when a start costs more than the aim."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=12, help="imports to show of each process")
    rows = parser.parse_args().rows
    table = Table()
    with (
        tempfile.TemporaryDirectory() as folder,
        TelegramEmulator() as telegram,
        Program(Path(folder) / "data", telegram) as program,
    ):
        program.run("migrate")
        start(program)  # writes bytecode
        found = [start(program) for _ in range(STARTS)]
    table.head(f"CPU to the first poll, the median of {STARTS}")
    for name in LOADED:
        table.row(name, statistics.median(one[name] for one in found), "s")
    whole = statistics.median(sum(one.values()) for one in found)
    table.row("all", whole, "s", below=MOST_CPU_S)
    for name, module in LOADED.items():
        imports(name, module, rows)
    return 1 if table.missed else 0


def start(program: Program) -> dict[str, float]:
    """Return the CPU seconds of each process at the first poll; all are ended again."""
    up = program.listening("up")
    pids = {"up": up.pid, "listen": program.process("listen"), "brain": program.process("brain")}
    used = {name: processes.cpu_seconds(pid) for name, pid in pids.items()}
    up.stop()
    return used


def imports(name: str, module: str, rows: int) -> None:
    """Print how many modules a process imports, and the slowest ones by own time (ms)."""
    command = [sys.executable, "-P", "-X", "importtime", "-c", f"import {module}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    lines = (line.removeprefix("import time:").split("|") for line in done.stderr.splitlines())
    own = [(int(cells[0]), cells[2].strip()) for cells in lines if cells[0].strip().isdigit()]
    print(f"\n{name}: {len(own)} modules")
    for taken, imported in sorted(own, reverse=True)[:rows]:
        print(f"{taken / 1000:8.1f} {imported}")


if __name__ == "__main__":
    sys.exit(main())
