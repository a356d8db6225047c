"""An import that is killed, wherever that is, leaves whole rows, and the next run finishes it."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.core.process.crash_points import CRASHED
from tests.support import deaths
from tests.support.exports import ANIKA, OWNER, chat, message
from tests.support.forked_program import command

pytestmark = [pytest.mark.slow, pytest.mark.faults]

MESSAGES = 1700


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("export") / "result.json"
    said = [
        message(
            n,
            f"2024-05-{1 + n // 1000:02d}T{10 + n // 600:02d}:{n % 60:02d}:00",
            OWNER if n % 2 else ANIKA,
            f"line {n}",
            **({"reply_to_message_id": n - 1} if n % 7 == 0 and n else {}),
        )
        for n in range(MESSAGES)
    ]
    path.write_text(json.dumps(chat(*said)))
    return path


def finished(data: Path, export: Path, **death: Any) -> tuple[int, dict[str, Any]]:
    typed = ("memory", "import", str(export), "--no-wait", "--json")
    ended = deaths.run(command, *typed, FUROSHIKI_DATA=str(data), **death)
    return ended.status, json.loads(ended.output) if ended.status == 0 else {"err": ended.output}


def rows(data: Path) -> list[tuple[Any, ...]]:
    database = Database(data / "memory" / "longmemory.sqlite")
    try:
        with database.read() as db:
            assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
            found = db.execute(
                "SELECT session_id, speaker, text, at, import_id, "
                "(SELECT import_id FROM turns r WHERE r.id=t.reply_to) "
                "FROM turns t ORDER BY id"
            ).fetchall()
            matched = db.execute("SELECT count(*) FROM turns_fts WHERE turns_fts MATCH 'line'").fetchone()[0]
    finally:
        database.close()
    assert matched == len(found), "the full-text index has exactly what is there"
    return [tuple(row) for row in found]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, export: Path) -> list[tuple[Any, ...]]:
    """What an import leaves that nobody kills."""
    data = tmp_path_factory.mktemp("undisturbed")
    assert finished(data, export)[1]["added"] == MESSAGES
    return rows(data)


@pytest.mark.parametrize("where", ["import.batch:1", "import.batch:3", "store.before_commit:2", "store.after_commit:3"])
def test_killed_at_a_commit(tmp_path: Path, export: Path, undisturbed: list[tuple[Any, ...]], where: str) -> None:
    status, _ = finished(tmp_path / "a", export, dies_at=where)
    assert status == CRASHED
    partly = rows(tmp_path / "a")
    assert len(partly) % 500 == 0 and len(partly) < MESSAGES
    status, done = finished(tmp_path / "a", export)
    assert status == 0
    assert done["known"] == len(partly) and done["added"] == MESSAGES - len(partly)
    assert rows(tmp_path / "a") == undisturbed


def test_killed_at_any_moment_again_and_again(tmp_path: Path, export: Path) -> None:
    dice = random.Random(7)
    for _ in range(5):
        finished(tmp_path / "a", export, dies_after=dice.uniform(0.05, 0.6))
    status, done = finished(tmp_path / "a", export)
    assert status == 0 and done["added"] + done["known"] == MESSAGES
    found = rows(tmp_path / "a")
    assert [row[4] for row in found] == [f"{ANIKA}/{n}" for n in range(MESSAGES)]
