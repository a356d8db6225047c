"""Which plugins are installed: what their owner allowed them, and what their bytes were then."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime

from furoshiki.core import stored
from furoshiki.core.database.rows import dump, from_row, insert, load, to_row
from furoshiki.core.timestamps import stamp
from furoshiki.extensions.plugins.values import Origin, Permissions, State


@dataclass(frozen=True)
class Row:
    """An installed plugin. `pins` are the SHA-256 of its files by name, `permissions` what its owner agreed to;
    `failures` are those in a row at the hook that ran last, `reason` says why it does not run."""

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
    """Every plugin, by name."""
    return {row["name"]: _row(row) for row in db.execute("SELECT * FROM plugins ORDER BY name")}


def repin(db: sqlite3.Connection, row: Row, pins: Mapping[str, str], now: datetime) -> None:
    """Other pins, after a file was mended: it runs unless its owner switched it off."""
    db.execute(
        "UPDATE plugins SET pins=?, failures=0, reason=CASE WHEN state='disabled' THEN reason END, "
        "state=CASE WHEN state='disabled' THEN state ELSE 'enabled' END, changed_at=? WHERE name=?",
        (dump(dict(pins)), stamp(now), row.name),
    )


def get(db: sqlite3.Connection, name: str) -> Row | None:
    """One plugin."""
    row = db.execute("SELECT * FROM plugins WHERE name = ?", (name,)).fetchone()
    return None if row is None else _row(row)


def put(db: sqlite3.Connection, row: Row) -> None:
    """Put a plugin on record, in place of what is recorded of it; what it had to say before is gone."""
    remove(db, row.name)
    insert(db, "plugins", to_row(row, permissions=asdict(row.permissions)))


def turn(db: sqlite3.Connection, name: str, state: State, now: datetime, reason: str | None = None) -> bool:
    """Switch a plugin on or off; its failures so far are forgotten. False when it is not on record."""
    done = db.execute(
        "UPDATE plugins SET state = ?, reason = ?, failures = 0, changed_at = ? WHERE name = ?",
        (state, reason, stamp(now), name),
    )
    return done.rowcount == 1


def remove(db: sqlite3.Connection, name: str) -> None:
    """Take a plugin off the record, and what it had to say with it."""
    db.execute("DELETE FROM plugin_context WHERE plugin = ?", (name,))
    db.execute("DELETE FROM plugins WHERE name = ?", (name,))


def _row(row: sqlite3.Row) -> Row:
    granted = load(row["permissions"])
    return from_row(
        Row, row, permissions=stored.build(Permissions, {**granted, "network": tuple(granted.get("network", ()))})
    )
