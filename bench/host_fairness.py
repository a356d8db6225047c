"""What one home waits for its answers while others flood, hang and import.

    python -m bench.host_fairness

Starts `furoshiki host listen` and `furoshiki host brain` over five homes that are copies of one made-up life. In one of
them somebody talks all the time; they are timed alone, then beside a home whose model never answers, beside one that is
sent twenty messages a second, beside one that imports, beside all three, and beside all three while the host allows
four model calls at once. The model takes a tenth of a second.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.host import FIRST_PERSON, has_settled_down, live, settle, until
from bench.turn import Table
from furoshiki.core.paths import HOST
from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator, Request
from tests.emulators.telegram import TelegramEmulator

THINKING_S = 0.1
FLOOD_PAUSE_S = 0.05
PAUSE_S = 0.2
AT_ONCE = 4

TALKER, HANGING, FLOODED, IMPORTING = range(4)
HOMES = 5


def main() -> int:
    """Return 1 when an answer is missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=1000, help="of each home")
    parser.add_argument("--messages", type=int, default=60, help="that are timed in each case")
    parser.add_argument("--records", type=int, default=20_000, help="that are imported")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="furoshiki-fair-") as folder:
        measure(Path(folder), args.turns, args.messages, args.records, Table())
    return 0


def measure(folder: Path, turns: int, messages: int, records: int, table: Table) -> None:
    """Measure each case."""
    root, over = folder / "homes", threading.Event()
    live(folder / "life", turns, lived=True)
    settle(root, HOMES, folder / "life")

    def answer(request: Request) -> str:
        if "hang" in request.words:
            over.wait(600.0)
        time.sleep(THINKING_S)
        return "Done."

    with (
        TelegramEmulator() as telegram,
        LLMEmulator(answer) as llm,
        Program(
            folder / "data", telegram, llm, FUROSHIKI_HOMES=str(root), FUROSHIKI_MEMORYD_IDLE_MINUTES=None
        ) as program,
    ):
        ours = [program.listening("host", "listen", timeout=120.0).pid, program.start("host", "brain").pid]
        until(lambda: has_settled_down(ours), 300.0)
        table.head(f"a message, said to answered, of a model that takes {THINKING_S * 1000:.0f} ms")

        def timed(name: str) -> None:
            talked(telegram, messages, name, table)

        timed("warm-up")
        timed("alone")
        say(telegram, HANGING, "hang")
        timed("beside a model that hangs")
        with flooding(telegram):
            timed("beside a flood")
        with importing(program, folder, records, 1):
            timed("beside an import")
        with flooding(telegram), importing(program, folder, records, 2):
            timed("beside all three")
            with (root / HOST / ".env").open("a") as env:
                env.write(f"FUROSHIKI_HOST_CALLS_AT_ONCE={AT_ONCE}\n")
            timed(f"beside all three, {AT_ONCE} calls at once")
        over.set()


def talked(telegram: TelegramEmulator, messages: int, name: str, table: Table) -> None:
    """Send messages one after the other, and time each answer."""
    took = []
    for number in range(messages):
        before = len(telegram.replies(FIRST_PERSON + TALKER))
        began = time.monotonic()
        say(telegram, TALKER, f"this is message {number}")
        answered(lambda before=before: len(telegram.replies(FIRST_PERSON + TALKER)) > before)  # type: ignore[misc]
        took.append((time.monotonic() - began) * 1000)
        time.sleep(PAUSE_S)
    table.row(f"{name}, p50", statistics.median(took), "ms")
    table.row(f"{name}, p95", statistics.quantiles(took, n=20)[-1], "ms")


def answered(met: Callable[[], bool]) -> None:
    """Wait for an answer."""
    end = time.monotonic() + 120.0
    while not met():
        assert time.monotonic() < end, "an answer does not come"
        time.sleep(0.002)


def say(telegram: TelegramEmulator, home: int, words: str) -> None:
    """Send a message of a home's person."""
    person = FIRST_PERSON + home
    user: dict[str, Any] = {"id": person, "is_bot": False, "first_name": f"P{home}", "language_code": "en"}
    telegram.say(words, user=user, chat_id=person)


@contextmanager
def flooding(telegram: TelegramEmulator) -> Iterator[None]:
    """Let a person write without pause."""
    over = threading.Event()

    def flood() -> None:
        number = 0
        while not over.wait(FLOOD_PAUSE_S):
            number += 1
            say(telegram, FLOODED, f"flood {number}")

    writing = threading.Thread(target=flood)
    writing.start()
    try:
        yield
    finally:
        over.set()
        writing.join()


@contextmanager
def importing(program: Program, folder: Path, records: int, number: int) -> Iterator[None]:
    """Import one file after another."""
    over = threading.Event()

    def take_in() -> None:
        part = 0
        while not over.is_set():
            part += 1
            path = folder / f"life-{number}-{part}.jsonl"
            path.write_text("".join(record(part, one) for one in range(records)))
            program.start("memory", "import", str(path), "--home", f"home-{IMPORTING}", "--no-wait").wait(600.0)

    working = threading.Thread(target=take_in)
    working.start()
    try:
        yield
    finally:
        over.set()
        working.join()


def record(part: int, number: int) -> str:
    """Return one line of an import."""
    at = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=number)
    words = f"In part {part} on day {number // 40} I walked along the river and thought of number {number}."
    return json.dumps({"session": f"{number // 40}", "at": at.isoformat(), "speaker": "user", "text": words,
                       "id": f"{part}-{number}"}) + "\n"  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
