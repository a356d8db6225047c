"""Killed at a named point, a file and a row are old or new, never in between, and the work can be done again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from furoshiki.core import atomic_files
from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
from furoshiki.core.process.crash_points import CRASHED
from furoshiki.feelings import heartbeat
from furoshiki.feelings.heartbeat import Felt
from furoshiki.feelings.state_files import StateFiles
from tests.support.deaths import run
from tests.support.laws import NOON, shipped

pytestmark = pytest.mark.faults

NEW = "new" * 10_000


def write_file(path: Path, *texts: str) -> None:
    for text in texts:
        atomic_files.write_text(path, text)


def write_rows(path: Path) -> None:
    with Database(path).write() as db:
        kv.put(db, "first", "new", NOON)
        kv.put(db, "second", "new", NOON)


def beat(path: Path, message: int) -> None:
    """The heart hears of a message."""
    laws = shipped()
    state = StateFiles(path.parent, lambda: heartbeat.rebuilt(Database(path), laws, NOON), lambda: NOON)
    state.change(heartbeat.hear(laws, Felt(message, "telegram:7", {}, NOON)))


@pytest.mark.parametrize(("point", "holds"), [("atomic.before_rename", "old"), ("atomic.after_rename", NEW)])
def test_a_file_is_old_or_new(tmp_path: Path, point: str, holds: str) -> None:
    path = tmp_path / "state.json"
    path.write_text("old")
    assert run(write_file, path, NEW, dies_at=point).status == CRASHED
    assert path.read_text() == holds
    assert run(write_file, path, NEW).status == 0
    assert path.read_text() == NEW


@pytest.mark.parametrize(("point", "holds"), [("store.before_commit", "old"), ("store.after_commit", "new")])
def test_a_transaction_is_old_or_new(database: Database, point: str, holds: str) -> None:
    with database.write() as db:
        kv.put(db, "first", "old", NOON)
        kv.put(db, "second", "old", NOON)
    assert run(write_rows, database.path, dies_at=point).status == CRASHED
    with database.read() as db:
        assert (kv.get(db, "first"), kv.get(db, "second")) == (holds, holds)
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    assert run(write_rows, database.path).status == 0
    with database.read() as db:
        assert (kv.get(db, "first"), kv.get(db, "second")) == ("new", "new")


def test_a_point_can_be_passed_before_it_kills(tmp_path: Path) -> None:
    ended = run(write_file, tmp_path / "state.json", NEW, "newer", dies_at="atomic.before_rename:2")
    assert ended.status == CRASHED
    assert ended.passed == ("atomic.before_rename:1", "atomic.after_rename:1", "atomic.before_rename:2")
    assert (tmp_path / "state.json").read_text() == NEW


@pytest.mark.parametrize(("point", "last"), [("atomic.before_rename", 1), ("atomic.after_rename", 2)])
def test_a_heartbeat_is_old_or_new_and_is_moved_once(database: Database, point: str, last: int) -> None:
    path = database.path.with_name("heartbeat-state.json")
    assert run(beat, database.path, 1).status == 0
    first = json.loads(path.read_text())
    assert run(beat, database.path, 2, dies_at=point).status == CRASHED
    assert json.loads(path.read_text())["last_message_id"] == last
    for _ in range(2):
        assert run(beat, database.path, 2).status == 0
    found = json.loads(path.read_text())
    assert found["last_message_id"] == 2
    assert found["emotions"]["loneliness"] == pytest.approx(first["emotions"]["loneliness"] - 0.03)
