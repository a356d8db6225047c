"""Bring the database to the newest schema. Alembic and SQLAlchemy are imported only when there is something to do."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from furoshiki.errors import StorageUnavailable
from furoshiki.storage.store import connect

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection

HEAD = "0001"
"""The newest revision; a test compares it with the migrations folder."""


def current(path: Path) -> str | None:
    """The revision of a database file, None when it has none (or does not exist)."""
    if not path.exists() or path.stat().st_size == 0:
        return None
    db = connect(path, "ro")
    try:
        row = db.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):
            return None
        raise
    finally:
        db.close()
    return str(row[0]) if row else None


def ensure(path: Path) -> bool:
    """Migrate when needed, under a lock; True when something was done. Raises StorageUnavailable.

    A database from a newer release is refused: going back means restoring the backup made before the upgrade.
    """
    try:
        if current(path) == HEAD:
            return False
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        gate = os.open(f"{path}.migrate", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except (sqlite3.DatabaseError, OSError) as error:
        raise StorageUnavailable(f"{path} cannot be opened ({error}): check the disk, or restore a backup") from error
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
        upgrade(path)
        return True
    finally:
        os.close(gate)


def upgrade(path: Path, revision: str = "head") -> None:
    """Run the migrations up to `revision`. Each is one transaction: a kill in between leaves the one before."""
    from alembic import command
    from sqlalchemy import create_engine, event

    engine = create_engine("sqlite://", creator=lambda: connect(path, "rwc"))

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    with engine.connect() as connection:
        command.upgrade(config(connection), revision)
    engine.dispose()
    path.chmod(0o600)


def config(connection: Connection) -> Config:
    """Alembic's configuration for an open connection; the migrations travel inside the package."""
    from alembic.config import Config

    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    settings.attributes["connection"] = connection
    return settings
