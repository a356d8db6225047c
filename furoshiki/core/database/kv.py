"""Small named values that several processes share and that belong to no other table."""

import sqlite3
from datetime import datetime
from typing import Any

from furoshiki.core.database.rows import change_rows, dump, find_values, load, marks, put_row


def get(db: sqlite3.Connection, key: str, default: Any = None) -> Any:
    """Return the value stored under `key`, or the default."""
    row = db.execute("SELECT value FROM kv WHERE key=?", (key,)).fetchone()
    return default if row is None else load(row["value"])


def several(db: sqlite3.Connection, *names: str) -> dict[str, Any]:
    """Return the stored values by key, in one query; missing keys are left out."""
    rows = db.execute(f"SELECT key, value FROM kv WHERE key IN ({marks(names)})", names)  # noqa: S608
    return {row["key"]: load(row["value"]) for row in rows}


def put(db: sqlite3.Connection, key: str, value: object, now: datetime) -> None:
    """Store a JSON value under `key`, replacing any earlier one."""
    put_row(db, "kv", {"key": key, "value": dump(value), "changed_at": now}, "key")


def keys(db: sqlite3.Connection, prefix: str) -> list[str]:
    """Return the keys that begin with `prefix`, least recently changed first."""
    query = "SELECT key FROM kv WHERE key>=? AND key<? ORDER BY changed_at, key"
    return find_values(db, query, prefix, f"{prefix}\U0010ffff")


def drop(db: sqlite3.Connection, key: str) -> bool:
    """Delete a value; True when it existed."""
    return change_rows(db, "DELETE FROM kv WHERE key=?", key) == 1
