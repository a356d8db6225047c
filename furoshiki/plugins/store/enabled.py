"""Which plugins are switched on. Asked before every hook, so that without any a hook costs one small question."""

from __future__ import annotations

import sqlite3


def names(db: sqlite3.Connection) -> list[str]:
    """The names of those that are, in order."""
    return [str(row[0]) for row in db.execute("SELECT name FROM plugins WHERE state = 'enabled' ORDER BY name")]


def since(db: sqlite3.Connection) -> tuple[str, ...]:
    """Which are, and since when: the same as long as nothing was switched, installed or taken away."""
    rows = db.execute("SELECT name, changed_at FROM plugins WHERE state = 'enabled' ORDER BY name")
    return tuple(f"{row[0]} {row[1]}" for row in rows)
