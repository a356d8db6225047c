"""Execution of a plugin's SELECT: read-only, checked by column, limited in steps, time and size."""

import math
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from furoshiki.core.database.connection import connect
from furoshiki.core.paths import read_toml_file

MOST_STEPS = 20_000_000  # SQLite VM instructions: enough for several full scans of 200,000 rows
MOST_S = 2.0  # timeout of one query in seconds

MOST_ROWS = 500
MOST_BYTES = 1024 * 1024  # maximum bytes of a result, as JSON

LONGEST_SQL = 5000
LONGEST_VALUE = 300_000  # maximum bytes of one value, intermediate values included

_STEPS_BETWEEN_LOOKS = 1000
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: LONGEST_VALUE,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: LONGEST_SQL,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 20,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 50,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 50,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 100,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_WHAT = {
    sqlite3.SQLITE_RECURSIVE: "WITH RECURSIVE cannot be used: ask for rows, and go on in Python",
    sqlite3.SQLITE_PRAGMA: "PRAGMA cannot be used; docs/plugin-api.md names the tables and columns",
}
_ONLY_SELECT = "only SELECT can be used here; changes are made by `do` (write_db)"


class Unreadable(Exception):
    """A refused or failed query; the message is for the plugin's author."""


def rows(path: Path, sql: str, params: Sequence[Any], within_s: float = MOST_S) -> dict[str, Any]:
    """Execute one SELECT and return `columns`, `rows`, and whether there is `more`.

    Raises Unreadable. `params` are JSON values. Uses its own connection.
    """
    if not all(isinstance(one, str | int | float | bool | None) for one in params):
        raise Unreadable("params are texts, numbers, true, false and null, one for each ? in the SQL")
    judge = _Judge(sql, within_s)
    db = connect(path, "ro", busy_seconds=1.0, cache_kb=2000)
    try:
        db.row_factory = None
        db.text_factory = _text
        for limit, most in _LIMITS.items():
            db.setlimit(limit, most)
        for name in sorted(UNFOLDED):  # SQLite creates these tables on first use, which is refused later
            db.execute(f"SELECT 1 FROM {name}('[]')")  # noqa: S608
        db.set_progress_handler(judge.goes_on, _STEPS_BETWEEN_LOOKS)
        db.set_authorizer(judge.allows)
        return _answer(db, sql, params)
    except (sqlite3.Error, sqlite3.Warning, OverflowError) as error:
        raise Unreadable(judge.why or f"SQLite says: {error}") from None
    finally:
        db.close()


def _answer(db: sqlite3.Connection, sql: str, params: Sequence[Any]) -> dict[str, Any]:
    cursor = db.execute(sql, tuple(params))
    found: list[list[Any]] = []
    size, more = 0, False
    for row in cursor:
        values = list(map(_value, row))
        size += sum(len(value) if isinstance(value, str) else 8 for value in values)
        if len(found) == MOST_ROWS or size > MOST_BYTES:
            more = True
            break
        found.append(values)
    if cursor.description is None:
        raise Unreadable("there is no SELECT in it")
    if more and not found:
        raise Unreadable(
            f"one row has more than {MOST_BYTES} bytes: ask for fewer columns, or for substr(column, 1, 1000)"
        )
    return {"columns": [one[0] for one in cursor.description], "rows": found, "more": more}


class _Judge:
    """SQLite authorizer and progress handler: refuses actions, and stops slow queries."""

    def __init__(self, sql: str, within_s: float) -> None:
        self.why = ""
        self._recursive = "recursive" in sql.casefold()
        self._steps, self._until = 0, time.monotonic() + within_s

    def allows(self, action: int, first: str | None, second: str | None, _database: str | None, _by: str | None) -> int:
        if action == sqlite3.SQLITE_SELECT:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_READ:
            reason = refusal(str(first), second or "")
            if reason is not None and self._recursive:
                reason = _WHAT[sqlite3.SQLITE_RECURSIVE]
        elif action == sqlite3.SQLITE_FUNCTION:
            known = str(second).lower() in FUNCTIONS
            reason = None if known else f"the function {second} cannot be used"
        else:
            reason = _WHAT.get(action, _ONLY_SELECT)
        if reason is None:
            return sqlite3.SQLITE_OK
        self.why = self.why or reason
        return sqlite3.SQLITE_DENY

    def goes_on(self) -> int:
        self._steps += _STEPS_BETWEEN_LOOKS
        if self._steps <= MOST_STEPS and time.monotonic() < self._until:
            return 0
        self.why = (
            f"the query took too long (more than {MOST_S:g} s or {MOST_STEPS:,} steps): narrow it down with WHERE"
        )
        return 1


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _value(held: Any) -> Any:
    """Return a value as JSON can represent it."""
    if isinstance(held, bytes):
        raise Unreadable("a column holds bytes: ask for CAST(column AS TEXT)")
    return None if isinstance(held, float) and not math.isfinite(held) else held


# -- tables, columns and functions that a plugin with `read_db` can use --
#
# They are about the owner and the companion. Excluded are keys, settings, accounts, other people,
# unsent messages, forgotten texts, the cost ledger and SQLite's own tables.


_MAY = read_toml_file(Path(__file__).with_name("readable.toml"))
# Readable columns by table. Of forgotten items only the time, for updating copies.
READABLE = {table: frozenset(columns.split()) for table, columns in _MAY["columns"].items()}

# table-valued functions; all their columns can be read
UNFOLDED = frozenset({"json_each", "json_tree"})

# allowed functions: none that reads files, loads code, makes texts of any length or reveals the
# machine, and none of quadratic time (`instr`, `replace`, `trim`), as it could not be interrupted
FUNCTIONS = frozenset(_MAY["functions"].split())


def refusal(table: str, column: str) -> str | None:
    """Return why a column (or, without one, the table) cannot be read; None if it can."""
    if table in UNFOLDED:
        return None
    if table not in READABLE:
        return f"the table {table} cannot be read; these can: {', '.join(sorted(READABLE))}"
    if column and column not in READABLE[table]:
        return f"the column {table}.{column} cannot be read; these can: {', '.join(sorted(READABLE[table]))}"
    return None
