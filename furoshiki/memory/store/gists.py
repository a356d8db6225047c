"""What is on the mind for half an hour: notes of a conversation, and thoughts that passed while nobody was there.

They are no memories: nothing is learned from them, and when their time is over they are gone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, cast

from furoshiki.core.database.rows import clean, first, from_row, insert, marks, to_row
from furoshiki.core.timestamps import stamp

LIFE = timedelta(minutes=30)

LONGEST = 500
"""Characters of one that are kept."""

Source = Literal["user", "drift"]
"""Whether it was noted in a conversation, or came up while nobody was there."""

Kind = Literal["note", "reflection", "question", "hypothesis"]


@dataclass(frozen=True)
class Gist:
    """One of them. `rests_on` names what it came from ("turn:12", "memory:3", or a turn's key, "inbox:7"): it goes
    with any of them. `id` is 0 until it is kept; `shown_at` is when a mind was first told of it."""

    source_tag: Source
    kind: Kind
    text: str
    created_at: datetime
    rests_on: tuple[str, ...] = ()
    session_id: str | None = None
    shown_at: datetime | None = None
    id: int = 0


def add(db: sqlite3.Connection, gist: Gist) -> int:
    """Keep it for half an hour from `created_at`; the same words again live on from then. Returns its row."""
    text, expires = clean(gist.text.strip())[:LONGEST], stamp(gist.created_at + LIFE)
    held = db.execute(
        "UPDATE gists SET expires_at=? WHERE text=? AND source_tag=? AND expires_at>? RETURNING id",
        (expires, text, gist.source_tag, stamp(gist.created_at)),
    ).fetchone()
    if held is not None:
        return int(held["id"])
    return cast(int, insert(db, "gists", to_row(gist, "id", text=text, expires_at=expires)))


def get(db: sqlite3.Connection, gist_id: int) -> Gist | None:
    """One of them, also when its time is over; None when there is none of that id."""
    return first(db.execute("SELECT * FROM gists WHERE id=?", (gist_id,)), lambda row: from_row(Gist, row))


def current(db: sqlite3.Connection, now: datetime, limit: int = 5) -> list[Gist]:
    """The newest whose time is not over, newest first."""
    rows = db.execute(
        "SELECT * FROM gists WHERE expires_at>? AND created_at<=? ORDER BY id DESC LIMIT ?",
        (stamp(now), stamp(now), limit),
    )
    return [from_row(Gist, row) for row in rows]


def mark_shown(db: sqlite3.Connection, ids: Collection[int], now: datetime) -> int:
    """Note that a mind was told of these; returns how many it was told of for the first time."""
    question = f"UPDATE gists SET shown_at=? WHERE shown_at IS NULL AND id IN ({marks(list(ids))})"  # noqa: S608
    return db.execute(question, (stamp(now), *ids)).rowcount
