"""What memoryd costs: memory, disk, time to the first answer, time and CPU of a turn and of a question, idling.

    python bench/memoryd.py --turns 10000

Starts a memoryd of its own on a temporary data directory and prints a table. Turns beyond the first 300 get made-up
vectors and tokens, so that a large index does not take an hour to embed.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import numpy as np

from bench.projection import DIMENSIONS
from furoshiki.core.database import migrate
from furoshiki.core.database.connection import Database
from furoshiki.messages.store import turns
from furoshiki.messages.values import NewTurn
from furoshiki.recall.embeddings.models import BEST, identity
from furoshiki.recall.retrieval.client import SMALL, Vectors, VectorsAway
from furoshiki.recall.retrieval.store import token_vectors, vectors
from furoshiki.recall.retrieval.store.vectors import Embedded

T = TypeVar("T")
EMBEDDED_FOR_REAL = 300
TEXT = """
boat harbour sister kitchen radiator bicycle river dentist music garden winter letter train friend work doctor dinner
paint camera holiday museum school cousin lamp window story weather shop bread lesson promise birthday ticket bridge
walk sleep call find remember forget buy sell write plan cook visit repair lose win move hope
"""
WORDS = TEXT.split()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--encoder", default=BEST, help="as FUROSHIKI_EMBEDDER; one that is built in")
    parser.add_argument("--idle", type=float, default=20.0, help="seconds to watch it doing nothing")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        report("encoder", identity(asked.encoder))
        rows, took = timed(lambda: fill(data, asked.turns, identity(asked.encoder)))
        report("rows written", f"{rows / took:,.0f} a second, without embedding")
        process = start(data, asked.encoder)
        try:
            measure(Vectors(data), data, process.pid, asked.idle)
        finally:
            process.terminate()
            _, took = timed(lambda: process.wait(30))
            report("ends on SIGTERM after", f"{took:.2f} s")


def measure(client: Vectors, data: Path, pid: int, idle: float) -> None:
    """Query and measure."""
    _, took = timed(lambda: wait(lambda: client.status(5)))
    report("answers after", f"{took:.1f} s")
    _, took = timed(lambda: client.embed(["hello"], 30))
    report("first vector after", f"{took:.1f} s more")
    report("resident with the encoder", megabytes(pid))
    began, used = time.perf_counter(), cpu(pid)
    wait(lambda: client.query("Where is the boat?", seconds=10))
    while not ready(client):
        time.sleep(0.2)
    report("everything indexed after", f"{time.perf_counter() - began:.1f} s, {cpu(pid) - used:.1f} s CPU")
    report("resident with the index", megabytes(pid))
    ingest(client, data, pid)
    rng = random.Random(1)
    questions = [f"What about the {' '.join(rng.sample(WORDS, 4))}?" for _ in range(100)]
    now = datetime(2026, 3, 1, tzinfo=UTC)
    ask(pid, "nearest to a question", lambda text: client.query(text, seconds=10), questions)
    ask(pid, "recall for a question", lambda text: client.recall(text, k=20, now=now, seconds=10), questions)
    report("resident after 200 questions", megabytes(pid))
    disk(data)
    found = client.audit(200)
    report("audit", f"{found['asked']} asked, {len(found['missed'])} missed")
    time.sleep(2)
    used = cpu(pid)
    time.sleep(idle)
    report("idle", f"{(cpu(pid) - used) / idle * 100:.2f} % of a core")


def ask(pid: int, what: str, question: Callable[[str], object], questions: list[str]) -> None:
    """Ask all questions, and print the cost of one."""
    used = cpu(pid)
    times = sorted(timed(lambda text=text: question(text))[1] * 1000 for text in questions)  # type: ignore[misc]
    each = (cpu(pid) - used) / len(times) * 1000
    report(what, f"p50 {times[len(times) // 2]:.1f} ms, p95 {times[-len(times) // 20]:.1f} ms, {each:.1f} ms CPU")


def ingest(client: Vectors, data: Path, pid: int, count: int = 200) -> None:
    """Measure a new turn until it can be found: vectors, row and index entry."""
    database, rng, at = Database(database_file(data)), random.Random(3), datetime(2026, 2, 20, tzinfo=UTC)
    with database.write() as db:
        for i in range(count):
            text = " ".join(rng.choices(WORDS, k=rng.randint(4, 50)))
            turns.add(db, NewTurn(f"n{i // 30}", "console", "me", "user", text, at + timedelta(minutes=i)))
    database.close()
    used = cpu(pid)
    client.nudge(at_once=True)
    wait(lambda: client.status(5))
    while not ready(client):
        time.sleep(0.1)
    report("a new turn", f"{(cpu(pid) - used) / count * 1000:.1f} ms CPU until it is indexed (35 tokens on average)")


def disk(data: Path) -> None:
    """Print the disk use of a turn, in the database and in the index."""
    database = Database(database_file(data))
    wait_until(database.checkpoint)
    with database.read() as db:
        count = db.execute("SELECT count(*) FROM turns").fetchone()[0]
    database.close()
    index = sum(path.stat().st_size for path in (data / "memory" / "chroma").rglob("*") if path.is_file())
    rows = database_file(data).stat().st_size
    report("disk a turn", f"{rows / count:,.0f} bytes of database, {index / count:,.0f} of index")


def database_file(data: Path) -> Path:
    """Return the database of a data directory."""
    return data / "memory" / "longmemory.sqlite"


def wait_until(done: Callable[[], bool]) -> None:
    """Poll until it is done."""
    while not done():
        time.sleep(0.05)


def fill(data: Path, count: int, model: str) -> int:
    """Write turns; all but the first few have vectors of the shapes of `model`."""
    migrate.ensure(database_file(data))
    (data / "run").mkdir()
    database, rng, dice = Database(database_file(data)), random.Random(2), np.random.default_rng(2)
    at = datetime(2026, 1, 1, tzinfo=UTC)
    for first in range(0, count, 1000):
        with database.write() as db:
            made = []
            for i in range(first, min(first + 1000, count)):
                text = " ".join(rng.choices(WORDS, k=rng.randint(4, 50)))
                said = at + timedelta(minutes=i)
                row_id = turns.add(db, NewTurn(f"s{i // 30}", "console", "me", "user", text, said))
                if i >= EMBEDDED_FOR_REAL:
                    vector = dice.standard_normal(384).astype(np.float32)
                    each = dice.standard_normal((int(text.count(" ") * 1.2) + 3, DIMENSIONS)).astype(np.float32)
                    each /= np.linalg.norm(each, axis=1, keepdims=True)
                    blob = token_vectors.pack_tokens(each, model=model)
                    made.append(Embedded(row_id, vectors.pack(vector / np.linalg.norm(vector)), "", blob))
            vectors.keep_vectors(db, "turn", model, made)
    database.close()
    return count


def start(data: Path, encoder: str) -> subprocess.Popen[bytes]:
    """Start our own memoryd in the usual environment."""
    settings = {"FUROSHIKI_DATA": str(data), "FUROSHIKI_EMBEDDER": encoder}
    environ = {**os.environ, **settings, **SMALL}
    return subprocess.Popen([sys.executable, "-m", "furoshiki.app.memoryd"], env=environ)


def ready(client: Vectors) -> bool:
    """Return whether nothing is waiting."""
    status = client.status(10)
    return status["index"] == "ready" and not status["pending"] and not status["busy"]


def wait(ask: Callable[[], T]) -> T:
    """Retry until there is an answer."""
    while True:
        try:
            return ask()
        except VectorsAway:
            time.sleep(0.02)


def timed(do: Callable[[], T]) -> tuple[T, float]:
    """Return the result and the seconds it took."""
    began = time.perf_counter()
    return do(), time.perf_counter() - began


def cpu(pid: int) -> float:
    """Return the CPU seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> str:
    """Return the resident memory, and the private part of it."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    total, own = (int(lines[name].split()[0]) // 1024 for name in ("VmRSS", "RssAnon"))
    return f"{total} MB ({own} MB of its own)"


def report(what: str, value: str) -> None:
    """Print one line of the table."""
    print(f"{what:<30} {value}", flush=True)


if __name__ == "__main__":
    main()
