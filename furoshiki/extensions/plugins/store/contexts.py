"""Plugins' texts for the next conversation: one each, until it expires."""

import sqlite3
from datetime import datetime

from furoshiki.core.database.rows import clean
from furoshiki.core.timestamps import stamp


def put(db: sqlite3.Connection, plugin: str, text: str, now: datetime, until: datetime) -> None:
    """Store the text of a plugin, replacing an earlier one."""
    db.execute(
        "INSERT INTO plugin_context (plugin, text, at, until) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (plugin) DO UPDATE SET text = excluded.text, at = excluded.at, until = excluded.until",
        (plugin, clean(text), stamp(now), stamp(until)),
    )


def drop(db: sqlite3.Connection, plugin: str) -> None:
    """Delete the text of a plugin."""
    db.execute("DELETE FROM plugin_context WHERE plugin = ?", (plugin,))


def current(db: sqlite3.Connection, now: datetime) -> list[tuple[str, str]]:
    """Return the unexpired texts of enabled plugins, each with its plugin."""
    rows = db.execute(
        "SELECT plugin, text FROM plugin_context JOIN plugins ON name = plugin AND state = 'enabled' "
        "WHERE until > ? ORDER BY plugin",
        (stamp(now),),
    )
    return [(row["plugin"], row["text"]) for row in rows]
