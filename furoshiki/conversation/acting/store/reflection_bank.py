"""Corrections of the companion's own answers, shown before it answers similar messages.

A correction is deleted with its turn.
"""

import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.database.rows import Table, clean, from_row, insert, marks
from furoshiki.core.similarity import Vector, halves, of_halves
from furoshiki.core.timestamps import stamp

CORRECTION = "correction"

NEWEST = 12
"""Number of newest corrections compared by meaning."""

BY_WORDS = 24
MOST_WORDS = 8
"""Number of corrections found by shared words, and of the message's words used for that."""

LONGEST = 400
"""Maximum characters stored of a correction and of its subject."""


@dataclass(frozen=True)
class Kept:
    """A correction: its subject, the advice, and the subject's vector by some encoder. `shown`
    counts how often a model saw it."""

    id: int
    focus: str
    text: str
    vector: tuple[float, ...] = ()
    model: str | None = None
    shown: int = 0
    created_at: str = ""


def _read(row: sqlite3.Row) -> Kept:
    blob = row["embedding"]
    return from_row(Kept, row, vector=of_halves(blob) if blob else (), model=row["embed_model"])


_TABLE = Table("reflection_bank", _read)
newest = _TABLE.newest


def add(
    db: sqlite3.Connection, focus: str, text: str, turn_id: int, vector: Vector, model: str | None, now: datetime
) -> None:
    """Store a correction, once per turn. `vector` is that of `focus`, empty if unavailable."""
    if db.execute("SELECT 1 FROM reflection_bank WHERE turn_id=?", (turn_id,)).fetchone() is not None:
        return
    blob = halves(vector) if vector and model else None
    row = {
        "type": CORRECTION,
        "focus": clean(focus)[:LONGEST],
        "text": clean(text)[:LONGEST],
        "turn_id": turn_id,
        "embedding": blob,
        "embed_model": model if blob else None,
        "created_at": stamp(now),
    }
    insert(db, "reflection_bank", row)


def perhaps_near(db: sqlite3.Connection, words: Sequence[str]) -> list[Kept]:
    """Return corrections that share a word with the message, and the newest."""
    sharing = [f"%{word}%" for word in words[:MOST_WORDS]]
    found = _TABLE.select(db, "type=? ORDER BY id DESC LIMIT ?", CORRECTION, NEWEST)
    if sharing:
        like = " OR ".join(["focus || ' ' || text LIKE ?"] * len(sharing))
        where = f"type=? AND ({like}) ORDER BY id DESC LIMIT ?"
        found = [*_TABLE.select(db, where, CORRECTION, *sharing, BY_WORDS), *found]
    return list({kept.id: kept for kept in found}.values())


def record_use(db: sqlite3.Connection, ids: Collection[int], now: datetime) -> None:
    """Count that a model was shown these corrections."""
    question = f"UPDATE reflection_bank SET shown=shown+1, shown_at=? WHERE id IN ({marks(list(ids))})"  # noqa: S608
    db.execute(question, (stamp(now), *ids))
