"""Which plugins are enabled, and which were disabled after failures or changes.

Read before every hook, so that a hook without plugins costs one small query.
"""

import sqlite3


def names(db: sqlite3.Connection) -> list[str]:
    """Return the names of the enabled plugins, sorted."""
    return [str(row[0]) for row in db.execute("SELECT name FROM plugins WHERE state = 'enabled' ORDER BY name")]


def since(db: sqlite3.Connection) -> tuple[str, ...]:
    """Return enabled plugins with their last change, as a fingerprint of the installation."""
    rows = db.execute("SELECT name, changed_at FROM plugins WHERE state = 'enabled' ORDER BY name")
    return tuple(f"{row[0]} {row[1]}" for row in rows)


def list_switched_off(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """List the plugins that failed or whose files changed, each with the reason."""
    rows = db.execute("SELECT name, reason FROM plugins WHERE state IN ('failing', 'changed') ORDER BY name")
    return [(str(row[0]), str(row[1] or "")) for row in rows]
