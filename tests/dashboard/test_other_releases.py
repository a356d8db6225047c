"""A home whose rows hold names that another release knows: nothing that is said, asked or done at night dies of it."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from furoshiki.app.jobs import JOBS
from furoshiki.conversation.commands.registry import COMMANDS
from furoshiki.core.errors import NoMindAnswered
from furoshiki.dashboard.navigation import PAGES
from furoshiki.llm.partial_answer import OnText
from furoshiki.llm.values import Answer, Question
from furoshiki.world import World
from tests.life.house import House
from tests.support.commands import Commander
from tests.support.dashboard import Signed
from tests.support.lived_in import lived_in
from tests.support.world import FrozenClock

pytestmark = pytest.mark.slow

STRANGE = "of_another_release"

LEFT_AT_HOME = {"backup"}


def strange(db: sqlite3.Connection) -> list[str]:
    """Put names that nobody knows wherever rows hold lists, objects or words of a few kinds; which columns."""
    changed = []
    tables = [
        row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table' AND sql NOT LIKE '%VIRTUAL%'")
    ]
    for table in tables:
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[2] == "TEXT"]
        for column in columns:
            values = [row[0] for row in db.execute(f"SELECT DISTINCT {column} FROM {table} WHERE {column} IS NOT NULL")]
            if values and _change(db, table, column, values):
                changed.append(f"{table}.{column}")
    return changed


def _change(db: sqlite3.Connection, table: str, column: str, values: list[str]) -> bool:
    with contextlib.suppress(sqlite3.IntegrityError, sqlite3.OperationalError):
        found = [(one, _stranger(one)) for one in values]
        if any(new is not None for _, new in found):
            for old, new in found:
                if new is not None:
                    db.execute(f"UPDATE {table} SET {column}=? WHERE {column}=?", (new, old))
            return True
        if len(values) <= 12 and all(re.fullmatch(r"[a-zA-Z_ ,]{2,20}", one) for one in values):
            newest = f"(SELECT rowid FROM {table} ORDER BY rowid DESC LIMIT 3)"
            db.execute(f"UPDATE {table} SET {column}=? WHERE rowid IN {newest}", (STRANGE,))
            return True
    return False


def _stranger(text: str) -> str | None:
    """JSON with one name more; None for what is none."""
    try:
        value: Any = json.loads(text)
    except ValueError:
        return None
    if isinstance(value, dict):
        return json.dumps({**value, STRANGE: {"level": 0.5}})
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return json.dumps([*value, STRANGE])
    return None


async def only_words(question: Question, on_text: OnText | None = None) -> Answer:
    """A model for what is said; whatever wants a form has none, as where no model is set up."""
    if question.answer is not None:
        raise NoMindAnswered("no model is set up")
    return Answer("Mhm.", "stop", "local", "reflex", question.tier)


async def test_a_day_with_names_that_nobody_knows(world: World, clock: FrozenClock, signed: Signed) -> None:
    world = replace(lived_in(world), ask=only_words)
    house = House(world, clock)
    for text in ("I love this garden, thank you!", "my sister Marta restores boats. What shall I cook?"):
        await house.say(text)
    for name in sorted(JOBS.keys() - LEFT_AT_HOME):
        await house.run(name)
    with world.database.write() as db:
        changed = strange(db)
    assert {"kv.value", "turns.signals", "mind_queue.kind", "emotion_history.mood"} <= set(changed), changed
    for text in (
        "good morning",
        "How do you feel?",
        "What do you know about Marta?",
        "remind me tomorrow at 8 to call",
    ):
        await house.say(text)
    command = Commander(world)
    for name, _about in COMMANDS:
        await command(f"/{name}")
    for hours in (0, 8, 8, 8):
        clock.at += timedelta(hours=hours)
        for name in sorted(JOBS.keys() - LEFT_AT_HOME):
            await house.run(name)
    pages = signed("admin")
    for page in PAGES:
        pages.page(page.path)
    with world.database.read() as db:
        assert db.execute("SELECT count(*) FROM inbox WHERE state='failed'").fetchone()[0] == 0
