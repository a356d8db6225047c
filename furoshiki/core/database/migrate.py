"""Schema migrations. Alembic and SQLAlchemy are imported only when a migration is needed."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from furoshiki.core.database import earlier
from furoshiki.core.database.connection import connect, explained
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.process.crash_points import point

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection, Engine

HEAD = "0016"  # the newest revision; a test compares it with the migrations folder


def current(path: Path) -> str | None:
    """Return a database file's revision, None without one. Raises StorageUnavailable."""
    if not is_there(path):
        return None
    half_made = path.with_name(f"{path.name}-journal").exists()  # its creation was killed: only a writer can roll back
    with explained(path), contextlib.closing(connect(path, "rw" if half_made else "ro")) as db:
        return revision(db, path)


def is_there(path: Path) -> bool:
    """Return whether a non-empty file exists. Raises StorageUnavailable if unreadable."""
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StorageUnavailable(f"{path} cannot be opened ({error.strerror}): check that it is yours") from error


def revision(db: sqlite3.Connection, path: Path) -> str | None:
    """Return an open database's revision, or None. Raises StorageUnavailable if foreign."""
    try:
        row = db.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.OperationalError as error:
        if not str(error).startswith("no such table"):
            raise
    else:
        return str(row[0]) if row else None
    names = {row["name"] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")}
    if names:
        raise StorageUnavailable(
            f"{path} is the database of another program (it has the table {min(names)}): name another file in "
            "FUROSHIKI_DATABASE_URL"
        )
    return None


def ensure(path: Path, save: Callable[[], object] | None = None) -> bool:
    """Migrate under a lock when needed; True when something changed. Raises StorageUnavailable.

    `save` is called before an existing database is changed; when it raises, nothing is changed.
    Refused: a database from a newer release (restore the backup made before the upgrade), and a
    missing one that was in use, as a new empty one would hide the loss from the owner. A database
    that lacks parts of its revision, as versions between two releases left it, is completed.
    """
    if _up_to_date(path):
        return False
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        gate = os.open(f"{path}.migrate", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StorageUnavailable(f"{path} cannot be made ({error.strerror}): check the folder and the disk") from error
    try:
        fcntl.flock(gate, fcntl.LOCK_EX)
        found = current(path)
        if _up_to_date(path):
            return False
        if found is not None and found > HEAD:
            raise StorageUnavailable(
                f"{path} was written by a newer Furoshiki (schema {found}, this one knows {HEAD}): "
                "update Furoshiki, or restore an older backup"
            )
        if _was_lost(path):
            raise StorageUnavailable(
                f"{path} was in use and is {'empty' if path.exists() else 'missing'} now: restore a backup with "
                f"`furoshiki restore`, or remove {path.name}.gate beside it to start afresh with no memory"
            )
        if found is not None and save is not None:
            save()
            point("migrate.saved")
        upgrade(path)
        return True
    finally:
        os.close(gate)


def upgrade(path: Path) -> None:
    """Create a database or bring it to the newest revision, one transaction for each step."""
    from sqlalchemy.exc import DBAPIError

    with explained(path), _engine(lambda: connect(path, "rwc")) as engine:
        try:
            since = current(path)
            if since in earlier.BEFORE:
                with engine.begin() as connection, whole(earlier.FIRST) as made:
                    complete(connection, path, made)
                    earlier.bring(connection, since)
            with engine.connect() as connection:
                _run(connection, "head")
            if not _up_to_date(path):
                with engine.begin() as connection, whole() as made:
                    complete(connection, path, made)
        except DBAPIError as error:
            raise (error.orig or error) from error
    path.chmod(0o600)


@contextlib.contextmanager
def whole(revision: str = "head") -> Iterator[sqlite3.Connection]:
    """Create an empty in-memory database with all that the migrations create up to a revision."""
    made = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    with _engine(lambda: made) as engine, engine.connect() as connection:
        _run(connection, revision)
        yield made


@contextlib.contextmanager
def _engine(creator: Callable[[], sqlite3.Connection]) -> Iterator[Engine]:
    from sqlalchemy import create_engine, event

    engine = create_engine("sqlite://", creator=creator)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    try:
        yield engine
    finally:
        engine.dispose()


def _run(connection: Connection, revision: str) -> None:
    from alembic import command

    command.upgrade(config(connection), revision)


def _up_to_date(path: Path) -> bool:
    """Return whether a database has the newest schema, completely."""
    if current(path) != HEAD:
        return False
    with explained(path), contextlib.closing(connect(path, "ro")) as db:
        return not is_needed(db)


def _was_lost(path: Path) -> bool:
    """Return whether a database was in use here (its lock file exists) and is now empty."""
    used = path.with_name(f"{path.name}.gate").exists()
    return used and (not path.exists() or path.stat().st_size == 0)


def config(connection: Connection) -> Config:
    """Return Alembic's configuration for a connection; the package holds the migrations."""
    from alembic.config import Config

    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).resolve().parents[1] / "migrations"))
    settings.attributes["connection"] = connection
    return settings


# -- databases that lack parts of the newest schema are completed --
#
# Unreleased versions gave a schema's number to databases that lacked parts of it. All these parts can
# be added: new tables and indexes, and columns that may be NULL or have a default. For any other part
# the error says what to do.


# tables with their columns, and indexes, of the newest revision; `make docs` writes the file
SHAPE = Path(__file__).with_name("shape.tsv")

# obsolete tables whose rows are stored elsewhere now; they are neither read nor pruned
_OBSOLETE = ("curiosities",)

# tables created by SQLite, Alembic and full-text search
_OWN = re.compile(r"sqlite_|alembic_version$|\w+_fts")


def tables(db: sqlite3.Connection) -> dict[str, str]:
    """Return the tables of a database by name, with their SQL, in the order of creation."""
    rows = db.execute("SELECT name, sql FROM sqlite_master WHERE type='table' ORDER BY rowid").fetchall()
    return {row[0]: row[1] for row in rows if not _OWN.match(row[0])}


def list_missing(db: sqlite3.Connection) -> list[str]:
    """Return columns ("turns.text") and indexes that this database lacks; takes 2 ms."""
    found = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='index'")}
    found |= {
        f"{row[0]}.{row[1]}"
        for row in db.execute(
            "SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type='table'"
        )
    }
    return [name for name in _load_expected() if name not in found]


def is_needed(db: sqlite3.Connection) -> bool:
    """Return whether parts are missing or an obsolete table exists; takes 2 ms."""
    names = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")}
    return not names.isdisjoint(_OBSOLETE) or bool(list_missing(db))


def complete(connection: Connection, path: Path, whole: sqlite3.Connection) -> None:
    """Add the parts of `whole` that this database lacks, in the caller's transaction.

    Raises StorageUnavailable when a part cannot be added.
    """
    held = connection.exec_driver_sql("SELECT name FROM sqlite_master").fetchall()
    names = {row[0] for row in held}
    for table, made in tables(whole).items():
        if table not in names:
            connection.exec_driver_sql(made)
            continue
        there = {row[1] for row in connection.exec_driver_sql(f"PRAGMA table_info({table})").fetchall()}
        for _, column, kind, needs_value, default, _ in whole.execute(f"PRAGMA table_info({table})"):
            if column in there:
                continue
            if needs_value and default is None:
                raise StorageUnavailable(
                    f"{path} was made by a version between two releases and lacks {table}.{column}, which cannot be "
                    "added: export with that version (`furoshiki memory export`) and import here, or restore a backup"
                )
            limits = f"{'' if default is None else f' DEFAULT {default}'}{' NOT NULL' if needs_value else ''}"
            connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {column} {kind}{limits}")
    indexes = whole.execute("SELECT name, sql FROM sqlite_master WHERE type='index' AND sql IS NOT NULL")
    for name, made in indexes.fetchall():
        if name not in names:
            connection.exec_driver_sql(made)
    for name in _OBSOLETE:
        connection.exec_driver_sql(f"DROP TABLE IF EXISTS {name}")


def shape(whole: sqlite3.Connection) -> str:
    """Return the text of `shape.tsv`."""
    lines = []
    for table in sorted(tables(whole)):
        columns = [row[1] for row in whole.execute(f"PRAGMA table_info({table})")]
        lines.append("\t".join((table, *columns)))
        made = "SELECT name FROM sqlite_master WHERE type='index' AND sql IS NOT NULL AND tbl_name=? ORDER BY name"
        lines += [row[0] for row in whole.execute(made, (table,))]
    return "\n".join(lines) + "\n"


@functools.cache
def _load_expected() -> tuple[str, ...]:
    names = []
    for line in SHAPE.read_text(encoding="utf-8").splitlines():
        name, *columns = line.split("\t")
        names += [f"{name}.{column}" for column in columns] or [name]
    return tuple(names)
