"""System events: each changes the state once, when a tick of the soul engine applies it."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from furoshiki.core.database.rows import Table, from_row, insert
from furoshiki.core.timestamps import stamp


@dataclass(frozen=True)
class Event:
    """A recorded event that changes the state once."""

    id: int
    kind: str
    payload: Mapping[str, Any]
    created_at: datetime


_TABLE = Table("system_events", partial(from_row, Event))


def announce(db: sqlite3.Connection, kind: str, payload: Mapping[str, Any], now: datetime) -> int:
    """Record an event for the next tick of the soul engine and return its id."""
    return insert(db, "system_events", {"kind": kind, "payload": payload, "created_at": now})


def unread(db: sqlite3.Connection, after: int) -> list[Event]:
    """Return events not yet applied, in order; `after`: the last id the heartbeat applied."""
    return _TABLE.select(db, "applied_at IS NULL AND id>? ORDER BY id", after)


def read_unmarked(db: sqlite3.Connection, up_to: int, kind: str) -> list[Event]:
    """Return events of a kind that the stored state includes but that are not marked applied."""
    return _TABLE.select(db, "applied_at IS NULL AND id<=? AND kind=? ORDER BY id", up_to, kind)


def mark_applied(db: sqlite3.Connection, up_to: int, now: datetime) -> None:
    """Mark all events up to this id as applied: the stored state includes them."""
    db.execute("UPDATE system_events SET applied_at=? WHERE applied_at IS NULL AND id<=?", (stamp(now), up_to))
