"""How a process opens the database: snapshots, transactions, the gate before the checkpoint."""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import threading
import time
from pathlib import Path

import pytest

from furoshiki.core.database import kv
from furoshiki.core.database.connection import CHECKPOINT_BYTES, Database, connect
from furoshiki.core.errors import StorageUnavailable
from tests.support.laws import NOON

MEGABYTE = "x" * 1_000_000


def put(database: Database, key: str, value: object) -> None:
    with database.write() as db:
        kv.put(db, key, value, NOON)


def get(database: Database, key: str) -> object:
    with database.read() as db:
        return kv.get(db, key)


def log_size(database: Database) -> int:
    return Path(f"{database.path}-wal").stat().st_size


@pytest.fixture
def other(database: Database) -> Database:
    """The same database, as another process has it."""
    return Database(database.path, busy_seconds=5.0)


def test_what_was_written_is_read(database: Database) -> None:
    put(database, "a", 1)
    assert get(database, "a") == 1


def test_an_exception_takes_everything_back(database: Database) -> None:
    with pytest.raises(KeyError), database.write() as db:
        kv.put(db, "a", 1, NOON)
        raise KeyError("a")
    assert get(database, "a") is None
    put(database, "a", 2)


def test_a_reader_sees_one_moment(database: Database, other: Database) -> None:
    with database.read() as db:
        assert kv.get(db, "a") is None
        put(other, "a", 1)
        assert kv.get(db, "a") is None
    assert get(database, "a") == 1


def test_a_reader_cannot_write(database: Database) -> None:
    with pytest.raises(StorageUnavailable, match="cannot be written"), database.read() as db:
        kv.put(db, "a", 1, NOON)
    assert get(database, "a") is None


def test_a_mistake_in_our_own_words_is_no_trouble_of_the_disk(database: Database) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such column"), database.read() as db:
        db.execute("SELECT fullness_locked FROM kv")
    with pytest.raises(sqlite3.IntegrityError), database.write() as db:
        db.execute("INSERT INTO kv (key) VALUES ('a')")


@pytest.mark.synced
def test_the_rules_hold_for_every_connection(database: Database) -> None:
    with database.write() as db:
        rules = {name: db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")}
        rules |= {name: db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("foreign_keys", "wal_autocheckpoint")}
    assert rules == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "wal_autocheckpoint": 0}


@pytest.mark.synced
def test_only_a_step_that_would_be_taken_again_does_not_wait_for_the_disk(database: Database) -> None:
    def synchronous(*, synced: bool) -> int:
        with database.write(synced=synced) as db:
            return int(db.execute("PRAGMA synchronous").fetchone()[0])

    assert [synchronous(synced=one) for one in (True, False, True)] == [2, 1, 2]


def test_nobody_checkpoints_while_a_writer_is_inside(database: Database, other: Database) -> None:
    with database.write() as db:
        kv.put(db, "a", 1, NOON)
        assert other.checkpoint() is False
    assert other.checkpoint() is True
    assert log_size(database) == 0


def test_nobody_writes_while_somebody_checkpoints(database: Database) -> None:
    gate = os.open(f"{database.path}.gate", os.O_RDWR | os.O_CREAT)
    fcntl.flock(gate, fcntl.LOCK_EX)
    writer = threading.Thread(target=put, args=(database, "a", 1))
    writer.start()
    writer.join(0.1)
    assert writer.is_alive()
    assert database.checkpoint() is False
    os.close(gate)
    writer.join(10)
    assert get(database, "a") == 1


def test_a_long_log_is_folded_by_the_last_writer(database: Database) -> None:
    for number in range(CHECKPOINT_BYTES // len(MEGABYTE) + 1):
        put(database, f"big {number}", MEGABYTE)
    assert log_size(database) == 0
    assert get(database, "big 0") == MEGABYTE


def test_a_long_reader_keeps_nobody_waiting(database: Database, other: Database) -> None:
    with other.read() as db:
        assert kv.get(db, "big 5") is None
        began = time.monotonic()
        for number in range(6):
            put(database, f"big {number}", MEGABYTE)
        assert database.checkpoint() is False
        assert time.monotonic() - began < other.busy_seconds
        assert kv.get(db, "big 5") is None
    put(database, "a", 1)
    assert log_size(database) == 0


def test_the_version_changes_when_others_change_something(database: Database, other: Database) -> None:
    before = database.version()
    assert get(other, "a") is None
    assert database.version() == before
    put(other, "a", 1)
    assert database.version() != before


def test_a_database_that_was_restored_is_the_one_that_is_used(database: Database, empty_database: Path) -> None:
    put(database, "a", "before")
    restored = database.path.with_name("restored")
    shutil.copyfile(empty_database, restored)
    for suffix in ("-wal", "-shm"):
        Path(f"{database.path}{suffix}").unlink()
    restored.replace(database.path)
    assert get(database, "a") is None
    put(database, "a", "after")
    assert get(Database(database.path), "a") == "after"


def test_a_database_that_was_moved_away_is_missed(database: Database) -> None:
    put(database, "a", 1)
    database.path.rename(database.path.with_name("elsewhere"))
    with pytest.raises(StorageUnavailable, match="exists"):
        put(database, "b", 2)
    database.path.with_name("elsewhere").rename(database.path)
    assert get(database, "a") == 1


def test_who_still_reads_when_it_is_closed_ends_by_itself(database: Database) -> None:
    put(database, "tea", "oolong")
    reading, closed, found = threading.Event(), threading.Event(), []

    def read() -> None:
        with database.read() as db:
            db.execute("SELECT 1").fetchone()
            reading.set()
            closed.wait(10)
            found.append(kv.get(db, "tea"))

    thread = threading.Thread(target=read)
    thread.start()
    reading.wait(10)
    database.close()
    closed.set()
    thread.join(10)
    assert found == ["oolong"]
    assert get(database, "tea") == "oolong"


def test_every_thread_has_its_own_and_all_can_be_closed(database: Database) -> None:
    put(database, "a", 0)
    threads = [threading.Thread(target=put, args=(database, str(number), number)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    database.close()
    assert [get(database, str(number)) for number in range(4)] == [0, 1, 2, 3]


@pytest.mark.parametrize("name", ["what?.sqlite", "100%41.sqlite", "a#b.sqlite", "naïve ☂.sqlite"])
def test_any_file_name_is_only_a_name(tmp_path: Path, name: str) -> None:
    connect(tmp_path / name, "rwc").close()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_what_a_thread_held_when_everything_was_closed_is_not_closed_twice(database: Database) -> None:
    with database.write() as db:
        db.execute("INSERT INTO kv (key, value, changed_at) VALUES ('a', '1', '2026-01-01')")
    mine = database._mine
    assert mine.gate is not None
    database.close()
    with database.path.open("rb") as file:
        other = os.dup2(file.fileno(), mine.gate)  # the number belongs to another file by now
    database._let_go(mine)
    os.close(other)  # still there: no EBADF
