"""A database that cannot be used says so, names the fix, and is never replaced by another one in silence."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import signal
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from furoshiki.core.database import kv, migrate
from furoshiki.core.database.connection import Database, connect
from furoshiki.core.errors import StorageUnavailable
from tests.support.laws import NOON
from tests.support.processes import together

NOBODY = 65534


def use(database: Database) -> None:
    with database.read() as db:
        kv.get(db, "a")
    with database.write() as db:
        kv.put(db, "a", 1, NOON)


def complaint(path: Path) -> str:
    with pytest.raises(StorageUnavailable) as caught:
        use(Database(path, busy_seconds=0.05))
    return str(caught.value)


def test_locked_for_long_it_says_so_and_goes_on_afterwards(database: Database) -> None:
    use(database)
    hurried = Database(database.path, busy_seconds=0.05)
    with database.write():
        with pytest.raises(StorageUnavailable, match=r"another process has held the database for over 0\.05 s"):
            use(hurried)
        with hurried.read() as db:
            assert kv.get(db, "a") == 1
    use(hurried)


def test_a_missing_one_is_not_made(tmp_path: Path) -> None:
    path = tmp_path / "gone.sqlite"
    assert "exists and is yours" in complaint(path)
    assert list(tmp_path.iterdir()) == []


def test_one_that_was_in_use_is_not_replaced_by_an_empty_one(database: Database) -> None:
    use(database)
    database.close()
    database.path.unlink()
    with pytest.raises(StorageUnavailable, match=r"missing now: restore a backup.*longmemory\.sqlite\.gate"):
        migrate.ensure(database.path)
    database.path.touch()
    with pytest.raises(StorageUnavailable, match="empty now"):
        migrate.ensure(database.path)
    assert database.path.stat().st_size == 0


def test_an_empty_file_is_a_database_that_was_not_set_up(tmp_path: Path) -> None:
    path = tmp_path / "empty.sqlite"
    path.touch()
    assert "furoshiki migrate" in complaint(path)
    assert migrate.ensure(path)
    use(Database(path))


def test_a_database_without_tables_was_not_set_up_either(tmp_path: Path) -> None:
    path = tmp_path / "bare.sqlite"
    connect(path, "rwc").close()
    assert "furoshiki migrate" in complaint(path)
    assert migrate.ensure(path)
    use(Database(path))


def test_garbage_is_damage_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "garbage.sqlite"
    garbage = random.Random(1).randbytes(20_000)
    path.write_bytes(garbage)
    assert "furoshiki restore" in complaint(path)
    with pytest.raises(StorageUnavailable, match="furoshiki restore"):
        migrate.ensure(path)
    assert path.read_bytes() == garbage


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "places.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE moz_places (id INTEGER)")
        db.commit()
    before = path.read_bytes()
    with pytest.raises(StorageUnavailable, match="moz_places"):
        migrate.ensure(path)
    assert path.read_bytes() == before


@pytest.fixture
def public(database: Database) -> Iterator[Path]:
    """A database in a folder that other accounts of this machine can look into."""
    use(database)
    database.checkpoint()
    database.close()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        folder.chmod(0o755)
        path = folder / "longmemory.sqlite"
        path.write_bytes(database.path.read_bytes())
        yield path


def _as_somebody_else(_number: int, path: Path) -> str:
    """What the owner of another account is told; in a process of its own, for there is no way back."""
    if os.getuid() == 0:
        os.setuid(NOBODY)
    try:
        use(Database(path))
    except StorageUnavailable as error:
        return str(error)
    return "it worked"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file_mode", "folder_mode", "words"),
    [(0o444, 0o777, "cannot be written"), (0o444, 0o555, "cannot be written"), (0o000, 0o755, "is yours")],
)
def test_one_that_is_not_yours_names_the_file(public: Path, file_mode: int, folder_mode: int, words: str) -> None:
    public.chmod(file_mode)
    public.parent.chmod(folder_mode)
    [said] = together(1, _as_somebody_else, public)
    public.parent.chmod(0o755)
    assert words in said
    assert str(public) in said


def _on_a_small_disk(_number: int, path: Path) -> list[str]:
    """Write until there is no more room, read, and write again when there is."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
    return _filled(path) + _roomy(path, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard)))


def _filled(path: Path) -> list[str]:
    database = Database(path)
    try:
        for number in range(10_000):
            with database.write() as db:
                kv.put(db, f"{number}", "x" * 2000, NOON)
    except StorageUnavailable as error:
        with database.read() as db:
            held = db.execute("SELECT count(*) FROM kv").fetchone()[0]
        return [str(error), "all of it" if held == number else f"{held} of {number}"]
    return ["it never ended"]


def _roomy(path: Path, make_room: object) -> list[str]:
    assert callable(make_room)
    make_room()
    database = Database(path)
    use(database)
    with database.read() as db:
        return [str(db.execute("PRAGMA integrity_check").fetchone()[0])]


def _migrate_on_a_small_disk(_number: int, path: Path) -> str:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, hard))
    try:
        migrate.ensure(path)
    except StorageUnavailable as error:
        return str(error)
    return "it worked"


@pytest.mark.slow
def test_a_migration_without_room_is_named_and_can_be_made_later(tmp_path: Path) -> None:
    path = tmp_path / "memory" / "longmemory.sqlite"
    [said] = together(1, _migrate_on_a_small_disk, path)
    assert "check free space" in said
    assert migrate.ensure(path)
    use(Database(path))


def test_a_gate_that_cannot_be_opened_is_named(database: Database) -> None:
    Path(f"{database.path}.gate").mkdir()
    with pytest.raises(StorageUnavailable, match=r"longmemory\.sqlite\.gate cannot be opened"), database.write():
        pass


def _migrate_as_somebody_else(_number: int, path: Path) -> str:
    if os.getuid() == 0:
        os.setuid(NOBODY)
    try:
        migrate.ensure(path)
    except StorageUnavailable as error:
        return str(error)
    return "it worked"


def test_a_folder_nobody_may_look_into_is_named(public: Path) -> None:
    public.parent.chmod(0o000)
    [said] = together(1, _migrate_as_somebody_else, public)
    public.parent.chmod(0o755)
    assert "cannot be opened (Permission denied): check that it is yours" in said


def test_a_file_that_may_not_grow_is_named_and_nothing_is_lost(database: Database) -> None:
    database.close()
    [(said, held, whole)] = together(1, _on_a_small_disk, database.path)
    assert "free space" in said
    assert (held, whole) == ("all of it", "ok")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 3 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", folder], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("a small file system takes root")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


@pytest.mark.faults
def test_a_full_disk_is_survived(database: Database, small_disk: Path) -> None:
    use(database)
    database.checkpoint()
    path = small_disk / "longmemory.sqlite"
    path.write_bytes(database.path.read_bytes())
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(500_000))
    said, held = _filled(path)
    assert "the disk is full: free some space" in said
    assert held == "all of it" or held.split(" of ")[0] == str(int(held.split(" of ")[1]) + 1)
    assert _roomy(path, ballast.unlink) == ["ok"]


@pytest.mark.faults
def test_no_damage_is_answered_with_an_empty_database(database: Database) -> None:
    """200 times 512 bytes of noise somewhere in the file: words or a good answer, and the file is left as it is."""
    with database.write() as db:
        for number in range(200):
            kv.put(db, f"k{number}", "v" * 500, NOON)
    database.checkpoint()
    database.close()
    whole, dice = database.path.read_bytes(), random.Random(3)
    told = 0
    for _ in range(200):
        spoilt = bytearray(whole)
        start = dice.randrange(len(whole) - 512)
        spoilt[start : start + 512] = dice.randbytes(512)
        database.path.write_bytes(spoilt)
        try:
            migrate.ensure(database.path)
            with database.read() as db:
                assert db.execute("SELECT count(*) FROM kv").fetchone()[0] >= 0
        except StorageUnavailable as error:
            told += 1
            assert any(advice in str(error) for advice in ("furoshiki restore", "furoshiki migrate", "check "))
        database.close()
        assert database.path.read_bytes() == bytes(spoilt)
    assert told > 0
