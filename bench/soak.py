"""Lets the program live for weeks on a clock that is put forward, breaks something every day, and looks at what holds.

    python -m bench.soak --days 30 --seed 1 --faults 6

Takes libfaketime (`apt install faketime`), and root for the fault that fills the disk. Half a minute a day, nearly all
of it the jobs' processes.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.turn import Table
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import TelegramEmulator
from tests.faults.soaking import BEGINS, Lived, Soak, opened_since, slopes
from tests.support.forked_program import ForkedProgram
from tests.support.virtual_time import VirtualTime, library

DISK_MB = 1500
MOST_MB_A_DAY = 1.0
MOST_FILES_A_DAY = 0.2


def main() -> int:
    """Return 1 when anything broke."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=float, default=6.0, help="so many a day")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="no day begins after so many")
    args = parser.parse_args()
    shim = library()
    if shim is None:
        print("libfaketime is not installed: `apt install faketime`", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as made, disk(Path(made)) as (folder, full):
        clock = VirtualTime(shim, Path(made), BEGINS)
        os.environ |= clock.environ  # for forked processes; this one keeps its own clock
        with (
            TelegramEmulator(seed=args.seed, clock=lambda: clock.now().timestamp()) as telegram,
            LLMEmulator(seed=args.seed, clock=lambda: clock.now().timestamp()) as llm,
            ForkedProgram(folder / "data", telegram, llm) as program,
        ):
            soak = Soak(program, telegram, llm, clock, args.seed, full)
            lived = soak.live(args.days, args.faults, told, args.minutes)
            if lived.broken:
                print(program.picture(), file=sys.stderr)
    return show(lived)


@contextlib.contextmanager
def disk(made: Path) -> Iterator[tuple[Path, Path | None]]:
    """Yield the data's folder: on a separate disk, which may be filled, if one can be mounted."""
    folder = made / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "tmpfs", folder]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        yield folder, None
        return
    try:
        yield folder, folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def told(day: int, lived: Lived) -> None:
    """Print one line for a day, and its errors."""
    jobs = sum(lived.jobs.values())
    now = [(name, found[-1]) for (name, _), found in lived.samples.items() if found[-1].day == day]
    sizes = "".join(f", {name} {one.megabytes:.0f} MB and {one.files} files" for name, one in now)
    print(
        f"day {day:3}: {lived.messages} messages, {jobs} jobs, {sum(lived.faults.values())} faults{sizes}", flush=True
    )
    for words in lived.broken:
        print(f"  broken: {words}", flush=True)


def show(lived: Lived) -> int:
    """Print the result; return 1 when anything broke."""
    table = Table()
    table.head(f"{lived.days} days")
    table.row("messages", lived.messages, "")
    table.row("reminders", lived.reminders, "")
    table.row("jobs that had something to do", sum(lived.jobs.values()), "")
    table.row("what must not be", len(lived.broken), "", below=1)
    table.row("content in the end, says the doctor", int(lived.healthy), "", above=1)
    for name, megabytes, files, days in slopes(lived):
        table.row(f"{name}: memory over {days} days", megabytes, "MB/d", below=MOST_MB_A_DAY)
        table.row(f"{name}: open files", files, "/d", below=MOST_FILES_A_DAY)
    table.row("seconds", lived.seconds, "")
    for name, more in opened_since(lived):
        print(f"{name}: opened since it was warm: {', '.join(f'{n} {what}' for what, n in more.items()) or 'nothing'}")
    print(f"\n{'fault':24}{'times':>6}{'explained':>11}  by the doctor's log")
    for name, times in sorted(lived.faults.items()):
        print(f"{name:24}{times:>6}{lived.explained[name]:>11}  {lived.explanations.get(name, '')[:100]}")
    print(f"\n{'found by the doctor':34}{'looks':>8}")
    for key, looks in sorted(lived.doctor.items()):
        print(f"{key:34}{looks:>8}")
    print(*(f"broken: {words}" for words in lived.broken), sep="\n")
    return 1 if table.missed or lived.broken else 0


if __name__ == "__main__":
    sys.exit(main())
