"""A forgetting that is killed has not begun, or is finished by the next one who comes: never half."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from furoshiki.archive.forgetting import forgetting
from furoshiki.core.database import kv, migrate
from furoshiki.core.database.connection import Database
from furoshiki.core.process.crash_points import CRASHED
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.messages.values import NewTurn
from tests.support import deaths
from tests.support.files import contents
from tests.support.forked_program import command

pytestmark = [pytest.mark.slow, pytest.mark.faults]

WORD = "Zephyrine"
NOW = datetime(2026, 3, 24, 15, tzinfo=UTC)

BEFORE = ("forgetting.before_commit", "store.before_commit")
AFTER = (
    "store.after_commit",
    "forgetting.removed",
    "atomic.before_rename",
    "forgetting.file_rewritten",
    "forgetting.file_rewritten:2",
    "forgetting.files",
    "store.after_commit:3",
    "forgetting.words",
    "store.compacted",
    "forgetting.space",
    "forgetting.index",
)


@pytest.fixture
def data(tmp_path: Path, empty_database: Path) -> Path:
    path = tmp_path / "memory" / "longmemory.sqlite"
    path.parent.mkdir()
    path.write_bytes(empty_database.read_bytes())
    assert migrate.current(path) == migrate.HEAD
    database = Database(path)
    with database.write() as db:
        for number in range(120):
            text = f"my sister {WORD} sang song {number}" if number % 5 == 2 else f"the river is at {number}"
            turn = turns.add(db, NewTurn("s1", "console", "me", "user", text, NOW))
            if number % 20 == 2:
                memories.add(db, NewMemory("semantic", f"{WORD} sings song {number}.", (turn,)), NOW)
    database.close()
    (tmp_path / "memory" / "user_profile.txt").write_text(f"Likes the river.\nHas a sister, {WORD}.\n")
    (tmp_path / "memory" / "inner-monologue").mkdir()
    (tmp_path / "memory" / "inner-monologue" / "today.md").write_text(f"It rained. {WORD} sang.\n")
    return tmp_path


def run(data: Path, *typed: str, crash_at: str = "") -> tuple[int, dict[str, Any]]:
    typed = ("memory", "forget", *typed, "--json")
    ended = deaths.run(command, *typed, dies_at=crash_at, FUROSHIKI_DATA=str(data))
    assert ended.status in (0, CRASHED), ended.output
    return ended.status, json.loads(ended.output) if ended.output else {}


def files_with_it(data: Path) -> list[str]:
    return [path.relative_to(data).as_posix() for path, held in contents(data) if b"zephyrin" in held.lower()]


def counted(data: Path) -> tuple[int, int, object]:
    database = Database(data / "memory" / "longmemory.sqlite")
    try:
        with database.read() as db:
            assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
            assert db.execute("PRAGMA foreign_key_check").fetchall() == []
            return turns.count(db), memories.count(db), kv.get(db, forgetting.FORGETTING)
    finally:
        database.close()


@pytest.mark.parametrize("point", BEFORE)
def test_killed_before_it_is_decided_nothing_is_gone(data: Path, point: str) -> None:
    assert run(data, WORD, "--yes", crash_at=point)[0] == CRASHED
    assert counted(data) == (120, 6, None)
    assert "memory/user_profile.txt" in files_with_it(data)
    assert run(data, WORD, "--yes")[1]["forgotten"]
    assert counted(data) == (96, 0, None)
    assert files_with_it(data) == []


@pytest.mark.parametrize("point", AFTER)
def test_killed_later_the_next_one_finishes_it(data: Path, point: str) -> None:
    assert run(data, WORD, "--yes", crash_at=point)[0] == CRASHED
    said, held, plan = counted(data)
    assert (said, held) == (96, 0), "the database forgets at once"
    assert WORD.lower() not in json.dumps(plan).lower()
    assert run(data, "--resume") == (0, {"left": []})
    assert counted(data) == (96, 0, None)
    assert files_with_it(data) == []
    assert (data / "memory" / "user_profile.txt").read_text() == "Likes the river.\n"
    assert (data / "memory" / "inner-monologue" / "today.md").read_text() == "It rained.\n"


def test_killed_again_and_again_it_still_ends(data: Path) -> None:
    assert run(data, WORD, "--yes", crash_at="forgetting.removed")[0] == CRASHED
    for point in ("forgetting.file_rewritten", "forgetting.files", "forgetting.words", "store.compacted"):
        assert run(data, "--resume", crash_at=point)[0] == CRASHED
    assert run(data, "--resume") == (0, {"left": []})
    assert files_with_it(data) == []
