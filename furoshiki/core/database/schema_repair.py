"""What a database lacks of the schema its number promises, and adding it: some were made by versions in between.

While a schema was still being written, versions nobody released put its number on a database that lacked a part of it.
Everything they lack can be added: tables and indexes that were not there yet, columns that may be empty or have a
default. What cannot is said, with what to do.
"""

from __future__ import annotations

import functools
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from furoshiki.core.errors import StorageUnavailable

if TYPE_CHECKING:
    from sqlalchemy import Column, Connection

SHAPE = Path(__file__).with_name("shape.tsv")
"""Tables with their columns, and indexes, at the newest revision; printed from `schema.py` by `make docs`."""

_ABANDONED = ("curiosities",)
"""Tables of versions in between whose rows have had another place since; nothing reads or forgets what is in them."""


def lacking(db: sqlite3.Connection) -> list[str]:
    """The columns ("turns.text") and indexes that the newest schema has and this database has not; takes 2 ms."""
    found = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='index'")}
    found |= {
        f"{row[0]}.{row[1]}"
        for row in db.execute(
            "SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type='table'"
        )
    }
    return [name for name in _expected() if name not in found]


def needed(db: sqlite3.Connection) -> bool:
    """Whether something is lacking, or a table is left that has had its day; takes 2 ms."""
    tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")}
    return not tables.isdisjoint(_ABANDONED) or bool(lacking(db))


def complete(connection: Connection, path: Path) -> None:
    """Add what is lacking, in the transaction of the caller. Raises StorageUnavailable when a part cannot be added."""
    from sqlalchemy import inspect, text
    from sqlalchemy.schema import CreateIndex, CreateTable

    from furoshiki.core.database.schema import metadata

    seen = inspect(connection)
    tables = set(seen.get_table_names())
    for table in metadata.sorted_tables:
        if table.name not in tables:
            connection.execute(CreateTable(table))
        else:
            there = {column["name"] for column in seen.get_columns(table.name)}
            for column in table.columns:
                if column.name not in there:
                    _may_be_added(column, path)
                    connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN {_described(column, connection)}"))
        had = {index["name"] for index in seen.get_indexes(table.name)} if table.name in tables else set()
        for index in table.indexes:
            if index.name not in had:
                connection.execute(CreateIndex(index))
    for name in _ABANDONED:
        connection.execute(text(f"DROP TABLE IF EXISTS {name}"))


def shape() -> str:
    """The text of `shape.tsv`."""
    from furoshiki.core.database.schema import metadata

    lines = []
    for table in sorted(metadata.tables.values(), key=lambda one: one.name):
        lines.append("\t".join((table.name, *(column.name for column in table.columns))))
        lines += sorted(str(index.name) for index in table.indexes)
    return "\n".join(lines) + "\n"


@functools.cache
def _expected() -> tuple[str, ...]:
    names = []
    for line in SHAPE.read_text(encoding="utf-8").splitlines():
        name, *columns = line.split("\t")
        names += [f"{name}.{column}" for column in columns] or [name]
    return tuple(names)


def _described(column: Column[object], connection: Connection) -> str:
    from sqlalchemy.schema import CreateColumn

    return str(CreateColumn(column).compile(dialect=connection.dialect))


def _may_be_added(column: Column[object], path: Path) -> None:
    if not column.nullable and column.server_default is None:
        raise StorageUnavailable(
            f"{path} was made by a version between two releases and lacks {column.table.name}.{column.name}, which "
            "cannot be added: export with that version (`furoshiki memory export`) and import here, or restore a backup"
        )
