"""What a database lacks of the newest schema, and adding it: some were made by versions in between, some are older.

While a schema was still being written, versions nobody released put its number on a database that lacked a part of it.
Everything they lack can be added: tables and indexes that were not there yet, columns that may be empty or have a
default. What cannot is said, with what to do.
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
"""Tables with their columns, and indexes, at the newest revision; printed from the migrations by `make docs`."""

_ABANDONED = ("curiosities",)
"""Tables of versions in between whose rows have had another place since; nothing reads or forgets what is in them."""

_OWN = re.compile(r"sqlite_|alembic_version$|\w+_fts")
"""Tables that SQLite, Alembic and full text search make for themselves."""


def tables(db: sqlite3.Connection) -> dict[str, str]:
    """The tables of a database by name, each as it was made, in the order in which they were made."""
    rows = db.execute("SELECT name, sql FROM sqlite_master WHERE type='table' ORDER BY rowid").fetchall()
    return {row[0]: row[1] for row in rows if not _OWN.match(row[0])}


def list_missing(db: sqlite3.Connection) -> list[str]:
    """The columns ("turns.text") and indexes that the newest schema has and this database has not; takes 2 ms."""
    found = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='index'")}
    found |= {
        f"{row[0]}.{row[1]}"
        for row in db.execute(
            "SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type='table'"
        )
    }
    return [name for name in _load_expected() if name not in found]


def is_needed(db: sqlite3.Connection) -> bool:
    """Whether something is lacking, or a table is left that has had its day; takes 2 ms."""
    names = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")}
    return not names.isdisjoint(_ABANDONED) or bool(list_missing(db))


def complete(connection: Connection, path: Path, whole: sqlite3.Connection) -> None:
    """Add what `whole` has and this database has not, in the transaction of the caller.

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
    """The text of `shape.tsv`."""
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
