"""What many homes on one machine cost: memory, files, an idle time, a turn while one in a hundred talks, a waking.

    python -m bench.host                          1, 10 and 100 homes of 1,000 turns each
    python -m bench.host --homes 1000             takes four gigabytes of disk for a while (`--in FOLDER` says where)
    python -m bench.host --homes 1000 --first 900 watches the first quarter of an hour after a start instead

Starts `furoshiki host listen` and `furoshiki host brain` over homes that are copies of one made-up life, all on one
bot. The model answers at once, so everything measured is ours and the emulators'.
"""

from __future__ import annotations

import argparse
import asyncio
import heapq
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.synthetic import fill
from bench.turn import Table
from furoshiki.app.jobs import JOBS, import_function
from furoshiki.app.scheduler import schedule_file
from furoshiki.app.wiring import SystemClock
from furoshiki.channels.telegram.bot import Client
from furoshiki.core import settings
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import HOST
from furoshiki.host import homes
from furoshiki.host.brain import HostBrain
from furoshiki.host.members import FILE
from furoshiki.host.minds import Minds
from furoshiki.host.open_home import open_home
from furoshiki.recall.embeddings.models import BEST, identity
from furoshiki.recall.retrieval.client import Vectors
from tests.e2e import processes
from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator, Request
from tests.emulators.telegram import TelegramEmulator

FIRST_PERSON = 1001
PAUSE_S = (2.0, 6.0)
"""Seconds that a person needs to read and type between messages."""

MOST_MB, MOST_CPU, MOST_MS, MOST_WAKING_MS, MOST_ASKING_MS = 1500.0, 10.0, 150.0, 50.0, 1.0
"""Aims. With a thousand homes: memory of all processes, percent of a core of idle listener, brain
and memoryd, p95 of a turn. With any number: ms to open a home, ms of a check without work."""

ALIKE = 40
"""Homes that are opened and checked for the timings."""

SLICES = 6
"""Idling is measured in so many slices: their differences show other load of the machine."""


def main() -> int:
    """Return 1 when an aim was missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--homes", type=int, nargs="+", default=[1, 10, 100])
    parser.add_argument("--turns", type=int, default=1000, help="of each home")
    parser.add_argument("--idle", type=float, default=120.0, metavar="S", help="how long to watch them idle")
    parser.add_argument("--talk", type=float, default=60.0, metavar="S", help="how long one in a hundred talks")
    parser.add_argument("--talkers", type=int, metavar="N", help="how many talk, instead of one in a hundred")
    parser.add_argument("--first", type=float, metavar="S", help="watch so long how a new installation begins")
    parser.add_argument("--in", type=Path, dest="where", metavar="FOLDER", help="where the homes lie meanwhile")
    parser.add_argument("--life", type=Path, metavar="FOLDER", help="where the life they are copies of is kept")
    args = parser.parse_args()
    table = Table()
    with tempfile.TemporaryDirectory(prefix="furoshiki-life-", dir=args.where) as made:
        life = args.life or Path(made) / "life"
        if not life.exists():
            live(life, args.turns, args.first is None)
        for count in args.homes:
            with tempfile.TemporaryDirectory(prefix="furoshiki-host-", dir=args.where) as folder:
                Measured(Path(folder), count, life, table).measure(args)
    return 1 if table.missed else 0


def live(life: Path, turns: int, lived: bool) -> None:
    """Create a home with so many turns. A `lived` one has all one-time work done: every job ran,
    and all rows have vectors."""
    root = life.with_name(f"{life.name}-homes")
    shutil.rmtree(root, ignore_errors=True)
    home = homes.add(root, "home-0", datetime.now(UTC))
    (root / HOST / "run").mkdir(parents=True, exist_ok=True)
    database = home.data / "memory" / "longmemory.sqlite"
    database.unlink()
    fill(database, turns, identity(BEST))
    if lived:
        with LLMEmulator(echo) as llm, Program(root / HOST, None, llm, **shared(root, None, llm)) as program:
            jobs = schedule_file.read(home.data / "memory" / "schedules.json").values()
            asked = [json.dumps({"home": str(home.data), "job": one.script.stem, "args": one.args}) for one in jobs]
            worker = [sys.executable, "-P", "-m", "furoshiki.host.job_worker"]
            reading = next(one for one in asked if "run_post_conversation" in one)
            said = "\n".join([*asked, *[reading] * (turns // 25)])  # ten conversations each
            subprocess.run(worker, input=said, env=program.environment, text=True, check=True, capture_output=True)
            vectors = Vectors(home.data)
            until(lambda: not vectors.status(5)["pending"], 600.0)
    held = Database(database)
    until(held.checkpoint, 30.0)
    held.close()
    shutil.rmtree(home.data / "backups", ignore_errors=True)
    (home.data / "run" / "memoryd.key").unlink(missing_ok=True)
    home.data.rename(life)
    shutil.rmtree(root)


def shared(root: Path, telegram: TelegramEmulator | None, llm: LLMEmulator) -> dict[str, str | None]:
    """Write varying settings to the host's `.env`, because homes describe themselves again when
    their environment changes. Returns the remaining environment."""
    (root / HOST).mkdir(parents=True, exist_ok=True)
    said = {"OPENAI_BASE_URL": llm.openai_url}
    if telegram is not None:
        said |= {"TELEGRAM_BOT_TOKEN": telegram.token, "TELEGRAM_API_URL": telegram.url}
    (root / HOST / ".env").write_text("".join(f"{name}={value}\n" for name, value in said.items()))
    away = ("OPENAI_BASE_URL", "TELEGRAM_BOT_TOKEN", "TELEGRAM_API_URL", "TELEGRAM_OWNER_ID")
    return {"FUROSHIKI_HOMES": str(root), "FUROSHIKI_MEMORYD_IDLE_MINUTES": None, **dict.fromkeys(away)}


def settle(root: Path, count: int, life: Path) -> list[str]:
    """Create homes that are copies of a life, each with a person on the shared bot; return their
    names."""
    names = [f"home-{number}" for number in range(count)]
    (root / HOST / "run").mkdir(parents=True, exist_ok=True)
    for name in names:
        shutil.copytree(life, root / name)
    people = {str(FIRST_PERSON + number): name for number, name in enumerate(names)}
    (root / HOST / FILE).write_text(json.dumps({"people": people, "invites": {}}))
    return names


def has_settled_down(pids: Iterable[int]) -> bool:
    """Return whether the start-up work is done: less than a fifth of a core for two seconds."""
    ours = list(pids)
    before = sum(map(processes.cpu_seconds, ours))
    time.sleep(2.0)
    return sum(map(processes.cpu_seconds, ours)) - before < 0.4


class Measured:
    """A number of homes, and the processes that serve them."""

    def __init__(self, folder: Path, count: int, life: Path, table: Table) -> None:
        self.folder = folder
        self.root = folder / "homes"
        self.count = count
        self.life = life
        self.table = table
        self.ours: dict[str, int] = {}

    def measure(self, args: argparse.Namespace) -> None:
        """Measure the homes."""
        with (
            TelegramEmulator() as telegram,
            LLMEmulator(echo) as llm,
            Program(
                self.folder / "data",
                telegram,
                llm,
                **shared(self.root, telegram, llm),
            ) as program,
        ):
            names = settle(self.root, self.count, self.life)
            self.table.head(f"{self.count:,} homes of {args.turns:,} turns, load {os.getloadavg()[0]:.1f}")
            if args.first is None:
                self.alone(names)
            began = time.monotonic()
            listener = program.listening("host", "listen", timeout=300.0)
            self.table.row("start to the first poll", time.monotonic() - began, "s")
            brain = program.start("host", "brain")
            self.ours = {"listener": listener.pid, "brain": brain.pid}
            if args.first is not None:
                self.idling(args.first, "first")
                return
            self.talking(telegram, 1, 10.0, "before")
            until(lambda: has_settled_down(self.ours.values()), 600.0)
            self.usage("idle")
            self.idling(args.idle, "idle")
            self.talking(telegram, args.talkers or max(1, self.count // 100), args.talk, "talk")
            self.usage("after the talk")
            assert listener.alive() and brain.alive()

    # -- sequential, in this process --

    def alone(self, names: Sequence[str]) -> None:
        """Measure opening a home, and the brain's check without work."""
        chosen = random.Random(3).sample(list(names), min(ALIKE, len(names)))
        os.environ["FUROSHIKI_HOMES"] = str(self.root)
        opened = asyncio.run(self._opened(chosen))
        self.table.row("the first opening of all", opened[0], "ms")
        if len(opened) > 1:
            self.table.row("opening a home, p50", statistics.median(opened[1:]), "ms", below=MOST_WAKING_MS)
            self.table.row("opening a home, p95", statistics.quantiles(opened[1:], n=20)[-1], "ms")
        now = SystemClock().now()
        brain = HostBrain(self.root, lambda: now)
        took, _ = timed(brain._look_around)
        self.table.row("the brain takes in all homes", took, "ms")
        took, _ = timed(brain._look_around)
        self.table.row("  and looks whether anything changed", took, "ms")
        brain.tables = {name: brain.tables[name] for name in chosen}
        brain._heap = [due for due in brain._heap if due[2] in brain.tables]
        heapq.heapify(brain._heap)
        for job in JOBS.values():  # import once what checks import
            for step in (*job.steps, *job.for_others):
                import_function(step.due)
        asked, spent = 0, 0.0
        for minute in range(60):
            then = now + timedelta(minutes=minute)
            asked += sum(due[0] <= then for due in brain._heap)
            while brain._heap[0][0] <= then:
                spent += timed(lambda then=then: brain._ask_home(then))[0]
        self.table.row("a home: the brain's questions of an hour", asked / len(chosen), "")
        self.table.row("  each of them", spent / asked, "ms", below=MOST_ASKING_MS)

    async def _opened(self, chosen: Sequence[str]) -> list[float]:
        clock, token = SystemClock(), "1:none"
        minds = Minds(self.root / HOST / "logs", 0.0)
        held = settings.load({"FUROSHIKI_DATA": str(self.root / HOST), "TELEGRAM_BOT_TOKEN": token})
        client = Client(token, "http://127.0.0.1:9")
        took = []
        for number, name in enumerate(chosen):
            home = homes.get_home(self.root, name)
            began = time.perf_counter()
            made = await open_home(home, minds, clock, client, shared=held, owner_id=FIRST_PERSON + number)
            await made.at_rest()
            took.append((time.perf_counter() - began) * 1000)
            await made.close()
        await client.close()
        minds.close(1.0)
        return took

    # -- all together --

    def everything(self, ours: dict[str, int]) -> dict[str, int]:
        """Return all processes that serve these homes, by kind."""
        found = dict(ours)
        for path in Path("/proc").iterdir():
            if path.name.isdigit() and int(path.name) not in (*found.values(), os.getpid()):
                try:
                    environ = (path / "environ").read_bytes()
                except OSError:
                    continue
                if str(self.root).encode() in environ and b"furoshiki" in processes.command(int(path.name)).encode():
                    name = processes.command(int(path.name)).rpartition(" -m ")[2][:30]
                    found[f"{name} ({path.name})"] = int(path.name)
        return found

    def usage(self, when: str) -> None:
        """Print the megabytes and open files of all processes."""
        found = self.everything(self.ours)
        total = sum(processes.proportional_megabytes(pid) for pid in found.values())
        folders = [Path(f"/proc/{pid}/fd") for pid in found.values()]
        files = sum(len(list(folder.iterdir())) for folder in folders if folder.exists())
        for name, pid in found.items():
            self.table.row(f"{when}: {name}", processes.proportional_megabytes(pid), "MB")
        self.table.row(f"{when}: together", total, "MB", below=MOST_MB)
        self.table.row(f"{when}: open files", files, "")

    def idling(self, seconds: float, what: str) -> None:
        """Measure idle CPU of each process, in slices of which the first and last are shown."""
        slices, began = [], self._used()
        for _ in range(SLICES):
            before = self._used()
            time.sleep(seconds / SLICES)
            after = self._used()
            slices.append(sum(spent - before.get(name, 0.0) for name, spent in after.items()) / seconds * SLICES * 100)
        ended = self._used()
        percent = {name: (spent - began.get(name, 0.0)) / seconds * 100 for name, spent in ended.items()}
        for name, share in percent.items():
            self.table.row(f"{what}: CPU of {name}", share, "%")
        resident = sum(share for name, share in percent.items() if "job_worker" not in name)
        self.table.row(f"{what}: CPU without jobs", resident, "%", below=MOST_CPU if what == "idle" else None)
        self.table.row(f"{what}: CPU with jobs", sum(percent.values()), "%")
        print(f"  by slices of {seconds / SLICES:.0f} s: {', '.join(f'{one:.1f}' for one in slices)} %", flush=True)

    def _used(self) -> dict[str, float]:
        """Return the CPU seconds of every process so far."""
        found = {}
        for name, pid in self.everything(self.ours).items():
            try:
                found[name] = processes.cpu_seconds(pid)
            except OSError:
                continue
        return found

    def talking(self, telegram: TelegramEmulator, talkers: int, seconds: float, what: str) -> None:
        """Let some homes talk and time the answers, the first of each home separately."""
        rng = random.Random(1)
        people = rng.sample(range(FIRST_PERSON, FIRST_PERSON + self.count), talkers)
        due = {person: time.monotonic() + rng.uniform(0.0, 3.0) for person in people}
        asked: dict[int, tuple[float, int]] = {}
        heard = dict.fromkeys(people, 0)
        first, others = [], []
        began, before = time.monotonic(), self._used()
        while time.monotonic() < began + seconds or asked:
            now = time.monotonic()
            for person in people:
                if person in asked:
                    if len(telegram.replies(person)) > asked[person][1]:
                        took = (now - asked.pop(person)[0]) * 1000
                        (first if heard[person] == 1 else others).append(took)
                        due[person] = now + rng.uniform(*PAUSE_S)
                elif now >= due[person] and now < began + seconds:
                    heard[person] += 1
                    asked[person] = (now, len(telegram.replies(person)))
                    user = {"id": person, "is_bot": False, "first_name": f"P{person}", "language_code": "en"}
                    telegram.say(f"this is message {heard[person]}", user=user, chat_id=person)
            time.sleep(0.005)
            assert now < began + seconds + 60.0, "an answer does not come"
        used = sum(spent - before.get(name, 0.0) for name, spent in self._used().items())
        if what != "talk":
            return
        self.table.row(f"{talkers} talk: the first message, that wakes, p50", statistics.median(first), "ms")
        if len(others) > 1:
            cuts = statistics.quantiles(others, n=20)
            self.table.row(f"  {len(others)} others, p50", statistics.median(others), "ms")
            self.table.row("  p95", cuts[-1], "ms", below=MOST_MS)
        self.table.row("  CPU of a turn, idling included", used / (len(first) + len(others)) * 1000, "ms")
        self.table.row("  load of the machine", os.getloadavg()[0], "")


def timed(work: Callable[[], object]) -> tuple[float, object]:
    """Return the milliseconds of a call and its result."""
    began = time.perf_counter()
    found = work()
    return (time.perf_counter() - began) * 1000, found


def echo(request: Request) -> str:
    """Return an answer that identifies its message."""
    found = re.findall(r"message \d+", request.words)
    return f"re: {found[-1] if found else 'nothing'}"


def until(met: Callable[[], object], seconds: float) -> None:
    """Wait for a condition."""
    end = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < end, "it did not settle down"
        time.sleep(0.05)


if __name__ == "__main__":
    sys.exit(main())
