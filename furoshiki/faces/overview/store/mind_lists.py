"""Queries of the page Mind: expiry of waiting thoughts, and past thoughts."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.database.rows import from_row, marks
from furoshiki.core.timestamps import parse


def waits_until(db: sqlite3.Connection, ids: Sequence[int]) -> dict[int, datetime]:
    """Map the id of each of these thoughts to the moment it expires unsaid."""
    rows = db.execute(f"SELECT id, expires_at FROM mind_queue WHERE id IN ({marks(ids)})", tuple(ids))  # noqa: S608
    return {int(row["id"]): parse(row["expires_at"]) for row in rows}


@dataclass(frozen=True)
class Gone:
    """A past thought. `state` is "sent", "expired" or "dropped"."""

    id: int
    kind: str
    summary: str
    state: str
    at: datetime


def read_gone(db: sqlite3.Connection, limit: int) -> list[Gone]:
    """Return the newest thoughts that were said or dropped, newest first."""
    rows = db.execute(
        "SELECT id, kind, summary, state, coalesce(sent_at, created_at) AS at FROM mind_queue "
        "WHERE state NOT IN ('pending', 'drafted') ORDER BY id DESC LIMIT ?",
        (limit,),
    )
    return [from_row(Gone, row) for row in rows]
