"""What many homes on one machine cost: memory, files, an idle minute, a message while one in a hundred talks.

    python -m bench.host                          1, 10 and 100 homes of 1,000 turns each
    python -m bench.host --homes 1000             also that takes some gigabytes of disk for a while

Starts `furoshiki host listen` and `furoshiki host brain` over homes that are copies of one made-up life, all on one
bot. The model answers at once, so everything measured is ours and the emulators'.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.synthetic import fill
from bench.turn import Table
from furoshiki.embeddings.models import BEST, identity
from furoshiki.host import homes
from furoshiki.host.members import MemberFile
from tests.e2e import processes
from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator, Request
from tests.emulators.telegram import TelegramEmulator

FIRST_PERSON = 1001
PAUSE_S = (2.0, 6.0)
"""How long somebody reads and types before their next message."""

MOST_MB, MOST_CPU, MOST_MS = 1500.0, 10.0, 150.0
"""What is aimed at with a thousand homes: memory of all processes, percent of one core idle, p95 of a message."""


def main() -> int:
    """Exit status 1 when more is used than is aimed at."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--homes", type=int, nargs="+", default=[1, 10, 100])
    parser.add_argument("--turns", type=int, default=1000, help="of each home")
    parser.add_argument("--idle", type=float, default=60.0, metavar="S", help="how long to watch them idle")
    parser.add_argument("--talk", type=float, default=60.0, metavar="S", help="how long one in a hundred talks")
    args = parser.parse_args()
    table = Table()
    for count in args.homes:
        with tempfile.TemporaryDirectory(prefix="furoshiki-host-") as folder:
            measure(Path(folder), count, args.turns, args.idle, args.talk, table)
    return 1 if table.missed else 0


def measure(folder: Path, count: int, turns: int, idle: float, talk: float, table: Table) -> None:
    """The figures of so many homes."""
    root = folder / "homes"
    names = settled(root, count, turns)
    with (
        TelegramEmulator() as telegram,
        LLMEmulator(echo) as llm,
        Program(
            folder / "data", telegram, llm, FUROSHIKI_HOMES=str(root), FUROSHIKI_MEMORYD_IDLE_MINUTES=None
        ) as program,
    ):
        listener = program.listening("host", "listen", timeout=120.0)
        brain = program.start("host", "brain")
        table.head(f"{count:,} homes of {turns:,} turns, one bot")
        (root / ".host" / "run").mkdir(parents=True, exist_ok=True)
        ours = {"listener": listener.pid, "brain": brain.pid}
        until(lambda: settled_down(ours.values()), 300.0)
        idling(root, ours, idle, table, count)
        talking(telegram, count, talk, table)
        usage(root, ours, table, "after the talk", count)
    shutil.rmtree(root)
    assert names


def settled(root: Path, count: int, turns: int) -> list[str]:
    """So many homes, each with its person on the bot of all."""
    names = [f"home-{number}" for number in range(count)]
    first = homes.add(root, names[0], datetime.now(UTC))
    fill(first.data / "memory" / "longmemory.sqlite", turns, identity(BEST))
    for name in names[1:]:
        shutil.copytree(first.data, root / name)
    members = MemberFile(root)
    for number, name in enumerate(names):
        members.settle(FIRST_PERSON + number, name)
    return names


def echo(request: Request) -> str:
    """An answer by which its message is known."""
    found = re.findall(r"message \d+", request.words)
    return f"re: {found[-1] if found else 'nothing'}"


def settled_down(pids: Any) -> bool:
    """Whether what a start does once is done: less than a tenth of a second of CPU in two."""
    before = sum(map(processes.cpu_seconds, pids))
    time.sleep(2.0)
    return sum(map(processes.cpu_seconds, pids)) - before < 0.1


def everything(root: Path, ours: dict[str, int]) -> dict[str, int]:
    """All processes that work for these homes, by what they are."""
    found = dict(ours)
    for path in Path("/proc").iterdir():
        if path.name.isdigit() and int(path.name) not in found.values():
            try:
                environ = (path / "environ").read_bytes()
            except OSError:
                continue
            if str(root).encode() in environ and b"furoshiki" in processes.command(int(path.name)).encode():
                name = processes.command(int(path.name)).rpartition(" -m ")[2][:30]
                found[f"{name} ({path.name})"] = int(path.name)
    return found


def usage(root: Path, ours: dict[str, int], table: Table, when: str, count: int) -> None:
    """Megabytes and open files of all processes."""
    found = everything(root, ours)
    total = sum(processes.proportional_megabytes(pid) for pid in found.values())
    folders = [Path(f"/proc/{pid}/fd") for pid in found.values()]
    files = sum(len(list(folder.iterdir())) for folder in folders if folder.exists())
    for name, pid in found.items():
        table.row(f"{when}: {name}", processes.proportional_megabytes(pid), "MB")
    table.row(f"{when}: together", total, "MB", below=MOST_MB if count >= 1000 else None)
    table.row(f"{when}: open files", files, "")


def idling(root: Path, ours: dict[str, int], seconds: float, table: Table, count: int) -> None:
    """What nobody's talking costs."""
    usage(root, ours, table, "idle", count)
    before = {name: processes.cpu_seconds(pid) for name, pid in everything(root, ours).items()}
    time.sleep(seconds)
    after = everything(root, ours)
    for name, pid in ours.items():
        table.row(f"idle: CPU of the {name}", (processes.cpu_seconds(pid) - before[name]) / seconds * 100, "%")
    used = sum(processes.cpu_seconds(pid) - before.get(name, 0.0) for name, pid in after.items())
    table.row("idle: CPU of all", used / seconds * 100, "%", below=MOST_CPU if count >= 1000 else None)


def talking(telegram: TelegramEmulator, count: int, seconds: float, table: Table) -> None:
    """One home in a hundred talks; from what was said to its answer, the first message of each home by itself."""
    rng = random.Random(1)
    people = rng.sample(range(FIRST_PERSON, FIRST_PERSON + count), max(1, count // 100))
    due = {person: time.monotonic() + rng.uniform(0.0, 3.0) for person in people}
    asked: dict[int, tuple[float, int]] = {}
    heard = dict.fromkeys(people, 0)
    first, others = [], []
    until_ = time.monotonic() + seconds
    while time.monotonic() < until_ or asked:
        now = time.monotonic()
        for person in people:
            if person in asked:
                if len(telegram.replies(person)) > asked[person][1]:
                    took = (now - asked.pop(person)[0]) * 1000
                    (first if heard[person] == 1 else others).append(took)
                    due[person] = now + rng.uniform(*PAUSE_S)
            elif now >= due[person] and now < until_:
                heard[person] += 1
                asked[person] = (now, len(telegram.replies(person)))
                user = {"id": person, "is_bot": False, "first_name": f"P{person}", "language_code": "en"}
                telegram.say(f"this is message {heard[person]}", user=user, chat_id=person)
        time.sleep(0.002)
        assert now < until_ + 60.0, "an answer does not come"
    table.row("first message, that wakes its home, p50", statistics.median(first), "ms")
    if len(others) > 1:
        cuts = statistics.quantiles(others, n=20)
        table.row(f"{len(others)} others, p50", statistics.median(others), "ms")
        table.row("others, p95", cuts[-1], "ms", below=MOST_MS if count >= 1000 else None)


def until(met: Callable[[], bool], seconds: float) -> None:
    """Wait for something."""
    end = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < end, "it did not settle down"


if __name__ == "__main__":
    sys.exit(main())
