"""What the dashboard weighs, beside the figures we aim at: bytes, time of every page, memory, idling, and a chat reply.

    python -m bench.dashboard                 all of it, over a database of 100,000 turns (about ten minutes)
    python -m bench.dashboard --keep big      the same; the database is kept in the folder `big` for the next time
    python -m bench.dashboard --only pages    a part of it: pages, idle, replies

Everything is real: the program's own processes, its pages over HTTP, windows that fetch what a browser would fetch when
something changes, the listener with a model and a Telegram that answer at once.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx

from bench.lived import fill
from bench.turn import MODEL, Table
from furoshiki.core.logins import sessions
from furoshiki.core.logins.ledger import Ledger
from furoshiki.faces.dashboard.frame import PAGES
from tests.e2e import processes
from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import TelegramEmulator

TURNS = 100_000
WINDOWS = 50
VIEWS = 12
"""Requests of each page; data changes each time, so that no cache is used."""

IDLE_SECONDS = 60.0
MESSAGES, WARMING = 40, 8
PAUSE_SECONDS = 0.25
LINKED = re.compile(r'(?:src|href)="(/static/[^"]+)"')
LIVING = re.compile(r'hx-get="([^"]+)" hx-trigger="([^"]+)"')
PARTS = ("pages", "idle", "replies")


@dataclass
class Pages:
    """A running dashboard with a signed-in visitor."""

    program: Program
    pid: int
    address: str
    secret: str

    @property
    def cookies(self) -> dict[str, str]:
        return {f"furoshiki_session_{self.address.rpartition(':')[2]}": self.secret}

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.address, cookies=self.cookies, timeout=60.0)


def main() -> int:
    """Return 1 when an aim was missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the database lies, or shall lie")
    parser.add_argument("--only", choices=PARTS, action="append", help="this part; may be given again")
    parser.add_argument("--idle", type=float, default=IDLE_SECONDS, help="seconds to watch it doing nothing")
    parser.add_argument("--watch", nargs=3, metavar=("ADDRESS", "SECRET", "COUNT"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.watch:
        os.nice(15)  # browsers run on other machines, or wait anyway
        asyncio.run(watch(args.watch[0], args.watch[1], int(args.watch[2])))
        return 0
    table, parts = Table(), args.only or PARTS
    with tempfile.TemporaryDirectory() as folder:
        at = args.keep or Path(folder)
        with (
            TelegramEmulator() as telegram,
            LLMEmulator(lambda _request: "All right.") as llm,
            Program(at / "data", telegram, llm, provider="anthropic", FUROSHIKI_BOUNDARIES="0") as program,
        ):
            database = program.data / "memory" / "longmemory.sqlite"
            if not database.exists():
                database.parent.mkdir(parents=True)
                fill(database, args.turns, MODEL)
            program.run("migrate")
            if "pages" in parts:
                table.head(f"pages, with {args.turns:,} turns")
                with serving(program) as pages:
                    first_view(pages, table)
                    views(pages, table)
            if "idle" in parts:
                table.head(f"idle for {args.idle:g} s")
                with serving(program) as pages:
                    idle(pages, args.idle, table)
            if "replies" in parts:
                table.head("a message, delivered to answered")
                with serving(program) as pages:
                    program.listening()
                    replies(pages, telegram, table)
    return 1 if table.missed else 0


@contextmanager
def serving(program: Program) -> Iterator[Pages]:
    """Run `furoshiki dashboard` in its own process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    secret = sessions.begin(Ledger(program.data), "admin", "link", "bench", datetime.now(UTC)).secret
    running = program.start("dashboard", FUROSHIKI_DASHBOARD_PORT=str(port))

    def answers() -> bool:
        assert running.alive(), running.log
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            return False
        return True

    program.wait_for(answers, 60.0, "the dashboard")
    yield Pages(program, running.pid, f"http://127.0.0.1:{port}", secret)
    running.stop()


# -- pages --


def first_view(pages: Pages, table: Table) -> None:
    """Load the first page of a fresh process with all its files."""
    with pages.client() as client:
        began = time.perf_counter()
        page = client.get("/")
        taken = time.perf_counter() - began
        assert page.status_code == 200, page.text[:500]
        seen = {one.partition("#")[0] for one in LINKED.findall(page.text)}
        carried = sum(_carried(client, one) for one in sorted(seen)) + _carried(client, "/")
    table.row("first page with all it loads", carried / 1024, "KB", below=150)
    table.row("  as it is unpacked: the page itself", len(page.content) / 1024, "KB")
    table.row("  files beside it", len(seen), "")
    table.row("first view of a fresh process", 1000 * taken, "ms", below=300)


def _carried(client: httpx.Client, path: str) -> int:
    """Return the bytes of an answer on the wire."""
    with client.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as answer:
        return sum(len(chunk) for chunk in answer.iter_raw())


def views(pages: Pages, table: Table) -> None:
    """Load every page and its live parts, each time after a change."""
    state = pages.program.data / "memory" / "heartbeat-state.json"
    with pages.client() as client:
        every = {page.label: page.path for page in PAGES} | {"Time, a year": "/time?span=1y"}
        for label, path in every.items():
            times, parts, before = [], set[str](), processes.cpu_seconds(pages.pid)
            for _ in range(VIEWS):
                if state.exists():
                    os.utime(state)
                began = time.perf_counter()
                page = client.get(path)
                times.append(1000 * (time.perf_counter() - began))
                parts = {address for address, _ in LIVING.findall(page.text)}
            if page.status_code == 404:
                print(f"{label:46}{'not there yet':>14}")
                continue
            assert page.status_code == 200, (path, page.status_code, page.text[:500])
            table.row(f"{label}, p50", statistics.median(times), "ms", below=300)
            table.row(f"{label}, p95", sorted(times)[int(len(times) * 0.95)], "ms", below=300)
            spent = 1000 * (processes.cpu_seconds(pages.pid) - before) / VIEWS
            table.row("  CPU of a view", spent, "ms")
            for part in sorted(parts):
                if state.exists():
                    os.utime(state)
                began = time.perf_counter()
                client.get(part.replace("&amp;", "&"))
                taken = 1000 * (time.perf_counter() - began)
                if taken > 100:
                    table.row(f"  {part}", taken, "ms", below=300)
    table.row("resident after all pages", processes.megabytes(pages.pid), "MB", below=60)


# -- idling --


def idle(pages: Pages, seconds: float, table: Table) -> None:
    """Measure the CPU of the idle process without a window, with one, and with fifty."""
    with pages.client() as client:
        client.get("/")
    time.sleep(2.0)
    for count in (0, 1, WINDOWS):
        with watching(pages, count):
            before = processes.cpu_seconds(pages.pid)
            time.sleep(seconds)
            share = 100 * (processes.cpu_seconds(pages.pid) - before) / seconds
        name = "no window open" if count == 0 else f"{count} window{'s' if count > 1 else ''} open"
        table.row(f"CPU of a core, {name}", share, "%", below=0.1 if count < 2 else None)
    table.row("resident", processes.megabytes(pages.pid), "MB", below=60)


@contextmanager
def watching(pages: Pages, count: int) -> Iterator[None]:
    """Open so many windows of the first page, in a separate process with low priority."""
    if not count:
        yield
        return
    command = [
        "nice",
        "-n",
        "19",
        sys.executable,
        "-m",
        "bench.dashboard",
        "--watch",
        pages.address,
        pages.secret,
        str(count),
    ]
    windows = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert windows.stdout is not None and windows.stdout.readline().startswith("watching"), "no windows"
        time.sleep(2.0)
        yield
    finally:
        windows.terminate()
        windows.wait()


async def watch(address: str, secret: str, count: int) -> None:
    """Open windows, and fetch what a browser would on changes, until the process is killed."""
    limits = httpx.Limits(max_connections=count * 4)
    cookies = {f"furoshiki_session_{address.rpartition(':')[2]}": secret}
    async with httpx.AsyncClient(base_url=address, cookies=cookies, timeout=None, limits=limits) as client:
        page = await client.get("/")
        assert page.status_code == 200, page.text[:500]
        parts = [(path, re.findall(r"live:(\w+)", trigger)) for path, trigger in LIVING.findall(page.text)]
        opened = asyncio.Semaphore(0)
        windows = [asyncio.create_task(_window(client, parts, opened)) for _ in range(count)]
        for _ in range(count):
            await opened.acquire()
        print("watching", flush=True)
        await asyncio.gather(*windows)


async def _window(client: httpx.AsyncClient, parts: list[tuple[str, list[str]]], opened: asyncio.Semaphore) -> None:
    async with client.stream("GET", "/events") as stream:
        assert stream.status_code == 200, stream.status_code
        opened.release()
        async for line in stream.aiter_lines():
            if line.startswith("data: "):
                wanted = [path for path, topics in parts if any(f'"{topic}"' in line for topic in topics)]
                for path in wanted:
                    await client.get(path)


# -- replies --


def replies(pages: Pages, telegram: TelegramEmulator, table: Table) -> None:
    """Measure reply times without windows and with fifty, alternating (equal machine load)."""
    said, found = 0, {0: list[float](), WINDOWS: list[float]()}
    for round_ in range(4):
        for count in (0, WINDOWS) if round_ % 2 == 0 else (WINDOWS, 0):
            with watching(pages, count):
                for number in range(WARMING + MESSAGES // 4 if round_ == 0 else MESSAGES // 4):
                    said += 1
                    sends, began = len(telegram.called("sendMessage")), time.time()
                    telegram.say(f"The {said}th thing I tell you today is that the kettle sings")
                    telegram.wait_for(lambda: len(telegram.called("sendMessage")) > sends, 30.0)  # noqa: B023
                    if round_ or number >= WARMING:
                        found[count].append(1000 * (telegram.called("sendMessage")[-1].at - began))
                    time.sleep(PAUSE_SECONDS)
    for count, times in found.items():
        ordered = sorted(times)
        table.row(f"{count} windows open, p50", statistics.median(ordered), "ms")
        table.row(f"{count} windows open, p95", ordered[int(len(ordered) * 0.95)], "ms")
    slower = statistics.median(found[WINDOWS]) - statistics.median(found[0])
    table.row(f"slower with {WINDOWS}, p50", slower, "ms", below=10)


if __name__ == "__main__":
    sys.exit(main())
