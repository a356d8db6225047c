"""Which plugins are switched on, and which were switched off by what they did.

Asked before every hook, so that without any a hook costs one small question.
"""

import sqlite3


def names(db: sqlite3.Connection) -> list[str]:
    """The names of those that are, in order."""
    return [str(row[0]) for row in db.execute("SELECT name FROM plugins WHERE state = 'enabled' ORDER BY name")]


def since(db: sqlite3.Connection) -> tuple[str, ...]:
    """Which are, and since when: the same as long as nothing was switched, installed or taken away."""
    rows = db.execute("SELECT name, changed_at FROM plugins WHERE state = 'enabled' ORDER BY name")
    return tuple(f"{row[0]} {row[1]}" for row in rows)


def list_switched_off(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """List the plugins that failed or whose files changed, each with the reason."""
    rows = db.execute("SELECT name, reason FROM plugins WHERE state IN ('failing', 'changed') ORDER BY name")
    return [(str(row[0]), str(row[1] or "")) for row in rows]
