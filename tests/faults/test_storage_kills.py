"""Killed at a named point, a file and a row are old or new, never in between, and the work can be done again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from furoshiki.core.crash_points import CRASHED
from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
from tests.support.laws import NOON
from tests.support.processes import killed_at

pytestmark = pytest.mark.faults

_WRITE_FILE = """
import sys
from pathlib import Path
from furoshiki.core import atomic_files
atomic_files.write_text(Path(sys.argv[1]), "new" * 10000)
"""

_WRITE_ROWS = """
import sys
from datetime import datetime, UTC
from pathlib import Path
from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
now = datetime(2026, 3, 3, tzinfo=UTC)
with Database(Path(sys.argv[1])).write() as db:
    kv.put(db, "first", "new", now)
    kv.put(db, "second", "new", now)
"""


@pytest.mark.parametrize(("point", "holds"), [("atomic.before_rename", "old"), ("atomic.after_rename", "new" * 10000)])
def test_a_file_is_old_or_new(tmp_path: Path, point: str, holds: str) -> None:
    path = tmp_path / "state.json"
    path.write_text("old")
    assert killed_at(point, _WRITE_FILE, path) == CRASHED
    assert path.read_text() == holds
    assert killed_at("nowhere", _WRITE_FILE, path) == 0
    assert path.read_text() == "new" * 10000


@pytest.mark.parametrize(("point", "holds"), [("store.before_commit", "old"), ("store.after_commit", "new")])
def test_a_transaction_is_old_or_new(database: Database, point: str, holds: str) -> None:
    with database.write() as db:
        kv.put(db, "first", "old", NOON)
        kv.put(db, "second", "old", NOON)
    assert killed_at(point, _WRITE_ROWS, database.path) == CRASHED
    with database.read() as db:
        assert (kv.get(db, "first"), kv.get(db, "second")) == (holds, holds)
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    assert killed_at("nowhere", _WRITE_ROWS, database.path) == 0
    with database.read() as db:
        assert (kv.get(db, "first"), kv.get(db, "second")) == ("new", "new")


def test_a_point_can_be_passed_before_it_kills(tmp_path: Path) -> None:
    program = _WRITE_FILE + 'atomic_files.write_text(Path(sys.argv[1]), "newer")\n'
    assert killed_at("atomic.before_rename:2", program, tmp_path / "state.json") == CRASHED
    assert (tmp_path / "state.json").read_text() == "new" * 10000


_BEAT = """
import random, sys
from datetime import datetime, UTC
from pathlib import Path
from furoshiki.feelings import heartbeat
from furoshiki.feelings.state_files import StateFiles
from furoshiki.core.database.connection import Database
from tests.support.laws import shipped
now = datetime(2026, 3, 3, 12, tzinfo=UTC)
path = Path(sys.argv[1])
state = StateFiles(path.parent, lambda: heartbeat.rebuilt(Database(path), shipped(), now), lambda: now)
state.change(heartbeat.heard(shipped(), int(sys.argv[2]), "telegram:7", {}, False, now))
"""


@pytest.mark.parametrize(("point", "last"), [("atomic.before_rename", 1), ("atomic.after_rename", 2)])
def test_a_heartbeat_is_old_or_new_and_is_moved_once(database: Database, point: str, last: int) -> None:
    path = database.path.with_name("heartbeat-state.json")
    assert killed_at("nowhere", _BEAT, database.path, "1") == 0
    first = json.loads(path.read_text())
    assert killed_at(point, _BEAT, database.path, "2") == CRASHED
    assert json.loads(path.read_text())["last_message_id"] == last
    for _ in range(2):
        assert killed_at("nowhere", _BEAT, database.path, "2") == 0
    found = json.loads(path.read_text())
    assert found["last_message_id"] == 2
    assert found["emotions"]["loneliness"] == pytest.approx(first["emotions"]["loneliness"] - 0.03)
