"""Short-lived notes (half an hour) from conversations and from idle wandering.

They are not memories: nothing is learned from them, and they expire.
"""

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Literal

from furoshiki.core.database.rows import Table, change_rows, find_value, from_row, insert, marks, to_row
from furoshiki.core.framing import clean
from furoshiki.core.timestamps import stamp

LIFE = timedelta(minutes=30)

LONGEST = 500  # characters of a note that are stored

Source = Literal["user", "drift"]  # whether it was noted in a conversation or during idle wandering

Kind = Literal["note", "reflection", "question", "hypothesis"]


@dataclass(frozen=True)
class Gist:
    """A note. `rests_on` names its sources ("turn:12", "memory:3", or a turn's key, "inbox:7"): it
    is deleted with any of them. `id` is 0 until it is stored; `shown_at` is when a model first saw
    it."""

    source_tag: Source
    kind: Kind
    text: str
    created_at: datetime
    rests_on: tuple[str, ...] = ()
    session_id: str | None = None
    shown_at: datetime | None = None
    id: int = 0


_TABLE = Table("gists", partial(from_row, Gist))
get = _TABLE.get


def add(db: sqlite3.Connection, gist: Gist) -> int:
    """Store a note until half an hour after `created_at`, or extend an equal one; return its id."""
    text, expires = clean(gist.text.strip())[:LONGEST], stamp(gist.created_at + LIFE)
    query = "UPDATE gists SET expires_at=? WHERE text=? AND source_tag=? AND expires_at>? RETURNING id"
    gist_id: int | None = find_value(db, query, expires, text, gist.source_tag, stamp(gist.created_at))
    if gist_id is not None:
        return gist_id
    return insert(db, "gists", to_row(gist, "id", text=text, expires_at=expires))


def current(db: sqlite3.Connection, now: datetime, limit: int = 5) -> list[Gist]:
    """Return the notes that have not expired, newest first."""
    return _TABLE.select(db, "expires_at>?1 AND created_at<=?1 ORDER BY id DESC LIMIT ?2", stamp(now), limit)


def mark_shown(db: sqlite3.Connection, ids: Collection[int], now: datetime) -> int:
    """Mark notes as shown; return how many were shown for the first time."""
    question = f"UPDATE gists SET shown_at=? WHERE shown_at IS NULL AND id IN ({marks(list(ids))})"  # noqa: S608
    return change_rows(db, question, stamp(now), *ids)
