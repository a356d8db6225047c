"""Which plugins are switched on. Asked before every hook, so that without any a hook costs one small question."""

from __future__ import annotations

import sqlite3


def names(db: sqlite3.Connection) -> list[str]:
    """The names of those that are, in order."""
    return [str(row[0]) for row in db.execute("SELECT name FROM plugins WHERE state = 'enabled' ORDER BY name")]
