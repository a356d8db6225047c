"""A lived-in house in which every script has something to do, scripts that die in it, and what is left afterwards.

A script runs in a process of its own, forked from this one so that it need not import everything first: real signals,
real files, the real database. It dies at a named point (`FUROSHIKI_CRASH_AT`, by its place among all points it passes)
or by SIGKILL at any moment.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import shutil
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from furoshiki.agenda.store import tasks
from furoshiki.app import run_job, wiring
from furoshiki.app.jobs import JOBS, named
from furoshiki.core import crash_points
from furoshiki.core.database import events, kv
from furoshiki.core.database.connection import connect
from furoshiki.inner_life.store import self_questions
from furoshiki.llm.gateway import Gateway
from furoshiki.llm.values import Answer, Question
from furoshiki.memory.exit_gate import MATURITY
from furoshiki.memory.store import memories, scratch
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.retrieval.client import Vectors, VectorsAway
from tests.life.house import House, opened
from tests.life.reader import Reader
from tests.support.rows import user_said

MOVED_IN = datetime(2026, 5, 4, 7, tzinfo=UTC)
ZONE = ZoneInfo("Europe/Lisbon")
NOW = datetime(2026, 5, 13, 18, 30, tzinfo=UTC)
"""When every script has something to do: the machine was off for two days, and somebody has just stopped talking."""

DAYS_WITH_SCRIPTS = 6
TALK = (
    ("Hi, long day at the harbour", "My sister Anika lives in Porto and has a boat", "thanks, you are good company"),
    ("I have an exam on Friday and I'm nervous about it", "My flat looks on a fig tree", "What do you think of rain?"),
    ("I like swimming in the sea after hard days", "work was hard, the ships were late", "I feel better now"),
)
LAST_TALK = ("I passed the exam!! I'm so happy", "My brother Tomas is called after my grandfather", "good night")
WONDERED = (
    "Why did I give advice before I had asked?",
    "Should I have asked before giving advice?",
    "Why do I give advice when nobody asked me for it?",
    "Do they like swimming in the sea?",
)
OBSERVED = "In a conversation on 2026-05-{day} my replies were not grounded enough (2 of 5)."
CURIOUS = "What is it about small boats?"


def furnish(data: Path, empty_database: Path) -> None:
    """Live a week with the scripts, then two days without them, and leave something for every script to do."""
    world, _clock = opened(data, empty_database, MOVED_IN, ZONE, lambda clock: Reader(clock.now))
    house = House(world, _clock, {"soul_engine": timedelta(hours=3)}, frozenset({"backup", "embed_design_docs"}))
    asyncio.run(_live(house))
    with world.database.write() as db:
        for number, question in enumerate(WONDERED):
            self_questions.add(db, question, f"inner_monologue:2026-05-{10 + number % 3}", NOW - timedelta(days=2))
        self_questions.add(db, CURIOUS, "inner_monologue:2026-05-11", NOW - timedelta(days=1), kind="curiosity")
        events.announce(db, "pride_triggered", {"session": "s"}, NOW - timedelta(hours=3))
        for hours, title in ((2, "call Anika"), (1, "water the fig tree")):
            due = NOW - timedelta(hours=hours)
            tasks.add(db, tasks.REMINDERS, title, due - timedelta(days=1), due_at=due, channel="telegram", chat_id="7")
        for day in (9, 10, 11):
            seen = NewMemory("reflection", OBSERVED.format(day=day), (2,), "internal_consolidation", category="self")
            memories.add(db, seen, NOW - timedelta(days=2))
        kv.put(db, MATURITY, 1.0, NOW)  # old enough to decide what to keep
        for number in range(4):
            text = f"I planted roses in the garden of the new house, row {number}"
            said = turns.add(db, user_said(text, NOW - timedelta(hours=20), session_id="other"))
            scratch.put(db, said, text, {}, "external_user", 0.9, NOW - timedelta(hours=2))
    assert world.database.checkpoint()
    world.database.close()


async def _live(house: House) -> None:
    for day in range(DAYS_WITH_SCRIPTS):
        await house.until(MOVED_IN + timedelta(days=day, hours=10))
        if day % 2 == 0:
            for line in TALK[day // 2 % len(TALK)]:
                await house.say(line)
    await house.until(MOVED_IN + timedelta(days=DAYS_WITH_SCRIPTS + 1))
    house.clock.at = NOW - timedelta(minutes=40)
    for line in LAST_TALK:
        await house.say(line)


FOLLOWED: Mapping[str, tuple[str, ...]] = {"run_post_conversation": ("refine_user_profile", "soul_engine")}
"""Scripts that do what another was about to begin with when it died: the profile, and what keeps being asked."""


ONCE_A_DAY = frozenset({"soul_engine"})
"""Scripts that wait for the next day when they died twice: an exploration that was begun is counted, since it may have
been paid for."""


@dataclass(frozen=True)
class Death:
    """How a run dies: at the `nth` time it passes a point, or so many seconds after its start."""

    point: str | None = None
    nth: int = 1
    seconds: float = 0.0

    def __str__(self) -> str:
        return f"{self.point}:{self.nth}" if self.point else f"SIGKILL after {self.seconds * 1000:.0f} ms"


class _Telling(dict[str, int]):
    """Stands where a process keeps at which point it shall die, and writes down each it passes."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = path.open("a", encoding="utf-8")

    def __contains__(self, name: object) -> bool:
        self._file.write(f"{name}\n")
        self._file.flush()
        return False


def run(data: Path, name: str, death: Death | None = None, told: Path | None = None) -> int:
    """Run a script as of NOW in a process of its own; its exit status, negative for a signal. `told` is a file to which
    it writes the points it passes."""
    warm()
    child = os.fork()
    if not child:
        status = 1
        try:
            status = _script(data, name, death, told)
        finally:
            os._exit(status)
    if death is not None and death.point is None:
        time.sleep(death.seconds)
        os.kill(child, signal.SIGKILL)  # it is ours, and not waited for yet: nobody else can have its number
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def warm() -> None:
    """Import what the scripts import, once."""
    for job in JOBS.values():
        for step in (*job.steps, *job.for_others):
            named(step.use_case)
    wiring.lexicon()


def _script(data: Path, name: str, death: Death | None, told: Path | None) -> int:
    quiet = os.open(data / "logs" / "words", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(quiet, stream)
    os.environ.update(FUROSHIKI_DATA=str(data), FUROSHIKI_TIMEZONE=str(ZONE), FUROSHIKI_SEED="7")
    crash_points._left = _Telling(told) if told else {death.point: death.nth} if death and death.point else {}
    reader = Reader(lambda: NOW)

    async def ask(_gateway: Gateway, question: Question, on_text: Any = None) -> Answer:
        return await reader(question, on_text)

    def away(*_: Any, **__: Any) -> Any:
        raise VectorsAway("not in this test")

    setattr(Gateway, "ask", ask)  # noqa: B010 - in this process alone
    setattr(Vectors, "_ask", away)  # noqa: B010
    outcome = run_job.run(name, now=NOW)
    print(outcome.as_json(), flush=True)
    return outcome.exit_code


# -- what is left --

BUDGETS = frozenset({"exploring.begun"})
"""Keys of `kv` that count what was begun and may have been paid for, finished or not."""

ELSEWHERE = frozenset({"run_log", "llm_calls", "job_state", "emotion_history"})
"""Tables in which every run leaves its own trace: that it ran, what it paid, how it felt at that moment."""

_DERIVED = re.compile(r"_(?:fts|vec)|^sqlite_|^alembic")
_OF_ITS_TIME = re.compile(
    r"(?:^|_)(?:id|ids|at|until|before|after|times?|vector|embedding|chroma|hash)$|^(?:cited|turn|activation$)"
)
_NUMBERS = re.compile(r"\d[\d:.T+-]*")
_HASHES = re.compile(r"\b[0-9a-f]{12,}\b")


def left(data: Path) -> dict[str, Counter[str]]:
    """What a house holds, without ids, times and what dice gave: every table's rows, and the files that people read."""
    db = connect(data / "memory" / "longmemory.sqlite", "ro", busy_seconds=5.0)
    try:
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table' ORDER BY name")]
        found = {name: _rows(db, name) for name in names if name not in ELSEWHERE and _DERIVED.search(name) is None}
    finally:
        db.close()
    found["files"] = Counter(
        f"{_bare(str(path.relative_to(data)))}: {_bare(path.read_text(encoding='utf-8'))}"
        for folder in ("memory", "config")
        for path in (data / folder).rglob("*")
        if path.suffix in (".md", ".txt") or path.name == "user_profile_gaps.json"
    )
    found["backups"] = Counter({_bare(path.name) for path in (data / "backups").rglob("*")})
    return found


def _rows(db: sqlite3.Connection, table: str) -> Counter[str]:
    found = db.execute(f'SELECT * FROM "{table}"')
    columns, rows = [column[0] for column in found.description], [tuple(row) for row in found]
    if table == "consolidation_log":  # a step counts what it did until its end, not what it did before it died
        step = columns.index("operation")
        rows = [(*row[:-1], "" if str(row[step]).startswith("step ") else row[-1]) for row in rows]
    return Counter(
        " | ".join(_plain(value) for column, value in zip(columns, row, strict=True) if not _OF_ITS_TIME.search(column))
        for row in rows
        if not BUDGETS.intersection(map(str, row))
    )


def _plain(value: Any) -> str:
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    if isinstance(value, float):
        return f"{value:.2f}"
    return str(value) if isinstance(value, int) else _bare(str(value))


def _bare(text: str) -> str:
    return _NUMBERS.sub("#", _HASHES.sub("#", text))


# -- many deaths --


@dataclass
class Outcome:
    """What became of a script that was killed so often. `wrong` names what was lost or doubled, and by which deaths."""

    kills: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0


_DIED = (crash_points.CRASHED, -signal.SIGKILL)


class Killing:
    """One script, the house it works in, and how often it dies before it may finish."""

    def __init__(self, template: Path, scratch: Path, name: str, seed: int = 20) -> None:
        self._template, self._scratch, self._name = template, scratch, name
        self._dice = random.Random(f"{name} {seed}")

    def run(self, kills: int) -> Outcome:
        """Kill so often, twice in a row at most; each time let it finish, and compare with a house where it lived."""
        outcome, began = Outcome(), time.monotonic()
        points, lasted, wanted = self._alive()
        while outcome.kills.total() < kills:
            data = self._house()
            often = 1 if self._name in ONCE_A_DAY else self._dice.choice((1, 2))
            deaths = [self._death(points, lasted) for _ in range(often)]
            for death in deaths:
                status = run(data, self._name, death)
                if status in _DIED:  # else it was done before
                    outcome.kills[death.point or "SIGKILL"] += 1
            self._finish(data)
            how = ", ".join(map(str, deaths))
            outcome.wrong += [f"{self._name}, {how}: {one}" for one in _differences(wanted, left(data))]
            shutil.rmtree(data)
        outcome.seconds = time.monotonic() - began
        return outcome

    def _alive(self) -> tuple[list[str], float, Mapping[str, Counter[str]]]:
        """The points it passes in order, the seconds it takes, and what it leaves when nobody kills it."""
        data, told = self._house(), self._scratch / "points"
        told.unlink(missing_ok=True)
        began = time.monotonic()
        status = run(data, self._name, told=told)
        lasted = time.monotonic() - began
        assert status == 0, (data / "logs" / "words").read_text()
        self._finish(data)
        found = left(data)
        assert found != left(self._template), f"{self._name} left nothing behind"
        shutil.rmtree(data)
        return told.read_text(encoding="utf-8").split(), lasted, found

    def _death(self, points: list[str], lasted: float) -> Death:
        if self._dice.random() < 0.3:
            return Death(seconds=self._dice.uniform(0.0, lasted))
        name = self._dice.choice(sorted(set(points)))
        return Death(name, self._dice.randint(1, points.count(name)))

    def _finish(self, data: Path) -> None:
        """Run it to its end, and once more: there must be nothing left to do, or nothing that it does twice."""
        for name in (self._name, self._name, *FOLLOWED.get(self._name, ())):
            status = run(data, name)
            assert status == 0, (data / "logs" / "words").read_text()

    def _house(self) -> Path:
        data = self._scratch / "house"
        shutil.rmtree(data, ignore_errors=True)
        shutil.copytree(self._template, data)
        return data


def _differences(wanted: Mapping[str, Counter[str]], found: Mapping[str, Counter[str]]) -> list[str]:
    lines = []
    for name in wanted:
        lines += [f"lost from {name}: {row[:300]}" for row in (wanted[name] - found[name])]
        lines += [f"too much in {name}: {row[:300]}" for row in (found[name] - wanted[name])]
    return lines
