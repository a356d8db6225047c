"""The rows to delete and the cells to change when something is forgotten.

Each room finds its own rows (`store/forgetting.py`), as `furoshiki/archive/forgetting` asks.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field

from furoshiki.core.database.rows import IDS, as_json, find_values


def quote(words: str) -> str:
    """Return a full-text query for a phrase; not stemmed, as the index stems it again."""
    return '"' + words.replace('"', " ") + '"'


@dataclass
class Erasure:
    """Rows to delete and cells to change, by table; `keys` are keys to delete from `kv`."""

    rows: dict[str, set[int]] = field(default_factory=dict)
    cells: dict[str, dict[int, dict[str, str | None]]] = field(default_factory=dict)
    keys: list[str] = field(default_factory=list)

    def go(self, table: str, ids: Iterable[int]) -> None:
        """Mark rows of a table for deletion."""
        self.rows.setdefault(table, set()).update(ids)

    def go_by(self, db: sqlite3.Connection, table: str, column: str, names: Iterable[object]) -> None:
        """Mark the rows with any of these values in a column for deletion."""
        self.go(table, find_values(db, f"SELECT rowid FROM {table} WHERE {column} IN {IDS}", as_json(names)))  # noqa: S608

    def go_citing(self, db: sqlite3.Connection, table: str, column: str, cited: Iterable[object]) -> None:
        """Mark the rows with any of these in a column that holds a list for deletion."""
        query = f"SELECT rowid FROM {table} WHERE EXISTS (SELECT 1 FROM json_each({column}) WHERE value IN {IDS})"  # noqa: S608
        self.go(table, find_values(db, query, as_json(cited)))

    def cut(self, table: str, row: int, column: str, value: str | None) -> None:
        """Set the value that a cell gets."""
        self.cells.setdefault(table, {}).setdefault(row, {})[column] = value

    def mark_for_embedding(self, table: str, row: int) -> None:
        """Clear the vector of a row, so that the next indexing embeds its new text."""
        for column in ("embedding", "embed_model", "content_hash"):
            self.cut(table, row, column, None)
        self.cut(table, row, "index_state", "pending")

    def count(self, table: str) -> int:
        """Return how many rows of a table are changed or deleted."""
        gone = self.rows.get(table, set())
        return len(gone) + len(self.cells.get(table, {}).keys() - gone)

    def carry_out(self, db: sqlite3.Connection) -> None:
        """Update and delete, in the caller's transaction. The caller removes `keys` itself."""
        for table, cells in self.cells.items():
            for row, values in cells.items():
                settings = ", ".join(f"{column}=?" for column in values)
                db.execute(f"UPDATE {table} SET {settings} WHERE rowid=?", (*values.values(), row))  # noqa: S608
        for table, ids in self.rows.items():
            db.execute(f"DELETE FROM {table} WHERE rowid IN {IDS}", (as_json(ids),))  # noqa: S608
