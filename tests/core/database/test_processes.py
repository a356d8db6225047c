"""Several processes at one database: nothing is lost, nobody is told to come back later."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.core.database import kv
from furoshiki.core.database.connection import CHECKPOINT_BYTES, Database
from furoshiki.messages.events import Message
from furoshiki.messages.store import inbox
from furoshiki.messages.values import NewEnvelope
from furoshiki.owner.agenda.store import tasks
from tests.support.laws import NOON
from tests.support.processes import together

pytestmark = pytest.mark.slow


def _count_up(number: int, path: Path, times: int) -> int:
    """Read, add one, write: what a writer that does not begin with the lock loses."""
    database = Database(path)
    for _ in range(times):
        with database.write() as db:
            kv.put(db, "counter", kv.get(db, "counter", 0) + 1, NOON)
            kv.put(db, f"of {number}", kv.get(db, f"of {number}", 0) + 1, NOON)
    return times


def _eight_count(database: Database, times: int) -> None:
    together(8, _count_up, database.path, times)
    with database.read() as db:
        assert kv.get(db, "counter") == 8 * times
        assert [kv.get(db, f"of {number}") for number in range(8)] == [times] * 8
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


@pytest.mark.nightly
def test_eight_processes_lose_no_update(database: Database) -> None:
    _eight_count(database, 50)


@pytest.mark.slow
@pytest.mark.faults
def test_eight_processes_lose_no_update_of_four_thousand(database: Database) -> None:
    _eight_count(database, 500)


def _write_much(number: int, path: Path, times: int) -> int:
    database = Database(path)
    for turn in range(times):
        with database.write() as db:
            kv.put(db, f"{number}.{turn}", "x" * 100_000, NOON)
    return times


def test_a_log_that_four_processes_fill_is_folded_when_they_are_done(database: Database) -> None:
    together(4, _write_much, database.path, 15)
    with database.write() as db:
        kv.put(db, "last", 1, NOON)
    assert Path(f"{database.path}-wal").stat().st_size <= CHECKPOINT_BYTES
    with database.read() as db:
        assert db.execute("SELECT count(*) FROM kv").fetchone()[0] == 61


def _take_all(_number: int, path: Path) -> list[int]:
    database, taken = Database(path), []
    while True:
        with database.write() as db:
            envelope = inbox.claim(db, NOON)
        if envelope is None:
            return taken
        taken.append(envelope.id)


def test_each_envelope_is_taken_by_one_process(database: Database) -> None:
    arrived = [NewEnvelope("telegram", f"u{number}", "7", Message(chat_id="7")) for number in range(60)]
    with database.write() as db:
        ids = inbox.store(db, arrived, NOON)
    taken = together(3, _take_all, database.path)
    assert sorted(sum(taken, [])) == ids


def _fire(_number: int, path: Path, task_ids: list[int]) -> list[int]:
    database, fired = Database(path), []
    for task_id in task_ids:
        with database.read() as db:
            task = tasks.get(db, task_id)
        assert task is not None
        with database.write() as db:
            if tasks.fire(db, task, NOON, None):
                fired.append(task_id)
    return fired


def test_each_reminder_is_said_by_one_process(database: Database) -> None:
    with database.write() as db:
        ids = [tasks.add(db, tasks.REMINDERS, f"task {number}", NOON, due_at=NOON) for number in range(30)]
    fired = together(2, _fire, database.path, ids)
    assert sorted(sum(fired, [])) == ids
