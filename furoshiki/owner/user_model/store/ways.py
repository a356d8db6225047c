"""Storage of the user's instructions for how the companion does things (procedural memories)."""

import sqlite3
from datetime import datetime

from furoshiki.core.database.rows import find_values
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory

TYPE = "procedural"
SHOWN = 12  # the latest instructions that are shown to the model


def list_current(db: sqlite3.Connection) -> list[Memory]:
    """Return current instructions, oldest first."""
    query = (
        "SELECT id FROM memories WHERE type=? AND status='active' AND valid_to IS NULL "
        "ORDER BY created_at DESC, id DESC LIMIT ?"
    )
    return memories.of_ids(db, sorted(find_values(db, query, TYPE, SHOWN)))


def were_read(db: sqlite3.Connection, turn_ids: list[int], now: datetime) -> bool:
    """Whether an instruction cites any of these turns: in the user's own words, or kept before `now`."""
    citing = memories.of_ids(db, memories.list_by_turns(db, turn_ids))
    return any(way.type == TYPE and (way.subject is None or way.created_at < now) for way in citing)
