"""What is taken out of the tables when something is forgotten: rows that go whole, and cells that say something else.

A room finds what stands in its own tables (`store/forgetting.py`); `furoshiki/archive/forgetting` says what is to go.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field

IDS = "(SELECT value FROM json_each(?))"
"""Any of a list of ids or names, bound as JSON (`as_json`)."""


def as_json(ids: Iterable[object]) -> str:
    """Ids or names to be bound where `IDS` stands."""
    return json.dumps(list(ids))


def quote(words: str) -> str:
    """Words as a full-text query for the phrase; the index stems them itself (a stem is not always its own stem)."""
    return '"' + words.replace('"', " ") + '"'


@dataclass
class Erasure:
    """Rows that go whole, and rows whose words are cut, by table; `keys` go from `kv`."""

    rows: dict[str, set[int]] = field(default_factory=dict)
    cells: dict[str, dict[int, dict[str, str | None]]] = field(default_factory=dict)
    keys: list[str] = field(default_factory=list)

    def go(self, table: str, ids: Iterable[int]) -> None:
        """Delete these rows."""
        self.rows.setdefault(table, set()).update(ids)

    def go_by(self, db: sqlite3.Connection, table: str, column: str, names: Iterable[object]) -> None:
        """Delete the rows with any of these values in a column."""
        rows = db.execute(f"SELECT rowid FROM {table} WHERE {column} IN {IDS}", (as_json(names),))  # noqa: S608
        self.go(table, (row[0] for row in rows))

    def cut(self, table: str, row: int, column: str, value: str | None) -> None:
        """This is what a cell says afterwards."""
        self.cells.setdefault(table, {}).setdefault(row, {})[column] = value

    def mark_for_embedding(self, table: str, row: int) -> None:
        """Drop the vector of a row, so that the next indexing embeds what the row says then."""
        for column in ("embedding", "embed_model", "content_hash"):
            self.cut(table, row, column, None)
        self.cut(table, row, "index_state", "pending")

    def count(self, table: str) -> int:
        """How many rows of a table are touched."""
        gone = self.rows.get(table, set())
        return len(gone) + len(self.cells.get(table, {}).keys() - gone)

    def carry_out(self, db: sqlite3.Connection) -> None:
        """Cut and delete, in the transaction of the caller; removing `keys` is left to the caller."""
        for table, cells in self.cells.items():
            for row, values in cells.items():
                settings = ", ".join(f"{column}=?" for column in values)
                db.execute(f"UPDATE {table} SET {settings} WHERE rowid=?", (*values.values(), row))  # noqa: S608
        for table, ids in self.rows.items():
            db.execute(f"DELETE FROM {table} WHERE rowid IN {IDS}", (as_json(ids),))  # noqa: S608
