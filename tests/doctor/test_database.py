"""The database: whole, damaged, gone, not ours; and never changed by a look."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest
from doctor_checks import database, main
from doctor_checks.look import Look

from tests.doctor.conftest import NOON, MakeLook


def states(look: Look) -> list[tuple[str, str]]:
    return [(one.state, one.words) for one in database.check(look)]


def test_a_whole_one_is_well_and_may_be_written(make_look: MakeLook) -> None:
    look = make_look(sound=False)
    [(state, words)] = states(look)
    assert (state, look.sound) == ("well", True)
    assert "whole" in words


def test_a_look_changes_nothing(make_look: MakeLook, data: Path) -> None:
    path = data / "memory" / "longmemory.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_autocheckpoint=0")
        db.execute("INSERT INTO kv VALUES ('a', '1', '2026')")
        db.commit()
        before = path.read_bytes(), Path(f"{path}-wal").read_bytes()
        states(make_look())
        assert (path.read_bytes(), Path(f"{path}-wal").read_bytes()) == before


def test_a_damaged_one_is_left_alone_and_the_newest_backup_is_offered(make_look: MakeLook, data: Path) -> None:
    path = data / "memory" / "longmemory.sqlite"
    content = bytearray(path.read_bytes())
    content[8192 * 3 : 8192 * 12] = os.urandom(8192 * 9)
    path.write_bytes(content)
    newest = data / "backups" / "furoshiki-20260512T010000Z.tar.gz"
    newest.write_bytes(b"")
    look = make_look(sound=False)
    [one] = database.check(look)
    assert (one.state, one.alert, look.sound) == ("wrong", "while", False)
    assert f"`furoshiki restore {newest}`" in one.fix
    assert path.read_bytes() == bytes(content)


def test_a_file_that_is_no_database_is_damaged(make_look: MakeLook, data: Path) -> None:
    (data / "memory" / "longmemory.sqlite").write_bytes(b"not a database at all" * 1000)
    [(state, words)] = states(make_look())
    assert state == "wrong"
    assert "damaged" in words


def test_before_anybody_has_talked_there_is_none(make_look: MakeLook, data: Path) -> None:
    (data / "memory" / "longmemory.sqlite").unlink()
    assert [state for state, _ in states(make_look())] == ["note"]


def test_one_that_was_there_and_is_gone_is_missed(make_look: MakeLook, data: Path) -> None:
    look = make_look()
    states(look)
    look.notebook.save(NOON)
    (data / "memory" / "longmemory.sqlite").unlink()
    [(state, words)] = states(make_look())
    assert state == "wrong"
    assert "gone" in words


def test_one_that_was_emptied_is_missed_and_a_new_one_is_not(make_look: MakeLook, data: Path) -> None:
    path = data / "memory" / "longmemory.sqlite"
    before = path.read_bytes()
    path.write_bytes(b"")
    assert [state for state, _ in states(make_look(sound=False))] == ["note"]
    path.write_bytes(before)
    look = make_look()
    states(look)
    look.notebook.save(NOON)
    path.write_bytes(b"")
    again = make_look(sound=False)
    assert [state for state, _ in states(again)] == ["wrong"]
    assert not again.sound


def test_nobody_asks_a_damaged_one_for_more(make_look: MakeLook, data: Path) -> None:
    (data / "memory" / "longmemory.sqlite").write_bytes(b"not a database at all" * 1000)
    checks = {name: main.CHECKS[name] for name in ("database", *main.OF_ROWS)}
    assert [one.key for one in main.looked(make_look(), checks)] == ["database"]


def test_the_thorough_look_goes_through_every_table_once_a_day(make_look: MakeLook) -> None:
    look = make_look()
    states(look)
    finished = look.notebook.part("integrity")["finished_at"]
    look.now += timedelta(hours=23)
    states(look)
    assert look.notebook.part("integrity")["finished_at"] == finished
    look.now += timedelta(hours=2)
    states(look)
    assert look.notebook.part("integrity")["finished_at"] > finished


def test_what_takes_longer_than_a_look_is_said(make_look: MakeLook, monkeypatch: pytest.MonkeyPatch) -> None:
    def never_in_time(_db: sqlite3.Connection, seconds: float) -> contextlib.AbstractContextManager[None]:
        if seconds == database.TABLE_SECONDS:
            raise sqlite3.OperationalError("interrupted")
        return contextlib.nullcontext()

    monkeypatch.setattr(database, "limited", never_in_time)
    [(state, words)] = states(make_look())
    assert state == "well"
    assert "accounts, act_iterations" in words and "more" in words and "checked with each backup" in words


def test_one_that_is_locked_is_not_called_damaged(make_look: MakeLook, data: Path) -> None:
    path = data / "memory" / "longmemory.sqlite"
    with sqlite3.connect(path, isolation_level=None) as holder:
        holder.execute("PRAGMA journal_mode=DELETE")
        holder.execute("BEGIN EXCLUSIVE")
        database.BUSY_SECONDS, before = 0.01, database.BUSY_SECONDS
        try:
            [(state, words)] = states(make_look())
        finally:
            database.BUSY_SECONDS = before
    assert state == "wrong"
    assert "cannot be read" in words
    assert "damaged" not in words
