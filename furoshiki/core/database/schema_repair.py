"""Completion of databases that lack parts of the newest schema.

Unreleased versions gave a schema's number to databases that lacked parts of it. All these parts can
be added: new tables and indexes, and columns that may be NULL or have a default. For any other part
the error says what to do.
"""

from __future__ import annotations

import functools
import re
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from furoshiki.core.errors import StorageUnavailable

if TYPE_CHECKING:
    from sqlalchemy import Connection

SHAPE = Path(__file__).with_name("shape.tsv")
"""Tables with their columns, and indexes, of the newest revision; `make docs` writes the file."""

_ABANDONED = ("curiosities",)
"""Obsolete tables whose rows are stored elsewhere now; they are neither read nor pruned."""

_OWN = re.compile(r"sqlite_|alembic_version$|\w+_fts")
"""Tables created by SQLite, Alembic and full-text search."""


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
    return not names.isdisjoint(_ABANDONED) or bool(list_missing(db))


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
    for name in _ABANDONED:
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
