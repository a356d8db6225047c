"""Thoughts that wait to be spoken: one queue, each thought once."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta

from furoshiki.domain.when import stamp
from furoshiki.storage.rows import clean, insert

LIVES_DAYS = 7

_CLOSED = (
    "(coalesce(source, '') LIKE 'self_questions:%' AND NOT EXISTS (SELECT 1 FROM self_questions "
    "WHERE self_questions.id=CAST(substr(mind_queue.source, 16) AS INTEGER) AND self_questions.state='user_required'))"
)
"""What asks a self-question that is answered, merged or gone."""


def add(
    db: sqlite3.Connection,
    kind: str,
    summary: str,
    dedupe_key: str,
    now: datetime,
    *,
    priority: int = 3,
    detail: str | None = None,
    source: str | None = None,
    not_before: datetime | None = None,
) -> int | None:
    """Queue a thought for up to 7 days; None when the same thought (dedupe_key) was there already."""
    row = {
        "kind": kind,
        "priority": priority,
        "summary": clean(summary),
        "detail": detail,
        "dedupe_key": dedupe_key,
        "source": source,
        "not_before": None if not_before is None else stamp(not_before),
        "expires_at": stamp(now + timedelta(days=LIVES_DAYS)),
        "created_at": stamp(now),
    }
    return insert(db, "mind_queue", row, or_ignore=True)


def waiting(db: sqlite3.Connection, now: datetime, limit: int = 5) -> list[str]:
    """Summaries of what waits to be said, most pressing first; nothing whose question is no longer open."""
    rows = db.execute(
        "SELECT summary FROM mind_queue WHERE state='pending' AND expires_at>:now "  # noqa: S608 - our own words
        f"AND (not_before IS NULL OR not_before<=:now) AND NOT {_CLOSED} ORDER BY priority, id LIMIT :limit",
        {"now": stamp(now), "limit": limit},
    ).fetchall()
    return [row["summary"] for row in rows]


def settle(db: sqlite3.Connection, dedupe_key: str) -> bool:
    """A thought need not be said any more; True when it was waiting."""
    done = db.execute("UPDATE mind_queue SET state='dropped' WHERE dedupe_key=? AND state='pending'", (dedupe_key,))
    return done.rowcount == 1


def count_pending(db: sqlite3.Connection) -> int:
    """How many thoughts wait."""
    return int(db.execute("SELECT count(*) FROM mind_queue WHERE state='pending'").fetchone()[0])


def expire(db: sqlite3.Connection, now: datetime) -> int:
    """Let go of thoughts whose time is over; answers how many."""
    return db.execute(
        "UPDATE mind_queue SET state='expired' WHERE state='pending' AND expires_at<=?", (stamp(now),)
    ).rowcount


def expire_closed(db: sqlite3.Connection) -> int:
    """Let go of thoughts that ask what is no longer open; answers how many. Whoever sends one calls this first."""
    return db.execute(f"UPDATE mind_queue SET state='expired' WHERE state='pending' AND {_CLOSED}").rowcount  # noqa: S608
