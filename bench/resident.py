"""How much memory the companion takes while it idles: `furoshiki up` beside `furoshiki up --single`.

    python -m bench.resident

Starts each on a data directory of its own, has one message answered, waits until memoryd has done what a new
installation does once, and adds up what each process holds. What processes share (the interpreter, libraries) counts in
each of them; the last line counts it once.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from bench.idle import settle
from bench.turn import Table
from tests.e2e import processes
from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import TelegramEmulator

MOST_MB = {"up": 300.0, "up --single": 250.0}


def main() -> int:
    """Return 1 when more memory is used than the aim."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=30.0, help="how long to let it idle before looking")
    seconds = parser.parse_args().seconds
    table = Table()
    for how in MOST_MB:
        with (
            tempfile.TemporaryDirectory() as folder,
            TelegramEmulator() as telegram,
            LLMEmulator(lambda _request: "Hello.") as llm,
            Program(Path(folder) / "data", telegram, llm, provider="anthropic") as program,
        ):
            program.set(FUROSHIKI_MEMORYD_IDLE_MINUTES=None)
            program.run("migrate")
            program.listening(*how.split())
            telegram.say("hello")
            telegram.wait_for(lambda telegram=telegram: telegram.replies(), 60.0)
            settle(program)
            time.sleep(seconds)
            table.head(f"`furoshiki {how}`, idle")
            measure(program, how, table)
    return 1 if table.missed else 0


def measure(program: Program, how: str, table: Table) -> None:
    """Print megabytes by process, and in total."""
    total = once = 0.0
    for pid in sorted(program.processes()):
        mb = processes.megabytes(pid)
        total, once = total + mb, once + processes.proportional_megabytes(pid)
        table.row(processes.command(pid).rpartition(" -m ")[2][:44], mb, "MB")
    table.row("together", total, "MB", below=MOST_MB[how])
    table.row("together, what they share counted once", once, "MB")


if __name__ == "__main__":
    sys.exit(main())
