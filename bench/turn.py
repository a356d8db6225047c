"""What one message costs, beside the figures we aim at: time, CPU, memory, tokens.

    python bench/turn.py                 an empty memory and one of 100,000 turns (some minutes: the index is built)
    python bench/turn.py --turns 0       the empty memory only
    python bench/turn.py --keep big      the large memory only, kept in the folder `big` for the next time
    python -m bench.turn --profile       an empty memory, step by step: when each begins, what it takes, its CPU

The model answers at once, so everything measured is ours (and some milliseconds of the two emulators', which share the
processors with the program).
"""

from __future__ import annotations

import argparse
import json
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.synthetic import fill, vocabulary  # isort: skip
from furoshiki.recall.embeddings.models import BEST, identity
from furoshiki.recall.retrieval.client import Vectors, VectorsAway, spawner
from tests.e2e import processes
from tests.e2e.program import Process, Program
from tests.e2e.test_prompts import ANSWERED, SAID
from tests.emulators.llm import LLMEmulator, Request
from tests.emulators.telegram import TelegramEmulator

MESSAGES = 60
WARMING = 10
"""Messages before the measurement: imports, connections, the encoder."""

PAUSE_SECONDS = 0.25
APART_SECONDS = 1.5
"""Seconds between profiled messages: work after an answer is then over."""

IDLE_SECONDS = 30.0
INDEX_SECONDS = 600.0
MODEL = identity(BEST)

UNREAD = "SELECT count(*) FROM design_docs WHERE index_state = 'pending'"


class Table:
    """Prints rows of name, result and aim."""

    def __init__(self) -> None:
        self.missed = 0

    def head(self, title: str) -> None:
        print(f"\n{title:46}{'found':>14}{'aim':>12}")

    def row(self, name: str, found: float, unit: str, below: float | None = None, above: float | None = None) -> None:
        aim = f"< {below:g}" if below is not None else f"≥ {above:g}" if above is not None else ""
        bad = (below is not None and found >= below) or (above is not None and found < above)
        self.missed += bad
        shown = f"{found:,.0f}" if abs(found) >= 1000 else f"{found:,.3g}"
        print(f"{name:46}{shown + ' ' + unit:>14}{aim:>12}{'  missed' if bad else ''}", flush=True)


def main() -> int:
    """Return 1 when an aim was missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=100_000, help="size of the large memory; 0 leaves it out")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the large memory lies, or shall lie")
    parser.add_argument("--idle", type=float, default=IDLE_SECONDS, help="seconds to watch it doing nothing")
    parser.add_argument("--profile", action="store_true", help="only where the time of a message goes")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # ends what was started
    table = Table()
    if args.profile:
        with tempfile.TemporaryDirectory() as folder:
            profile(Path(folder))
        return 0
    if args.keep is None:
        with tempfile.TemporaryDirectory() as folder:
            empty_memory(Path(folder), table, args.idle)
    if args.turns:
        with tempfile.TemporaryDirectory() as folder:
            large_memory(args.keep or Path(folder), table, args.turns)
    return 1 if table.missed else 0


def empty_memory(folder: Path, table: Table, idle: float) -> None:
    """Measure a new installation: start, messages, prompts, idling."""
    with (
        TelegramEmulator() as telegram,
        LLMEmulator(lambda _request: ANSWERED) as llm,
        Program(folder / "data", telegram, llm, provider="anthropic") as program,
    ):
        program.run("migrate")
        table.head("start")
        start(program, table)
        up = program.listening("up")
        table.head("a message, with an empty memory")
        said = [SAID.format(n=number) for number in range(1, WARMING + MESSAGES + 1)]
        converse(program, telegram, said, table)
        table.head("prompts")
        prompts(llm.requests, table)
        table.head(f"idle for {idle:g} s")
        watch_idle(program, up.pid, idle, table)


class Watched(Program):
    """A program whose listener times its steps (`bench.steps`)."""

    def _launched(self, args: tuple[str, ...], environ: Mapping[str, str], log: Path) -> Process:
        if args != ("listen",):
            return super()._launched(args, environ, log)
        with log.open("wb") as file:
            command = [sys.executable, "-m", "bench.steps", str(self.data / "steps.json")]
            return subprocess.Popen(command, cwd=self.root, env=environ, stdout=file, stderr=file)


def profile(folder: Path) -> None:
    """Print the median begin and duration of each step over all messages."""
    with (
        TelegramEmulator() as telegram,
        LLMEmulator(lambda _request: ANSWERED) as llm,
        Watched(folder / "data", telegram, llm, provider="anthropic") as program,
    ):
        program.run("migrate")
        listener = program.listening("listen")
        spans = []
        for number in range(1, WARMING + MESSAGES + 1):
            sends, began = len(telegram.called("sendMessage")), time.time()
            telegram.say(SAID.format(n=number))
            telegram.wait_for(lambda: len(telegram.called("sendMessage")) > sends, 30.0)  # noqa: B023
            spans.append((began, telegram.called("sendMessage")[-1].at))
            time.sleep(APART_SECONDS)
        listener.stop()
        seen = json.loads((program.data / "steps.json").read_text("utf-8"))
        asked = [request.at for request in llm.requests if request.tools]
    steps: dict[str, list[tuple[float, float, float, int]]] = {}
    models, whole = [], []
    for began, sent in spans[WARMING:]:
        own: dict[str, list[tuple[float, float, float]]] = {}
        for name, start, end, cpu in seen:
            if began <= start < sent:
                own.setdefault(name, []).append((start - began, end - start, cpu))
        for name, all_of_it in own.items():
            starts, walls, cpus = zip(*all_of_it, strict=True)
            steps.setdefault(name, []).append((min(starts), sum(walls), sum(cpus), len(starts)))
        models.append(min(at for at in asked if at >= began) - began)
        whole.append(sent - began)
    print(f"{'ms, p50':46}{'begins':>8}{'takes':>8}{'CPU':>8}{'times':>8}")
    for name, rows in sorted(steps.items(), key=lambda item: statistics.median(row[0] for row in item[1])):
        start, wall, cpu, times = (statistics.median(column) for column in zip(*rows, strict=True))
        print(f"{name:46}{1000 * start:8.1f}{1000 * wall:8.1f}{1000 * cpu:8.1f}{times:8.0f}")
    print(f"{'the model is asked':46}{1000 * statistics.median(models):8.1f}")
    print(f"{'the answer is sent':46}{1000 * statistics.median(whole):8.1f}")


def large_memory(folder: Path, table: Table, turns: int) -> None:
    """Measure the same messages after years of conversation."""
    import random

    with (
        TelegramEmulator() as telegram,
        LLMEmulator(lambda _request: ANSWERED) as llm,
        Program(folder / "data", telegram, llm, provider="anthropic") as program,
    ):
        began, database = time.monotonic(), program.data / "memory" / "longmemory.sqlite"
        if not database.exists():
            fill(database, turns, MODEL)
        print(f"\n{turns:,} turns there after {time.monotonic() - began:.0f} s", end="", flush=True)
        vectors = Vectors(program.data, spawner(program.data))
        program.wait_for(lambda: indexed(vectors), INDEX_SECONDS, "the index")
        print(f", indexed after {time.monotonic() - began:.0f} s")
        rng = random.Random(2)
        words = vocabulary(random.Random(1))
        weights = [1.0 / rank for rank in range(1, len(words) + 1)]
        program.listening("up")
        table.head(f"a message, with {turns:,} turns")
        said = [" ".join(rng.choices(words, weights, k=rng.randint(4, 30))) for _ in range(WARMING + MESSAGES)]
        converse(program, telegram, said, table)
        listener, memoryd = program.process("listen"), program.memoryd()
        table.row("resident: listener", processes.megabytes(listener), "MB", below=110)
        if memoryd is not None:
            table.row("resident: memoryd", processes.megabytes(memoryd), "MB", below=220)


def start(program: Program, table: Table) -> None:
    """Measure the second start: the first one created the database."""
    walls, cpus = [], []
    for _ in range(3):
        began = time.monotonic()
        listener = program.listening()
        walls.append(time.monotonic() - began)
        cpus.append(processes.cpu_seconds(listener.pid))
        listener.kill()
    table.row("start to the first poll", min(walls), "s", below=2)
    table.row("  CPU", min(cpus), "s")


def converse(program: Program, telegram: TelegramEmulator, said: list[str], table: Table) -> None:
    """Send all messages one after the other, and time each answer."""
    times: list[float] = []
    vectors = Vectors(program.data, spawner(program.data))
    used: Mapping[int, float] = {}
    for number, text in enumerate(said):
        if number == WARMING:
            # A new installation embeds its own documents once, after a minute of silence, which is
            # not counted. Embedded rows then wait for the index until the first query.
            program.wait_for(lambda: not program.value(UNREAD), INDEX_SECONDS, "memoryd to have read the documents")
            vectors.nudge(at_once=True)
            program.wait_for(lambda: indexed(vectors), INDEX_SECONDS, "memoryd to have nothing left to embed")
            used = {pid: processes.cpu_seconds(pid) for pid in program.processes()}
        sends, began = len(telegram.called("sendMessage")), time.time()
        telegram.say(text)
        telegram.wait_for(lambda: len(telegram.called("sendMessage")) > sends, 30.0)  # noqa: B023 - called at once
        times.append(telegram.called("sendMessage")[-1].at - began)
        time.sleep(PAUSE_SECONDS)
    program.wait_quiet()
    milliseconds = sorted(1000 * taken for taken in times[WARMING:])
    table.row("delivered to answered, p50", statistics.median(milliseconds), "ms", below=40)
    table.row("delivered to answered, p95", milliseconds[int(len(milliseconds) * 0.95)], "ms", below=100)
    table.row("the first message", 1000 * times[0], "ms")
    for name, pid in (("listener", program.process("listen")), ("memoryd", program.memoryd())):
        if pid is not None and pid in used:
            spent = (processes.cpu_seconds(pid) - used[pid]) / (len(said) - WARMING)
            table.row(f"CPU a message: {name}", 1000 * spent, "ms")


def prompts(requests: list[Request], table: Table) -> None:
    """Print the tokens as the emulator counts them (four bytes each), and its cache's share."""
    asked = [request for request in requests if request.tools]  # what is read or felt beside has none
    table.row("tokens of message 1", asked[0].input_tokens, "", below=3501)
    table.row("tokens of message 50", asked[49].input_tokens, "", below=6001)
    for count in (20, 50):
        part = asked[:count]
        share = sum(one.cached_tokens for one in part) / sum(one.input_tokens for one in part)
        table.row(f"cached share over {count} messages", 100 * share, "%", above=70)


def watch_idle(program: Program, supervisor: int, seconds: float, table: Table) -> None:
    """Print CPU and memory of every process while idle."""
    named = {
        "listener": (program.process("listen"), 110.0),
        "brain": (program.process("brain"), 45.0),
        "memoryd": (program.memoryd(), 220.0),
        "supervisor": (supervisor, None),
    }
    living = {name: (pid, aim) for name, (pid, aim) in named.items() if pid is not None}
    before = {name: processes.cpu_seconds(pid) for name, (pid, _) in living.items()}
    written = {name: processes.written_bytes(pid) for name, (pid, _) in living.items()}
    time.sleep(seconds)
    shares = {name: 100 * (processes.cpu_seconds(pid) - before[name]) / seconds for name, (pid, _) in living.items()}
    for name, share in shares.items():
        table.row(f"CPU of a core: {name}", share, "%")
    table.row("CPU of a core: all", sum(shares.values()), "%", below=0.5)
    disk = sum(processes.written_bytes(pid) - written[name] for name, (pid, _) in living.items())
    table.row("written to disk", disk / 1024, "KB")
    total = 0.0
    for name, (pid, aim) in living.items():
        total += processes.megabytes(pid)
        table.row(f"resident: {name}", processes.megabytes(pid), "MB", below=aim)
    table.row("resident: all", total, "MB", below=350)


def indexed(vectors: Vectors) -> bool:
    """Return whether memoryd has a complete index; the query opens it."""
    try:
        vectors.query("hello", k=1, seconds=5.0)
        status = vectors.status(5.0)
    except VectorsAway:
        return False
    time.sleep(0.5)
    return status["index"] == "ready" and not status["busy"] and not status["pending"]


if __name__ == "__main__":
    sys.exit(main())
