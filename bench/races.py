"""Two listeners, two brains, two supervisors begin at the same moment: one stays, and the other says why it does not.

    python -m bench.races --times 100

Processes are forked from a warm one, so that they come to the lock together.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from bench.turn import Table
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import TelegramEmulator
from tests.support.forked_program import ForkedProgram

SERVICES = ("listen", "brain", "up")
SECONDS = 30.0


def main() -> int:
    """Return 1 when a race had no winner, two winners, or a loser without a message."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=100)
    args = parser.parse_args()
    table = Table()
    with (
        tempfile.TemporaryDirectory() as folder,
        TelegramEmulator() as telegram,
        LLMEmulator(lambda _request: "Hello.") as llm,
        ForkedProgram(Path(folder) / "data", telegram, llm) as program,
    ):
        program.run("migrate")
        for service in SERVICES:
            wrong = [words for _ in range(args.times) if (words := race(program, service))]
            table.head(f"{args.times} races of two: {service}")
            table.row("without exactly one winner and one word", len(wrong), "", below=1)
            print(*dict.fromkeys(wrong), sep="\n", end="\n" if wrong else "")
        table.head("all of them")
        table.row("pollers that met at Telegram", telegram.conflicts, "", below=1)
    return 1 if table.missed else 0


def race(program: ForkedProgram, service: str) -> str | None:
    """Start two at once; return what was wrong, or None."""
    both = [program.start(service), program.start(service)]
    try:
        program.wait_for(lambda: not all(one.alive() for one in both), SECONDS, "one to give way")
        lost = next(one for one in both if not one.alive())
        [won] = [one for one in both if one is not lost]
        status = lost.wait()
        if status != 1 or "already" not in lost.log or "Traceback" in lost.log:
            return f"the loser left with {status}: {lost.log.strip()[-300:]}"
        if not won.alive():
            return f"nobody stayed: {won.log.strip()[-300:]}"
        status, _ = won.stop()
        return None if status == 0 else f"the winner left with {status}: {won.log.strip()[-300:]}"
    finally:
        for one in both:
            one.kill()


if __name__ == "__main__":
    sys.exit(main())
