"""Several processes at one database: nothing is lost, nobody is told to come back later."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.agenda.store import tasks
from furoshiki.core.database import kv
from furoshiki.core.database.connection import CHECKPOINT_BYTES, Store
from furoshiki.messages.store import inbox
from furoshiki.messages.values import NewEnvelope
from tests.support.laws import NOON
from tests.support.processes import together

pytestmark = pytest.mark.slow


def _count_up(number: int, path: Path, times: int) -> int:
    """Read, add one, write: what a writer that does not begin with the lock loses."""
    store = Store(path)
    for _ in range(times):
        with store.write() as db:
            kv.put(db, "counter", kv.get(db, "counter", 0) + 1, NOON)
            kv.put(db, f"of {number}", kv.get(db, f"of {number}", 0) + 1, NOON)
    return times


def _eight_count(store: Store, times: int) -> None:
    together(8, _count_up, store.path, times)
    with store.read() as db:
        assert kv.get(db, "counter") == 8 * times
        assert [kv.get(db, f"of {number}") for number in range(8)] == [times] * 8
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def test_eight_processes_lose_no_update(store: Store) -> None:
    _eight_count(store, 50)


@pytest.mark.slow
@pytest.mark.faults
def test_eight_processes_lose_no_update_of_four_thousand(store: Store) -> None:
    _eight_count(store, 500)


def _write_much(number: int, path: Path, times: int) -> int:
    store = Store(path)
    for turn in range(times):
        with store.write() as db:
            kv.put(db, f"{number}.{turn}", "x" * 100_000, NOON)
    return times


def test_a_log_that_four_processes_fill_is_folded_when_they_are_done(store: Store) -> None:
    together(4, _write_much, store.path, 15)
    with store.write() as db:
        kv.put(db, "last", 1, NOON)
    assert Path(f"{store.path}-wal").stat().st_size <= CHECKPOINT_BYTES
    with store.read() as db:
        assert db.execute("SELECT count(*) FROM kv").fetchone()[0] == 61


def _take_all(_number: int, path: Path) -> list[int]:
    store, taken = Store(path), []
    while True:
        with store.write() as db:
            envelope = inbox.claim(db, NOON)
        if envelope is None:
            return taken
        taken.append(envelope.id)


def test_each_envelope_is_taken_by_one_process(store: Store) -> None:
    arrived = [NewEnvelope("telegram", f"u{number}", "text", "7", {"chat_id": "7"}) for number in range(60)]
    with store.write() as db:
        ids = inbox.store(db, arrived, NOON)
    taken = together(3, _take_all, store.path)
    assert sorted(sum(taken, [])) == ids


def _fire(_number: int, path: Path, task_ids: list[int]) -> list[int]:
    store, fired = Store(path), []
    for task_id in task_ids:
        with store.read() as db:
            task = tasks.get(db, task_id)
        assert task is not None
        with store.write() as db:
            if tasks.fire(db, task, NOON, None):
                fired.append(task_id)
    return fired


def test_each_reminder_is_said_by_one_process(store: Store) -> None:
    with store.write() as db:
        ids = [tasks.add(db, tasks.REMINDERS, f"task {number}", NOON, due_at=NOON) for number in range(30)]
    fired = together(2, _fire, store.path, ids)
    assert sorted(sum(fired, [])) == ids
