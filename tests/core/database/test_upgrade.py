"""A filled database of the first release comes to the newest schema with all it held, or not at all."""

from __future__ import annotations

import contextlib
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import pytest

from furoshiki.core.database import migrate
from furoshiki.core.database.connection import Database, connect
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.process.crash_points import CRASHED
from furoshiki.maintenance import backup, upgrading
from furoshiki.maintenance import store as backup_store
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from tests.support import filled, statement_kills
from tests.support.backups import listed
from tests.support.deaths import run

NOW = datetime(2026, 3, 24, 9, tzinfo=UTC)
INDEXES = ("turns_fts", "memories_fts", "sessions_fts")


@pytest.fixture(scope="module")
def old_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("old") / "longmemory.sqlite"
    filled.build(path)
    return path


@pytest.fixture
def old(old_template: Path, tmp_path: Path) -> Path:
    path = tmp_path / "memory" / "longmemory.sqlite"
    path.parent.mkdir()
    shutil.copyfile(old_template, path)
    return path


@contextlib.contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(connect(path, "ro")) as db:
        yield db


def found(db: sqlite3.Connection, table: str, word: str) -> int:
    return int(db.execute(f"SELECT count(*) FROM {table} WHERE {table} MATCH ?", (word,)).fetchone()[0])


def _list_lasting(db: sqlite3.Connection) -> dict[str, list[str]]:
    """The columns of every table, without those that a later release dropped because nothing reads them."""
    dropped = import_module("furoshiki.core.migrations.versions.0017_unread_columns").UNREAD
    gone = {(table, f'"{column}"') for table, columns in dropped.items() for column in columns}
    return {
        table: [column for column in columns if (table, column) not in gone]
        for table, columns in filled.tables(db).items()
        if table != "router_changes"
    }


@pytest.mark.slow
def test_every_old_value_is_kept(old: Path) -> None:
    assert migrate.current(old) == filled.FIRST
    with opened(old) as db:
        columns = _list_lasting(db)
        before = filled.digests(db, columns)
        matches = {table: found(db, table, "lisbon") for table in INDEXES}
    assert all(rows for rows, _ in before.values()), "there must be something of everything"
    assert migrate.ensure(old) is True
    with opened(old) as db:
        assert filled.digests(db, columns) == before
        assert {table: found(db, table, "lisbon") for table in INDEXES} == matches
    for table in INDEXES:
        with contextlib.closing(sqlite3.connect(old)) as db:
            db.execute(f"INSERT INTO {table}({table}, rank) VALUES ('integrity-check', 1)")
    assert backup_store.faults(old) == []


def test_an_upgraded_database_is_as_good_as_a_new_one(tmp_path: Path, empty_database: Path) -> None:
    old = tmp_path / "longmemory.sqlite"
    filled.make(old)
    migrate.ensure(old)

    def shape(path: Path) -> dict[str, str]:
        with opened(path) as db:
            rows = db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name!='alembic_version'")
            return dict(rows.fetchall())

    assert shape(old) == shape(empty_database)


@pytest.mark.parametrize("revision", ["0001", "0013"])
def test_a_database_from_before_the_first_release_is_refused_untouched(revision: str, old: Path) -> None:
    with contextlib.closing(sqlite3.connect(old)) as db, db:
        db.execute("UPDATE alembic_version SET version_num=?", (revision,))
    before = old.read_bytes()
    with pytest.raises(StorageUnavailable, match=rf"before the first release \(schema {revision}\).*furoshiki export"):
        migrate.ensure(old)
    assert old.read_bytes() == before


def test_full_text_goes_on_being_kept(old: Path) -> None:
    migrate.ensure(old)
    database = Database(old)
    with database.write() as db:
        turn = turns.add(db, turns.NewTurn("s", "console", "me", "user", "a heron on the pond", NOW))
        memories.add(db, NewMemory("episodic", "They saw a heron.", (turn,)), NOW)
        db.execute("UPDATE memories SET content='They saw a stork.' WHERE content LIKE '%heron%'")
        assert turn == filled.TURNS + 1, "a number that was used is not used again"
    with database.read() as db:
        assert found(db, "turns_fts", "heron") == 1 and found(db, "memories_fts", "heron") == 0
        assert found(db, "memories_fts", "stork") == 1
    database.close()


@pytest.mark.slow
def test_what_was_in_use_is_backed_up_first_with_the_other_backups(old: Path, tmp_path: Path) -> None:
    assert upgrading.ensure(tmp_path, old, lambda: NOW) is True
    [saved] = listed(tmp_path / "backups")
    holds = backup.verify(saved, tmp_path / "look")
    assert holds["turns"] == filled.TURNS - 1 and holds["memories"] == filled.MEMORIES
    assert migrate.current(tmp_path / "look" / "memory" / "longmemory.sqlite") == filled.FIRST
    assert upgrading.ensure(tmp_path, old, lambda: NOW) is False
    fresh = tmp_path / "new" / "longmemory.sqlite"
    assert upgrading.ensure(tmp_path / "elsewhere", fresh, lambda: NOW) is True
    assert not (tmp_path / "elsewhere").exists(), "of nothing there is no backup"


def test_without_a_backup_there_is_no_upgrade(old: Path) -> None:
    def no_room() -> None:
        raise StorageUnavailable("a backup needs 3 MB")

    with pytest.raises(StorageUnavailable, match="needs 3 MB"):
        migrate.ensure(old, no_room)
    assert migrate.current(old) == filled.FIRST


def upgrade(path: Path, dies_at_statement: int = 0) -> None:
    """Upgrade the database of a data directory, and die by SIGKILL when so many statements were carried out."""
    statement_kills.die_at(dies_at_statement)
    upgrading.ensure(path.parent.parent, path, lambda: NOW)


@pytest.fixture(scope="module")
def statements(old_template: Path, tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many statements the upgrade takes, the last of them being that it is noted."""
    path = tmp_path_factory.mktemp("counted") / "longmemory.sqlite"
    shutil.copyfile(old_template, path)
    with statement_kills.counted() as seen:
        migrate.ensure(path)
    return max(at for at, statement in enumerate(seen, 1) if statement.startswith("UPDATE alembic_version"))


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 1.0])
def test_killed_at_a_statement_the_next_start_completes(old: Path, statements: int, share: float) -> None:
    with opened(old) as db:
        columns = _list_lasting(db)
        before = filled.digests(db, columns)
    assert run(upgrade, old, max(1, round(share * statements))).status == -signal.SIGKILL
    assert (migrate.current(old) or "") < migrate.HEAD, "each step is whole"
    with opened(old) as db:
        assert filled.digests(db, columns) == before
    assert migrate.ensure(old) is True
    with opened(old) as db:
        assert filled.digests(db, columns) == before
    assert backup_store.faults(old) == []


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("where", ["backup.snapshot_taken", "backup.before_rename", "migrate.saved"])
def test_killed_while_the_backup_is_made_the_next_start_completes(old: Path, tmp_path: Path, where: str) -> None:
    assert run(upgrade, old, dies_at=where).status == CRASHED
    assert migrate.current(old) == filled.FIRST
    assert run(upgrade, old).status == 0
    assert migrate.current(old) == migrate.HEAD
    saved = listed(tmp_path / "backups")
    assert saved and backup.verify(saved[-1], tmp_path / "look")["turns"] == filled.TURNS - 1
    assert not list((tmp_path / "backups").glob(".making-*")), "what a killed run left is cleared away"


@pytest.mark.slow
@pytest.mark.faults
def test_killed_at_any_moment_the_next_start_completes(old: Path, tmp_path: Path) -> None:
    for seconds in (0.02, 0.05, 0.1, 0.2, 0.3):
        run(upgrade, old, dies_after=seconds)
        assert backup_store.faults(old) == []
    assert run(upgrade, old).status == 0
    assert migrate.current(old) == migrate.HEAD


def test_texts_in_scripts_that_were_not_read_wait_to_be_read(tmp_path: Path) -> None:
    path = tmp_path / "longmemory.sqlite"
    filled.make(path)
    said = ["ich bin müde", "я устала", "我累了", "κουράστηκα", "疲れた", "피곤해", "אני עייפה", "متعبة"]
    with contextlib.closing(connect(path, "rw")) as db:
        for number, text in enumerate(said, 1):
            db.execute(
                "INSERT INTO turns (id, session_id, channel, chat_id, speaker, kind, text, at) "
                "VALUES (?, 's', 'console', 'me', 'user', 'text', ?, '2026-03-01T10:00:00.000000Z')",
                (number, text),
            )
            db.execute("INSERT INTO turn_tokens (id, tokens) VALUES (?, x'00')", (number,))
            db.execute("INSERT INTO turn_multilingual (id, english, whole) VALUES (?, 0, x'00')", (number,))
        db.commit()
    migrate.ensure(path)
    with opened(path) as db:
        read = [said[number - 1] for (number,) in db.execute("SELECT id FROM turn_multilingual ORDER BY id")]
    assert read == ["ich bin müde", "я устала", "我累了"]
