"""The schema: described once, migrated to, by one process, whole or not at all."""

from __future__ import annotations

import contextlib
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from furoshiki.core.database import kv, migrate
from furoshiki.core.database.connection import Database, connect
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.paths import ROOT
from furoshiki.memory.store import memories
from tests.support import statement_kills
from tests.support.deaths import run
from tests.support.laws import NOON
from tests.support.processes import together


def shape(path: Path) -> dict[str, str]:
    """Every table and trigger as the database has it."""
    with contextlib.closing(connect(path, "ro")) as db:
        return dict(db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name").fetchall())


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    return tmp_path / "memory" / "longmemory.sqlite"


def test_the_newest_revision_is_the_one_the_code_knows() -> None:
    from alembic.script import ScriptDirectory
    from sqlalchemy import create_engine

    with create_engine("sqlite://").connect() as connection:
        assert ScriptDirectory.from_config(migrate.config(connection)).get_heads() == [migrate.HEAD]


def test_what_is_asked_of_the_self_is_what_its_index_holds(empty_database: Path) -> None:
    """SQLite uses the index only for the very same condition; where a query names it, another one is an error."""
    assert shape(empty_database)["memories_of_identity"].endswith(f"WHERE {memories.OF_IDENTITY}")


def test_what_was_migrated_is_left_alone(fresh: Path) -> None:
    assert migrate.ensure(fresh) is True
    assert migrate.current(fresh) == migrate.HEAD
    assert migrate.ensure(fresh) is False
    assert stat.S_IMODE(fresh.stat().st_mode) == 0o600
    assert stat.S_IMODE(fresh.parent.stat().st_mode) == 0o700


def test_nothing_to_do_costs_no_import(empty_database: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from furoshiki.core.database import migrate; "
        "migrate.ensure(Path(sys.argv[1])); print('sqlalchemy' in sys.modules, 'alembic' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, empty_database], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert ran.stdout == "False False\n"


def test_a_newer_schema_is_refused(database: Database) -> None:
    with database.write() as db:
        db.execute("UPDATE alembic_version SET version_num='9999'")
    with pytest.raises(StorageUnavailable, match=r"newer Furoshiki \(schema 9999.*update Furoshiki"):
        migrate.ensure(database.path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("in the way")
    with pytest.raises(StorageUnavailable, match="memory.*cannot be opened"):
        migrate.ensure(tmp_path / "memory" / "longmemory.sqlite")
    with pytest.raises(StorageUnavailable, match="cannot be made.*check the folder"):
        migrate.ensure(Path("/proc/furoshiki/longmemory.sqlite"))


def test_a_table_in_the_way_is_no_reason_to_go_on(fresh: Path) -> None:
    """Half of a schema without its number is nothing we made: no migration leaves that."""
    fresh.parent.mkdir()
    with contextlib.closing(sqlite3.connect(fresh)) as db:
        db.execute("CREATE TABLE turns (id INTEGER)")
    with pytest.raises(StorageUnavailable, match="turns"):
        migrate.ensure(fresh)


def _migrate(_number: int, path: Path) -> bool:
    return migrate.ensure(path)


@pytest.mark.slow
def test_of_two_that_migrate_at_once_one_does(fresh: Path, empty_database: Path) -> None:
    assert sorted(together(2, _migrate, fresh)) == [False, True]
    assert shape(fresh) == shape(empty_database)


def migrate_until(path: Path, statement: int) -> None:
    statement_kills.die_at(statement)
    migrate.ensure(path)


def test_killed_while_the_file_was_made_the_next_run_makes_it(fresh: Path, empty_database: Path) -> None:
    """A first page and a journal that takes it back: a connection that only reads cannot do that."""
    dying = fresh.with_name("dying.sqlite")
    dying.parent.mkdir(parents=True)
    with contextlib.closing(sqlite3.connect(dying)) as db:
        db.executescript("PRAGMA cache_size=1; BEGIN IMMEDIATE; CREATE TABLE made (words)")
        db.executemany("INSERT INTO made VALUES (?)", [("x" * 4000,)] * 20)
        for left in ("", "-journal"):
            shutil.copyfile(f"{dying}{left}", f"{fresh}{left}")
        assert fresh.stat().st_size, "it was written before it was committed"
    assert migrate.ensure(fresh) is True
    assert shape(fresh) == shape(empty_database)


@pytest.mark.faults
@pytest.mark.slow
@pytest.mark.parametrize("statement", [1, 2, 5, 9, 20, 40, 60])
def test_killed_in_the_middle_the_next_run_completes(fresh: Path, empty_database: Path, statement: int) -> None:
    assert run(migrate_until, fresh, statement).status == -signal.SIGKILL
    assert migrate.current(fresh) is None
    assert migrate.ensure(fresh) is True
    assert shape(fresh) == shape(empty_database)
    database = Database(fresh)
    with database.write() as db:
        kv.put(db, "a", 1, NOON)
    database.close()
