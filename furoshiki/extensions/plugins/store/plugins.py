"""Installed plugins: their approved permissions, and the hashes of their files."""

import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime

from furoshiki.core import json_values
from furoshiki.core.database.rows import change_rows, dump, find_values, first, from_row, insert, load, put_row, to_row
from furoshiki.core.timestamps import stamp
from furoshiki.extensions.plugins.values import Origin, Permissions, State


@dataclass(frozen=True)
class Row:
    """An installed plugin. `pins` are the SHA-256 of its files by name, `permissions` the approved
    ones; `failures` is the count in a row at its last hook, `reason` says why it is not enabled."""

    name: str
    version: str
    state: State
    origin: Origin
    pins: Mapping[str, str]
    permissions: Permissions
    failures: int
    reason: str | None
    installed_at: datetime
    changed_at: datetime


def read_all(db: sqlite3.Connection) -> dict[str, Row]:
    return {row["name"]: _row(row) for row in db.execute("SELECT * FROM plugins ORDER BY name")}


def repin(db: sqlite3.Connection, row: Row, pins: Mapping[str, str], now: datetime) -> None:
    """Set new pins after a repair, and enable the plugin unless its owner disabled it."""
    db.execute(
        "UPDATE plugins SET pins=?, failures=0, reason=CASE WHEN state='disabled' THEN reason END, "
        "state=CASE WHEN state='disabled' THEN state ELSE 'enabled' END, changed_at=? WHERE name=?",
        (dump(dict(pins)), stamp(now), row.name),
    )


def get(db: sqlite3.Connection, name: str) -> Row | None:
    """Return the plugin with this name, or None."""
    return first(db.execute("SELECT * FROM plugins WHERE name = ?", (name,)), _row)


def put(db: sqlite3.Connection, row: Row) -> None:
    """Store a plugin, replacing its earlier row and deleting its text for conversations."""
    remove(db, row.name)
    insert(db, "plugins", to_row(row, permissions=asdict(row.permissions)))


def turn(db: sqlite3.Connection, name: str, state: State, now: datetime) -> bool:
    """Set a plugin's state and reset its failures; False when it is not installed."""
    query = "UPDATE plugins SET state = ?, reason = NULL, failures = 0, changed_at = ? WHERE name = ?"
    return change_rows(db, query, state, stamp(now), name) == 1


def remove(db: sqlite3.Connection, name: str) -> None:
    """Delete a plugin's row and its text for conversations."""
    db.execute("DELETE FROM plugin_context WHERE plugin = ?", (name,))
    db.execute("DELETE FROM plugins WHERE name = ?", (name,))


def _row(row: sqlite3.Row) -> Row:
    granted = load(row["permissions"])
    return from_row(
        Row, row, permissions=json_values.build(Permissions, {**granted, "network": tuple(granted.get("network", ()))})
    )


# -- which are enabled, and which were disabled after failures or changes --
#
# Read before every hook, so that a hook without plugins costs one small query.


def names(db: sqlite3.Connection) -> list[str]:
    """Return the names of the enabled plugins, sorted."""
    return find_values(db, "SELECT name FROM plugins WHERE state = 'enabled' ORDER BY name")


def since(db: sqlite3.Connection) -> tuple[str, ...]:
    """Return enabled plugins with their last change, as a fingerprint of the installation."""
    rows = db.execute("SELECT name, changed_at FROM plugins WHERE state = 'enabled' ORDER BY name")
    return tuple(f"{row[0]} {row[1]}" for row in rows)


def list_switched_off(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """List the plugins that failed or whose files changed, each with the reason."""
    rows = db.execute("SELECT name, reason FROM plugins WHERE state IN ('failing', 'changed') ORDER BY name")
    return [(str(row[0]), str(row[1] or "")) for row in rows]


def put_context(db: sqlite3.Connection, plugin: str, text: str, now: datetime, until: datetime) -> None:
    """Store the text of a plugin, replacing an earlier one."""
    put_row(db, "plugin_context", {"plugin": plugin, "text": text, "at": now, "until": until}, "plugin")


def drop_context(db: sqlite3.Connection, plugin: str) -> None:
    """Delete the text of a plugin."""
    db.execute("DELETE FROM plugin_context WHERE plugin = ?", (plugin,))


def current_contexts(db: sqlite3.Connection, now: datetime) -> list[tuple[str, str]]:
    """Return the unexpired texts of enabled plugins, each with its plugin."""
    rows = db.execute(
        "SELECT plugin, text FROM plugin_context JOIN plugins ON name = plugin AND state = 'enabled' "
        "WHERE until > ? ORDER BY plugin",
        (stamp(now),),
    )
    return [(row["plugin"], row["text"]) for row in rows]
