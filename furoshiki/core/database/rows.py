"""Conversion between Python values and columns (JSON text, timestamps), and inserts."""

import functools
import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Any, Generic, TypeVar, cast, get_origin, get_type_hints

from furoshiki.core.framing import clean
from furoshiki.core.timestamps import parse, stamp

T = TypeVar("T")

# SQL for a list of ids or names that is bound as JSON (`as_json`), however long it is
IDS = "(SELECT value FROM json_each(?))"


def dump(value: object) -> str:
    """Return compact, unescaped JSON text; lone surrogates become question marks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace").decode("utf-8")


def as_json(ids: Iterable[object]) -> str:
    """Return ids or names as the JSON to bind for `IDS`."""
    return json.dumps(list(ids))


def load(text: str | None) -> Any:
    """Parse JSON text; None for NULL."""
    return None if text is None else json.loads(text)


def moment(text: str | None) -> datetime | None:
    """Parse a timestamp; None for NULL."""
    return None if text is None else parse(text)


def from_row(kind: Callable[..., T], row: sqlite3.Row, /, **known: Any) -> T:
    """Build a dataclass from a row: each field from the column of its name, except those in
    `known`. Times are parsed from stamps, booleans from 1 or 0, tuples and mappings from JSON
    (NULL: empty). Raises IndexError when the row lacks a column."""
    for name, reads in _readers(kind):
        if name not in known:
            known[name] = row[name] if reads is None else reads(row[name])
    return kind(**known)


def to_row(value: Any, *without: str, **known: Any) -> dict[str, Any]:
    """Return a dataclass as a row that `from_row` reads: one column for each field except
    `without`. Values in `known` are added or replace fields. Give a value that may not be empty
    JSON as None. Texts are cleaned."""
    return {name: _write(held) for name, held in (vars(value) | known).items() if name not in without}


def _write(value: Any) -> Any:
    if isinstance(value, datetime):
        return stamp(value)
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, tuple | list):
        value = dump(list(value))
    if isinstance(value, Mapping):
        value = dump(dict(value))
    return clean(value) if isinstance(value, str) else value


def first(rows: sqlite3.Cursor, read: Callable[[sqlite3.Row], T]) -> T | None:
    """Return `read` of the first row, or None when there is no row."""
    row = rows.fetchone()
    return None if row is None else read(row)


def find_value(db: sqlite3.Connection, query: str, *values: object) -> Any:
    """Return the first column of the first row, or None without a row. `values` are those of the
    query's question marks, or one mapping of its names."""
    row = _execute(db, query, values).fetchone()
    return None if row is None else row[0]


def find_values(db: sqlite3.Connection, query: str, *values: object) -> list[Any]:
    """Return the first column of every row; `values` as in `find_value`."""
    return [row[0] for row in _execute(db, query, values)]


def has_row(db: sqlite3.Connection, query: str, *values: object) -> bool:
    """Return whether a query finds a row."""
    return _execute(db, query, values).fetchone() is not None


def change_rows(db: sqlite3.Connection, query: str, *values: object) -> int:
    """Change or delete rows; return how many there were."""
    return _execute(db, query, values).rowcount


def _execute(db: sqlite3.Connection, query: str, values: Sequence[Any]) -> sqlite3.Cursor:
    named = len(values) == 1 and isinstance(values[0], Mapping)
    return db.execute(query, values[0] if named else values)


class Table(Generic[T]):
    """A table whose rows are read by `read`, mostly `partial(from_row, Kind)`."""

    def __init__(self, name: str, read: Callable[[sqlite3.Row], T], columns: str = "*") -> None:
        self._question = f"SELECT {columns} FROM {name} WHERE "  # noqa: S608
        self._read = read

    def select(self, db: sqlite3.Connection, where: str, *values: object) -> list[T]:
        """Return the rows of a condition, which may go on with an order and a limit; `values` as in
        `find_value`."""
        return list(map(self._read, _execute(db, self._question + where, values)))

    def first(self, db: sqlite3.Connection, where: str, *values: object) -> T | None:
        """Return the first row of a condition, or None."""
        return first(_execute(db, self._question + where, values), self._read)

    def get(self, db: sqlite3.Connection, row_id: int) -> T | None:
        """Return the row with this id, or None."""
        return self.first(db, "id=?", row_id)

    def newest(self, db: sqlite3.Connection, limit: int = -1, before: int | None = None) -> list[T]:
        """Return at most `limit` rows (-1: all) with an id below `before`, newest first."""
        return self.select(db, "?1 IS NULL OR id<?1 ORDER BY id DESC LIMIT ?2", before, limit)


@functools.cache
def _readers(kind: Callable[..., Any]) -> tuple[tuple[str, Callable[[Any], Any] | None], ...]:
    """Return for each field of a dataclass the converter for its column, by its type; None:
    unchanged."""
    types = get_type_hints(kind)
    return tuple((one.name, _reader(types[one.name])) for one in fields(cast("Any", kind)))


def _reader(kind: Any) -> Callable[[Any], Any] | None:
    """Return the converter of a type: a tuple's or mapping's by what it is, whatever it holds."""
    return _READERS.get(kind) or _READERS.get(get_origin(kind))


def _tuple(text: str | None) -> tuple[Any, ...]:
    return tuple(load(text) or ())


def _load_mapping(text: str | None) -> Any:
    return load(text) or {}


_READERS: Mapping[Any, Callable[[Any], Any]] = {
    datetime: parse,
    datetime | None: moment,
    bool: bool,
    tuple: _tuple,
    Mapping: _load_mapping,
}


def read_queries(path: Path) -> Mapping[str, list[str]]:
    """Return the queries of an SQL file by the comment above each ("-- record: turn")."""
    queries: dict[str, list[str]] = {}
    for statement in path.read_text(encoding="utf-8").split(";\n"):
        name, _, query = statement.rpartition("-- ")[2].partition("\n")
        if query:
            queries.setdefault(name, []).append(query)
    return queries


def clean_if_any(text: str | None) -> str | None:
    """Clean a text; None stays None."""
    if text is None:
        return None
    return clean(text)


def insert(db: sqlite3.Connection, table: str, values: Mapping[str, Any]) -> int:
    """Insert one row and return its id. Values are written as in `to_row`."""
    return cast(int, _insert(db, table, values).lastrowid)


def insert_if_new(db: sqlite3.Connection, table: str, values: Mapping[str, Any]) -> int | None:
    """Insert one row and return its id; None when the row exists already. Other violations, such as
    a wrong value, still raise IntegrityError."""
    done = _insert(db, table, values, "ON CONFLICT DO NOTHING")
    return done.lastrowid if done.rowcount else None


def put_row(db: sqlite3.Connection, table: str, values: Mapping[str, Any], *key: str) -> None:
    """Insert one row, or give these values to the one with the same columns `key`."""
    fresh = ", ".join(f"{name}=excluded.{name}" for name in values if name not in key)
    _insert(db, table, values, f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {fresh}")


def _insert(db: sqlite3.Connection, table: str, values: Mapping[str, Any], otherwise: str = "") -> sqlite3.Cursor:
    names = ", ".join(values)
    marks = ", ".join(f":{name}" for name in values)
    row = {name: _write(value) for name, value in values.items()}
    return db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks}) {otherwise}", row)  # noqa: S608


def marks(values: Sequence[object]) -> str:
    """Return `?, ?, ?` for an IN clause."""
    return ", ".join("?" * len(values))
