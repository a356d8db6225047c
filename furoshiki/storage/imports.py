"""Turns that were said elsewhere and taken in from a file."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from furoshiki.domain.conversation import NewTurn
from furoshiki.domain.when import stamp
from furoshiki.storage import turns
from furoshiki.storage.rows import clean


def sources(db: sqlite3.Connection) -> list[str]:
    """The names of all imports so far, as `source` has them."""
    return [row[0] for row in db.execute("SELECT DISTINCT source FROM turns WHERE import_id IS NOT NULL")]


def add(db: sqlite3.Connection, turn: NewTurn, others: Sequence[str] = ()) -> int | None:
    """Keep an imported turn; None when it is there: under its own import, or word for word under one of `others`."""
    known = _find(db, turn.source, turn.import_id)
    same = (stamp(turn.at), turn.speaker, clean(turn.text))
    if known is not None or any(_find(db, other, turn.import_id) == same for other in others):
        return None
    return turns.add(db, turn)


def _find(db: sqlite3.Connection, source: str, import_id: str | None) -> tuple[str, str, str] | None:
    row = db.execute(
        "SELECT at, speaker, text FROM turns WHERE source = ? AND import_id = ?", (source, import_id)
    ).fetchone()
    return None if row is None else (row[0], row[1], row[2])
