"""Anticipations: guesses about the user's needs and their times; judged afterwards."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Literal

from furoshiki.core.database.rows import Table, change_rows, find_value, from_row, insert
from furoshiki.core.timestamps import stamp

# a conversation that ended in time is read a little later, and may still settle a guess
GRACE = timedelta(hours=1)


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


_TABLE = Table("anticipations", partial(from_row, Anticipation))
get, newest = _TABLE.get, _TABLE.newest


def add(
    db: sqlite3.Connection,
    entry_id: int,
    text: str,
    reason: str,
    cited: Sequence[int],
    expected_at: datetime,
    expires_at: datetime,
    now: datetime,
) -> int:
    """Store a guess; return its id."""
    row = {
        "entry_id": entry_id,
        "text": text,
        "reason": reason,
        "cited": cited,
        "expected_at": expected_at,
        "expires_at": expires_at,
        "created_at": now,
    }
    return insert(db, "anticipations", row)


def open_(db: sqlite3.Connection, now: datetime) -> list[Anticipation]:
    """Return guesses that are neither judged nor expired, the next one first."""
    return _TABLE.select(db, "state='open' AND expires_at>? ORDER BY expected_at, id", stamp(now))


def list_pending(db: sqlite3.Connection, moment: datetime) -> list[Anticipation]:
    """Return ten unjudged guesses that were open at a session's start, the next one first."""
    where = "state='open' AND created_at<?1 AND expires_at>?1 ORDER BY expected_at, id LIMIT 10"
    return _TABLE.select(db, where, stamp(moment))


def count_due(db: sqlite3.Connection, after: datetime, until: datetime) -> int:
    """Return the number of open guesses for a time between two."""
    query = "SELECT count(*) FROM anticipations WHERE state='open' AND expected_at>? AND expected_at<=?"
    return int(find_value(db, query, stamp(after), stamp(until)))


def judge(
    db: sqlite3.Connection, anticipation_id: int, state: Literal["hit", "miss"], session_id: str, now: datetime
) -> bool:
    """Store the verdict on a guess in a session; return False if it was judged before."""
    query = "UPDATE anticipations SET state=?, session_id=?, judged_at=? WHERE id=? AND state='open'"
    return change_rows(db, query, state, session_id, stamp(now), anticipation_id) == 1


def expire(db: sqlite3.Connection, now: datetime) -> int:
    """Expire guesses whose time was over an hour ago without a verdict; return their number."""
    query = "UPDATE anticipations SET state='expired', judged_at=:now WHERE state='open' AND expires_at<=:before"
    return change_rows(db, query, {"now": stamp(now), "before": stamp(now - GRACE)})
