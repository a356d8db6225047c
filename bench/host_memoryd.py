"""What the memoryd of many homes costs: memory, files, threads, a recall of open and of closed homes, idling, and what
others wait while one home imports or floods it.

    python bench/host_memoryd.py --homes 100 --turns 1000

Starts a memoryd over a temporary folder of homes that all hold a copy of the same made-up life.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.memoryd import WORDS, cpu, database_file, fill, report, timed, wait
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import HOST
from furoshiki.messages.store import turns
from furoshiki.messages.values import NewTurn
from furoshiki.recall.embeddings.models import BEST, identity
from furoshiki.recall.retrieval.client import SMALL, Vectors, VectorsAway
from furoshiki.recall.retrieval.memoryd.homes import MOST_OPEN

NOW = datetime(2026, 3, 1, tzinfo=UTC)
IMPORTED = 1500


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--homes", type=int, default=100)
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--idle", type=float, default=60.0, help="seconds to watch it doing nothing")
    parser.add_argument("--crowd", action="store_true", help="also what others wait while one imports or floods")
    parser.add_argument("--chroma", metavar="URL", help="keep the vectors on a Chroma server in place of memory")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / HOST / "run").mkdir(parents=True)
        fill(root / "h0", asked.turns, identity(BEST))
        environ = {**os.environ, **SMALL, "FUROSHIKI_DATA": str(root / HOST)}
        if asked.chroma:
            environ["FUROSHIKI_CHROMA_URL"] = asked.chroma
        process = subprocess.Popen([sys.executable, "-m", "furoshiki.app.memoryd"], env=environ)
        try:
            settled(Vectors(root / "h0"))
            Vectors(root / "h0").stop()
            _fold(root / "h0")
            for number in range(1, asked.homes):
                shutil.copytree(root / "h0", root / f"h{number}")
            measure(root, [Vectors(root / f"h{number}") for number in range(asked.homes)], process.pid, asked.idle)
            if asked.crowd:
                crowd(root, [Vectors(root / f"h{number}") for number in range(asked.homes)])
        finally:
            process.terminate()
            _, took = timed(lambda: process.wait(30))
            report("ends on SIGTERM after", f"{took:.2f} s")


def measure(root: Path, homes: list[Vectors], pid: int, idle: float) -> None:
    """Query and measure."""
    for home in homes:
        settled(home)
        home.stop()
    time.sleep(6)
    resident("with the encoder, all closed", pid)
    woken = [timed(lambda home=home: ask(home))[1] * 1000 for home in homes]  # type: ignore[misc]
    line(f"first recall of {len(homes)} closed homes", woken)
    resident(f"with {min(len(homes), MOST_OPEN)} open", pid)
    there = homes[-MOST_OPEN:]
    for home in there:
        wait(lambda home=home: home.status(5)["index"] == "ready" or _not_yet())  # type: ignore[misc]
    warm = [timed(lambda home=home: ask(home))[1] * 1000 for _ in range(8) for home in there]  # type: ignore[misc]
    line("recall of an open home", warm)
    resident("after these", pid)
    used = cpu(pid)
    time.sleep(idle)
    report("idle with them open", f"{(cpu(pid) - used) / idle * 100:.3f} % of a core")
    for home in there:
        home.stop()
    time.sleep(6)
    resident("all closed again", pid)
    used = cpu(pid)
    time.sleep(idle)
    report("idle with all closed", f"{(cpu(pid) - used) / idle * 100:.3f} % of a core")


def crowd(root: Path, homes: list[Vectors]) -> None:
    """Measure the waits of four homes while one imports and one floods memoryd with texts."""
    for home in homes[:6]:
        settled(home)
    alone = [timed(lambda home=home: ask(home))[1] * 1000 for _ in range(25) for home in homes[2:6]]  # type: ignore[misc]
    line("four homes, nobody else", alone)
    database, rng = Database(database_file(root / "h0")), random.Random(5)
    with database.write() as db:
        for number in range(IMPORTED):
            words = " ".join(rng.choices(WORDS, k=35))
            turns.add(db, NewTurn("i", "console", "me", "user", words, NOW + timedelta(minutes=number)))
    homes[0].nudge()
    line("four homes while one imports", [timed(lambda h=h: ask(h))[1] * 1000 for _ in range(25) for h in homes[2:6]])  # type: ignore[misc]
    over = threading.Event()

    def flood() -> None:
        while not over.is_set():
            homes[1].embed([" ".join(rng.choices(WORDS, k=35)) for _ in range(200)], 60)

    floods = [threading.Thread(target=flood) for _ in range(6)]
    for thread in floods:
        thread.start()
    time.sleep(0.5)
    line("and another floods it", [timed(lambda h=h: ask(h))[1] * 1000 for _ in range(25) for h in homes[2:6]])  # type: ignore[misc]
    over.set()
    for thread in floods:
        thread.join()
    with database.read() as db:
        left = db.execute("SELECT count(*) FROM turns WHERE index_state='pending'").fetchone()[0]
    database.close()
    report("of the import done meanwhile", f"{IMPORTED - left} of {IMPORTED}")


def ask(home: Vectors) -> None:
    """Recall a query that was never asked before."""
    home.recall(f"What about the {' '.join(random.sample(WORDS, 4))}?", k=20, now=NOW, seconds=10)


def settled(home: Vectors) -> None:
    """Wait until no row of a home waits."""
    wait(lambda: home.query("boat", seconds=10))
    home.nudge(at_once=True)
    while (status := home.status(5))["pending"] or status["index"] != "ready":
        time.sleep(0.05)


def resident(when: str, pid: int) -> None:
    """Print megabytes, files and threads."""
    time.sleep(0.5)
    kilobytes = next(
        int(row.split()[1]) for row in Path(f"/proc/{pid}/status").read_text().splitlines() if row.startswith("VmRSS")
    )
    files, threads = (len(list(Path(f"/proc/{pid}/{what}").iterdir())) for what in ("fd", "task"))
    report(when, f"{kilobytes / 1000:.0f} MB, {files} files, {threads} threads")


def line(what: str, times: list[float]) -> None:
    """Print the median and the 95th percentile."""
    ordered = sorted(times)
    report(what, f"p50 {statistics.median(ordered):.1f} ms, p95 {ordered[-max(1, len(ordered) // 20)]:.1f} ms")


def _not_yet() -> bool:
    raise VectorsAway("not yet")


def _fold(data: Path) -> None:
    """Fold the database's log, so that copies are complete."""
    database = Database(database_file(data))
    assert database.checkpoint()
    database.close()


if __name__ == "__main__":
    main()
