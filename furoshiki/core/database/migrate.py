"""Schema migrations. Alembic and SQLAlchemy are imported only when a migration is needed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from furoshiki.core.database.connection import connect, explained
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.process.crash_points import point

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection, Engine

HEAD = "0017"  # the newest revision; a test compares it with the migrations folder
FIRST = "0014"  # the revision of the first release


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
    Refused: a database from a newer release (restore the backup made before the upgrade) or from
    before the first one, and a missing one that was in use, as a new empty one would hide the loss
    from the owner.
    """
    if current(path) == HEAD:
        return False
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        gate = os.open(f"{path}.migrate", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StorageUnavailable(f"{path} cannot be made ({error.strerror}): check the folder and the disk") from error
    try:
        fcntl.flock(gate, fcntl.LOCK_EX)
        found = current(path)
        if found == HEAD:
            return False
        if found is not None and found > HEAD:
            raise StorageUnavailable(
                f"{path} was written by a newer Furoshiki (schema {found}, this one knows {HEAD}): "
                "update Furoshiki, or restore an older backup"
            )
        if found is not None and found < FIRST:
            raise StorageUnavailable(
                f"{path} was written before the first release (schema {found}): export it with the version that "
                "wrote it (`furoshiki export`), and import that here"
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
    from alembic import command
    from sqlalchemy.exc import DBAPIError

    with explained(path), _engine(path) as engine, engine.connect() as connection:
        try:
            command.upgrade(config(connection), "head")
        except DBAPIError as error:
            raise (error.orig or error) from error
    path.chmod(0o600)


@contextlib.contextmanager
def _engine(path: Path) -> Iterator[Engine]:
    from sqlalchemy import create_engine, event

    engine = create_engine("sqlite://", creator=lambda: connect(path, "rwc"))

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    try:
        yield engine
    finally:
        engine.dispose()


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
