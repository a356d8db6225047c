"""The memories of how they like the companion to do things."""

import sqlite3

from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory

TYPE = "procedural"
SHOWN = 12
"""The ways learned last that stand before a mind."""


def list_current(db: sqlite3.Connection) -> list[Memory]:
    """The ways that hold, the oldest first."""
    rows = db.execute(
        "SELECT id FROM memories WHERE type=? AND status='active' AND valid_to IS NULL "
        "ORDER BY created_at DESC, id DESC LIMIT ?",
        (TYPE, SHOWN),
    ).fetchall()
    return memories.of_ids(db, sorted(int(row["id"]) for row in rows))


def rests_on(db: sqlite3.Connection, turn_ids: list[int]) -> bool:
    """Whether a way is held that rests on any of these turns."""
    return any(one.type == TYPE for one in memories.of_ids(db, memories.list_by_turns(db, turn_ids)))
