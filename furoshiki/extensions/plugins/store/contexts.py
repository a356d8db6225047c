"""What plugins have to say for the next conversation: one block each, until it is out of date."""

import sqlite3
from datetime import datetime

from furoshiki.core.database.rows import clean
from furoshiki.core.timestamps import stamp


def put(db: sqlite3.Connection, plugin: str, text: str, now: datetime, until: datetime) -> None:
    """Keep the block of a plugin, in place of the one before."""
    db.execute(
        "INSERT INTO plugin_context (plugin, text, at, until) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (plugin) DO UPDATE SET text = excluded.text, at = excluded.at, until = excluded.until",
        (plugin, clean(text), stamp(now), stamp(until)),
    )


def drop(db: sqlite3.Connection, plugin: str) -> None:
    """Keep none."""
    db.execute("DELETE FROM plugin_context WHERE plugin = ?", (plugin,))


def current(db: sqlite3.Connection, now: datetime) -> list[tuple[str, str]]:
    """The blocks that hold now, with the plugin each is of; only of plugins that are enabled."""
    rows = db.execute(
        "SELECT plugin, text FROM plugin_context JOIN plugins ON name = plugin AND state = 'enabled' "
        "WHERE until > ? ORDER BY plugin",
        (stamp(now),),
    )
    return [(row["plugin"], row["text"]) for row in rows]
