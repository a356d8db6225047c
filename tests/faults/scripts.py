"""A lived-in house in which every script has something to do, and what is left in it afterwards."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zoneinfo import ZoneInfo

from furoshiki.app.scheduler.store import runs
from furoshiki.core.database import events, kv
from furoshiki.core.database.connection import connect
from furoshiki.maintenance import backup
from furoshiki.memory.exit_gate import MATURITY
from furoshiki.memory.store import memories, scratch
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.owner.agenda.store import tasks
from tests.life.house import House, opened
from tests.life.reader import Reader
from tests.support import job_runs
from tests.support.backups import listed
from tests.support.files import below
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
        for hours in (9, 6, 3):
            run = runs.begin(db, "a_plugin", NOW - timedelta(hours=hours))
            runs.finish(db, run, NOW - timedelta(hours=hours), 1, summary=f"ValueError: no harbour {hours}")
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


def job(home: Path, name: str) -> None:
    """Run a script's job as of NOW, with a mind that reads."""
    job_runs.run(home, name, NOW, Reader(lambda: NOW), FUROSHIKI_TIMEZONE=str(ZONE), FUROSHIKI_SEED="7")


def to_the_end(home: Path, name: str) -> None:
    """Run it, and once more: there must be nothing left to do, or nothing that it does twice."""
    for one in (name, name, *FOLLOWED.get(name, ())):
        job(home, one)


# -- what is left --

BUDGETS = frozenset({"exploring.begun"})
"""Keys of `kv` that count what was begun and may have been paid for, finished or not."""

BEGUN = frozenset({("repair_jobs", "attempts")})
"""Columns that count the same."""

ELSEWHERE = frozenset({"run_log", "llm_calls", "job_state", "emotion_history"})
"""Tables in which every run leaves its own trace: that it ran, what it paid, how it felt at that moment."""

_DERIVED = re.compile(r"_(?:fts|vec)|^sqlite_|^alembic")
_OF_ITS_TIME = re.compile(
    r"(?:^|_)(?:id|ids|at|until|before|after|times?|vector|embedding|chroma|hash)$|^(?:cited|turn|activation$)"
)
_NUMBERS = re.compile(r"\d[\d:.T+-]*")
_HASHES = re.compile(r"(?<!\.)\b[0-9a-f]{12,}\b")


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
        for path in below(data / folder)
        if path.suffix in (".md", ".txt") or path.name == "user_profile_gaps.json"
    )
    found["backups"] = Counter({_bare(path.name) for path in below(data / "backups")})
    for path in listed(data / "backups"):
        with TemporaryDirectory() as folder:
            backup.verify(path, Path(folder) / "verified")
    return found


def _rows(db: sqlite3.Connection, table: str) -> Counter[str]:
    found = db.execute(f'SELECT * FROM "{table}"')
    columns, rows = [column[0] for column in found.description], [tuple(row) for row in found]
    if table == "consolidation_log":  # a step counts what it did until its end, not what it did before it died
        step = columns.index("operation")
        rows = [(*row[:-1], "" if str(row[step]).startswith("step ") else row[-1]) for row in rows]
    return Counter(
        " | ".join(
            _plain(value)
            for column, value in zip(columns, row, strict=True)
            if not _OF_ITS_TIME.search(column) and (table, column) not in BEGUN
        )
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
