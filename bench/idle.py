"""What it costs to do nothing: what every process writes to the disk a minute while nobody says anything.

    python -m bench.idle --minutes 30

Starts supervisor, listener, brain and memoryd on a data directory of their own, waits until everything that a new
installation does once is done, and watches. What a script wrote counts as the brain's, which started it. Half an hour
sees two ticks of the soul engine, the only script that writes each time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from bench.turn import Table
from furoshiki.recall.retrieval.client import Vectors, spawner
from tests.e2e import processes
from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import TelegramEmulator

MOST_KB_A_MINUTE = 10.0
SETTLING_SECONDS = 900.0
"""Seconds that a new installation may need to embed its own documents."""

_WAITING = "SELECT count(*) FROM design_docs WHERE index_state = ?"
_WRITTEN = "SELECT count(*) FROM design_docs"


def main() -> int:
    """Return 1 when more is written than the aim."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30.0, help="how long to watch")
    minutes = parser.parse_args().minutes
    table = Table()
    with (
        tempfile.TemporaryDirectory() as folder,
        TelegramEmulator() as telegram,
        LLMEmulator(lambda _request: "Hello.") as llm,
        Program(Path(folder) / "data", telegram, llm, provider="anthropic") as program,
    ):
        program.set(FUROSHIKI_MEMORYD_IDLE_MINUTES=None)
        program.run("migrate")
        supervisor = program.listening("up").pid
        settle(program)
        table.head(f"idle for {minutes:g} minutes")
        watch(program, supervisor, minutes, table)
    return 1 if table.missed else 0


def settle(program: Program) -> None:
    """Wait for memoryd's one-time work of a new installation. No queries: they would delay it."""
    vectors = Vectors(program.data, spawner(program.data))
    vectors.start()
    program.wait_for(
        lambda: program.value(_WRITTEN) and not program.value(_WAITING, "pending"), SETTLING_SECONDS, "the documents"
    )
    vectors.nudge(at_once=True)
    program.wait_for(lambda: not program.value(_WAITING, "embedded"), SETTLING_SECONDS, "the documents in the index")


def written(program: Program) -> dict[int, int]:
    """Return the bytes written by each process, including its ended children."""
    return {pid: processes.written_bytes(pid) for pid in program.processes()}


def watch(program: Program, supervisor: int, minutes: float, table: Table) -> None:
    """Print kilobytes per minute by process, and the growth of files."""
    named = {
        supervisor: "supervisor",
        program.process("listen"): "listener",
        program.process("brain"): "brain and its scripts",
        program.memoryd(): "memoryd",
    }
    before, sizes = written(program), files(program.data)
    time.sleep(60 * minutes)
    after = written(program)
    for pid, name in named.items():
        if pid is not None:
            table.row(f"written: {name}", (after.get(pid, 0) - before.get(pid, 0)) / 1024 / minutes, "KB/min")
    total = sum(count - before.get(pid, 0) for pid, count in after.items()) / 1024 / minutes
    table.row("written: all", total, "KB/min", below=MOST_KB_A_MINUTE)
    for name, size in sorted(files(program.data).items()):
        if grown := size - sizes.get(name, 0):
            table.row(f"  {name}", grown / 1024, "KB")


def files(data: Path) -> dict[str, int]:
    """Return the size of every file of a data directory."""
    return {path.relative_to(data).as_posix(): path.stat().st_size for path in data.rglob("*") if path.is_file()}


if __name__ == "__main__":
    sys.exit(main())
