"""The user's feelings in each session and what caused them, one row per session."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.database.rows import from_row, insert_if_new, to_row
from furoshiki.core.timestamps import stamp


@dataclass(frozen=True)
class EmotionalWeight:
    """One session. `feelings` are shares by category; valence is in [-1, 1], the rest in [0, 1].

    `at` is when it was read. `note` is one sentence on what moved the user, or ""; `turn_ids` are
    the user's messages used as evidence.
    """

    session_id: str
    at: datetime
    feelings: Mapping[str, float]
    valence: float
    intensity: float
    connection_quality: float
    warmth: float
    note: str
    turn_ids: tuple[int, ...]


def add(db: sqlite3.Connection, weight: EmotionalWeight) -> int | None:
    """Store a session's row; return None if it has one."""
    feelings = {name: round(share, 3) for name, share in weight.feelings.items()}
    row = to_row(weight, feelings=feelings, valence=round(weight.valence, 3), intensity=round(weight.intensity, 3))
    return insert_if_new(db, "emotional_weights", row)


def since(db: sqlite3.Connection, moment: datetime) -> list[EmotionalWeight]:
    """Return the rows of sessions read after a time, oldest first."""
    rows = db.execute("SELECT * FROM emotional_weights WHERE at>? ORDER BY at, id", (stamp(moment),))
    return [from_row(EmotionalWeight, row) for row in rows]
