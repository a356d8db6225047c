"""A home whose rows hold names that another release knows: nothing that is said, asked or done at night dies of it."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.app.jobs import JOBS
from furoshiki.archive.forgetting import record
from furoshiki.archive.forgetting.record import Forgetting
from furoshiki.conversation.commands.registry import list_commands
from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.logins.values import Session
from furoshiki.faces.dashboard.frame import PAGES
from furoshiki.host import homes
from furoshiki.host.members import MemberFile
from furoshiki.maintenance import verified
from furoshiki.maintenance.verified import Verification
from furoshiki.recall.retrieval.memoryd import tenants
from furoshiki.world import World
from tests.life.house import House
from tests.support.commands import Commander
from tests.support.dashboard import Signed
from tests.support.lived_in import lived_in
from tests.support.only_words import only_words
from tests.support.world import FrozenClock

pytestmark = pytest.mark.slow

NOON = datetime(2026, 5, 13, 12, tzinfo=UTC)

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
    changed = _with_one_more(value)
    return None if changed == value else json.dumps(changed)


def _with_one_more(value: Any) -> Any:
    """The same, with a name more in every object, however deep, and in every list of names."""
    if isinstance(value, dict):
        return {**{name: _with_one_more(one) for name, one in value.items()}, STRANGE: {"level": 0.5}}
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return [*value, STRANGE]
    return [_with_one_more(one) for one in value] if isinstance(value, list) else value


def strange_files(home: Path) -> set[str]:
    """Put names that nobody knows into every file of JSON there is below a home; which."""
    changed = set()
    for path in sorted(home.rglob("*.json*")):
        with contextlib.suppress(ValueError):
            lines = path.read_text().splitlines() if path.suffix == ".jsonl" else [path.read_text()]
            path.write_text("\n".join(json.dumps(_with_one_more(json.loads(one))) for one in lines) + "\n")
            changed.add(path.name)
    return changed


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
    assert {"heartbeat-state.json", "session-context.json"} <= (files := strange_files(world.home)), files
    for text in (
        "good morning",
        "How do you feel?",
        "What do you know about Marta?",
        "remind me tomorrow at 8 to call",
    ):
        await house.say(text)
    command = Commander(world)
    for name, _about in list_commands():
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


def test_who_is_signed_in_stays_so(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    (tmp_path / "run").mkdir()
    with ledger.changing(NOON) as book:
        book.sessions["mark"] = Session("1a2b", "admin", "link", "Firefox", NOON, NOON)
    assert strange_files(tmp_path) == {"dashboard-access.json"}
    with Ledger(tmp_path).changing(NOON) as book:
        assert book.sessions.keys() == {"mark"}
    assert json.loads((tmp_path / "run" / "dashboard-access.json").read_text())[STRANGE] == {"level": 0.5}


def test_what_was_forgotten_stays_so(tmp_path: Path) -> None:
    one = Forgetting("2026-05-01T12:00:00Z", None, "ab", (("turn:1", "2026-04-01", "cd"),), ((2, "ef"),))
    record.put(tmp_path, [one])
    assert strange_files(tmp_path) == {"forgotten.jsonl"}
    assert record.read(tmp_path / "forgotten.jsonl") == [one]


def test_which_backups_were_read_stays_known(tmp_path: Path) -> None:
    verified.keep(tmp_path, "a.tar.gz", one := Verification("2026-05-01", "ab", True, 3))
    assert strange_files(tmp_path) == {"verified.json"}
    assert verified.load_all(tmp_path)["a.tar.gz"] == one


def test_a_home_keeps_its_place_among_the_vectors_of_a_host(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    before = tenants.of(tmp_path, "encoder")
    assert strange_files(tmp_path)
    assert tenants.of(tmp_path, "encoder") == before


def test_who_is_at_home_where_and_who_rests(tmp_path: Path) -> None:
    homes.add(tmp_path, "anna", NOON)
    homes.pause(tmp_path, "anna", NOON)
    members = MemberFile(tmp_path)
    members.settle(7, "anna")
    kept = {name: tmp_path / ".host" / name for name in ("homes.json", "members.json")}
    for path in kept.values():
        path.write_text(json.dumps({**json.loads(path.read_text()), STRANGE: 3}))
    assert MemberFile(tmp_path).read().person_of("anna") == 7
    assert homes.get_home(tmp_path, "anna").paused_at == NOON
    MemberFile(tmp_path).invite("ben", NOON)
    homes.resume(tmp_path, "anna")
    assert all(json.loads(path.read_text())[STRANGE] == 3 for path in kept.values())
    kept["members.json"].write_text('{"people": {"7": "anna"}}')  # as a release without invites would
    assert MemberFile(tmp_path).read().person_of("anna") == 7
