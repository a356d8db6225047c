"""Small named values that several processes share and that belong to no other table."""

import sqlite3
from datetime import datetime
from typing import Any

from furoshiki.core.database.rows import dump, load, marks
from furoshiki.core.timestamps import stamp


def get(db: sqlite3.Connection, key: str, default: Any = None) -> Any:
    """The value kept under `key`, or the default."""
    row = db.execute("SELECT value FROM kv WHERE key=?", (key,)).fetchone()
    return default if row is None else load(row["value"])


def several(db: sqlite3.Connection, *names: str) -> dict[str, Any]:
    """The values kept under these keys, by key, in one question; without those that are not there."""
    rows = db.execute(f"SELECT key, value FROM kv WHERE key IN ({marks(names)})", names)  # noqa: S608 - question marks
    return {row["key"]: load(row["value"]) for row in rows}


def put(db: sqlite3.Connection, key: str, value: object, now: datetime) -> None:
    """Keep a JSON value under `key`, in place of what was there."""
    db.execute(
        "INSERT INTO kv (key, value, changed_at) VALUES (?, ?, ?) "
        "ON CONFLICT (key) DO UPDATE SET value=excluded.value, changed_at=excluded.changed_at",
        (key, dump(value), stamp(now)),
    )


def keys(db: sqlite3.Connection, prefix: str) -> list[str]:
    """The keys that begin with `prefix`, those changed longest ago first."""
    rows = db.execute(
        "SELECT key FROM kv WHERE key>=? AND key<? ORDER BY changed_at, key", (prefix, f"{prefix}\U0010ffff")
    )
    return [row["key"] for row in rows]


def drop(db: sqlite3.Connection, key: str) -> bool:
    """Forget a value; True when it was there."""
    return db.execute("DELETE FROM kv WHERE key=?", (key,)).rowcount == 1
