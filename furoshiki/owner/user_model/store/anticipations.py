"""Anticipations: guesses about the user's needs and their times; judged afterwards."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Literal

from furoshiki.core.database.rows import dump, first, from_row, insert
from furoshiki.core.timestamps import stamp

GRACE = timedelta(hours=1)
"""A conversation that ended in time is read a little later, and may still settle a guess."""


@dataclass(frozen=True)
class Anticipation:
    """A guess: the need, the reason (with cited turns), from when, and until when it is useful."""

    id: int
    text: str
    reason: str
    cited: tuple[int, ...]
    expected_at: datetime
    expires_at: datetime
    state: str


def add(
    db: sqlite3.Connection,
    entry_id: int,
    text: str,
    reason: str,
    cited: Sequence[int],
    expected_at: datetime,
    expires_at: datetime,
    now: datetime,
) -> int | None:
    """Store a guess; return its id."""
    row = {
        "entry_id": entry_id,
        "text": text,
        "reason": reason,
        "cited": dump(list(cited)),
        "expected_at": stamp(expected_at),
        "expires_at": stamp(expires_at),
        "created_at": stamp(now),
    }
    return insert(db, "anticipations", row)


def get(db: sqlite3.Connection, anticipation_id: int) -> Anticipation | None:
    """Return a guess by its id, in any state."""
    return first(db.execute("SELECT * FROM anticipations WHERE id=?", (anticipation_id,)), _read_anticipation)


def open_(db: sqlite3.Connection, now: datetime) -> list[Anticipation]:
    """Return guesses that are neither judged nor expired, the next one first."""
    rows = db.execute(
        "SELECT * FROM anticipations WHERE state='open' AND expires_at>? ORDER BY expected_at, id", (stamp(now),)
    ).fetchall()
    return list(map(_read_anticipation, rows))


def newest(db: sqlite3.Connection, limit: int, before: int | None = None) -> list[Anticipation]:
    """Return guesses in any state, newest first: ids below `before`, at most `limit`."""
    below = "" if before is None else "WHERE id<:before"
    rows = db.execute(
        f"SELECT * FROM anticipations {below} ORDER BY id DESC LIMIT :limit",  # noqa: S608 - our own words
        {"before": before, "limit": limit},
    ).fetchall()
    return list(map(_read_anticipation, rows))


def list_pending(db: sqlite3.Connection, moment: datetime, limit: int = 10) -> list[Anticipation]:
    """Return unjudged guesses that were open at a session's start, the next one first."""
    rows = db.execute(
        "SELECT * FROM anticipations WHERE state='open' AND created_at<:at AND expires_at>:at "
        "ORDER BY expected_at, id LIMIT :limit",
        {"at": stamp(moment), "limit": limit},
    ).fetchall()
    return list(map(_read_anticipation, rows))


def count_due(db: sqlite3.Connection, after: datetime, until: datetime) -> int:
    """Return the number of open guesses for a time between two."""
    found = db.execute(
        "SELECT count(*) FROM anticipations WHERE state='open' AND expected_at>? AND expected_at<=?",
        (stamp(after), stamp(until)),
    )
    return int(found.fetchone()[0])


def judge(
    db: sqlite3.Connection, anticipation_id: int, state: Literal["hit", "miss"], session_id: str, now: datetime
) -> bool:
    """Store the verdict on a guess in a session; return False if it was judged before."""
    done = db.execute(
        "UPDATE anticipations SET state=?, session_id=?, judged_at=? WHERE id=? AND state='open'",
        (state, session_id, stamp(now), anticipation_id),
    )
    return done.rowcount == 1


def expire(db: sqlite3.Connection, now: datetime) -> int:
    """Expire guesses whose time was over an hour ago without a verdict; return their number."""
    return db.execute(
        "UPDATE anticipations SET state='expired', judged_at=:now WHERE state='open' AND expires_at<=:before",
        {"now": stamp(now), "before": stamp(now - GRACE)},
    ).rowcount


_read_anticipation = partial(from_row, Anticipation)
