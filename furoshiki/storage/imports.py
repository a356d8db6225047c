"""Turns that were said elsewhere and taken in from a file."""

from __future__ import annotations

import sqlite3

from furoshiki.domain.conversation import NewTurn
from furoshiki.domain.when import stamp
from furoshiki.storage import turns
from furoshiki.storage.rows import clean


def add(db: sqlite3.Connection, turn: NewTurn) -> int | None:
    """Keep an imported turn; None when it is there already, under this import's id or word for word under another's."""
    known = db.execute(
        "SELECT 1 FROM turns WHERE source = ? AND import_id = ? UNION ALL "
        "SELECT 1 FROM turns WHERE at = ? AND import_id = ? AND speaker = ? AND text = ? LIMIT 1",
        (turn.source, turn.import_id, stamp(turn.at), turn.import_id, turn.speaker, clean(turn.text)),
    ).fetchone()
    return None if known else turns.add(db, turn)
