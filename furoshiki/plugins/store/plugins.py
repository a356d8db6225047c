"""Which plugins are installed: what their owner allowed them, and what their bytes were then."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.database.rows import dump, load
from furoshiki.core.timestamps import parse, stamp
from furoshiki.plugins.values import Origin, Permissions, State


@dataclass(frozen=True)
class Row:
    """An installed plugin. `pins` are the SHA-256 of its files by name, `permissions` what its owner agreed to;
    `failures` are those in a row, `reason` says why it does not run."""

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


def everything(db: sqlite3.Connection) -> dict[str, Row]:
    """Every plugin, by name."""
    return {row["name"]: _row(row) for row in db.execute("SELECT * FROM plugins ORDER BY name")}


def enabled(db: sqlite3.Connection) -> tuple[str, ...]:
    """What tells which plugins are enabled, and since when: the same as long as that is so. None costs microseconds."""
    rows = db.execute("SELECT name, changed_at FROM plugins WHERE state='enabled' ORDER BY name")
    return tuple(f"{row['name']} {row['changed_at']}" for row in rows)


def repin(db: sqlite3.Connection, row: Row, pins: Mapping[str, str], now: datetime) -> None:
    """Other pins, after a file was mended: it runs unless its owner switched it off."""
    db.execute(
        "UPDATE plugins SET pins=?, failures=0, reason=CASE WHEN state='disabled' THEN reason END, "
        "state=CASE WHEN state='disabled' THEN state ELSE 'enabled' END, changed_at=? WHERE name=?",
        (dump(dict(pins)), stamp(now), row.name),
    )


def _row(row: sqlite3.Row) -> Row:
    granted = load(row["permissions"])
    return Row(
        name=row["name"],
        version=row["version"],
        state=row["state"],
        origin=row["origin"],
        pins=load(row["pins"]),
        permissions=Permissions(**{**granted, "network": tuple(granted.get("network", ()))}),
        failures=row["failures"],
        reason=row["reason"],
        installed_at=parse(row["installed_at"]),
        changed_at=parse(row["changed_at"]),
    )
