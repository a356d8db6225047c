"""What the companion would like to know. Each question once; triage decides who can answer it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from furoshiki.domain.when import stamp
from furoshiki.storage.rows import dump, insert, load


@dataclass(frozen=True)
class Curiosity:
    """A question, and the turns that raised it."""

    id: int
    text: str
    cited: tuple[int, ...]


def add(db: sqlite3.Connection, entry_id: int | None, text: str, cited: Sequence[int], now: datetime) -> int | None:
    """Keep a question; None when it is there already, in whatever state."""
    row = {"entry_id": entry_id, "text": text, "cited": dump(list(cited)), "created_at": stamp(now)}
    return insert(db, "curiosities", row, or_ignore=True)


def pending(db: sqlite3.Connection, limit: int = 50) -> list[Curiosity]:
    """Questions nobody has looked into yet, oldest first."""
    rows = db.execute("SELECT * FROM curiosities WHERE state='pending' ORDER BY id LIMIT ?", (limit,)).fetchall()
    return [Curiosity(row["id"], row["text"], tuple(load(row["cited"]))) for row in rows]


def get(db: sqlite3.Connection, curiosity_id: int) -> Curiosity | None:
    """One question."""
    row = db.execute("SELECT * FROM curiosities WHERE id=?", (curiosity_id,)).fetchone()
    return None if row is None else Curiosity(row["id"], row["text"], tuple(load(row["cited"])))
