"""One document per finished session: what it was about, and the words themselves."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta

from furoshiki.domain.when import parse, stamp
from furoshiki.storage.rows import clean, dump, insert, load


@dataclass(frozen=True)
class SessionDocument:
    """A finished session. quality, warmth in [0, 1]; authentic, grounded 1–5 or None."""

    session_id: str
    started_at: datetime
    ended_at: datetime
    topics: tuple[str, ...]
    document: str
    connection_quality: float | None
    warmth: float | None


def add(
    db: sqlite3.Connection,
    session: SessionDocument,
    authentic: int | None = None,
    grounded: int | None = None,
) -> int | None:
    """Keep the document of a session; None when it has one already."""
    row = {
        "session_id": session.session_id,
        "started_at": stamp(session.started_at),
        "ended_at": stamp(session.ended_at),
        "topics": dump(list(session.topics)),
        "document": clean(session.document),
        "connection_quality": session.connection_quality,
        "warmth": session.warmth,
        "authentic": authentic,
        "grounded": grounded,
    }
    return insert(db, "sessions", row, or_ignore=True)


def has(db: sqlite3.Connection, session_id: str) -> bool:
    """Whether a session has its document."""
    return db.execute("SELECT 1 FROM sessions WHERE session_id=?", (session_id,)).fetchone() is not None


def latest(db: sqlite3.Connection, limit: int = 5) -> list[SessionDocument]:
    """The newest session documents, newest first."""
    rows = db.execute("SELECT * FROM sessions ORDER BY ended_at DESC LIMIT ?", (limit,)).fetchall()
    return [_session(row) for row in rows]


def of_row(db: sqlite3.Connection, row_id: int) -> SessionDocument | None:
    """The document that recall calls "session:<row>"; None when there is none."""
    row = db.execute("SELECT * FROM sessions WHERE id=?", (row_id,)).fetchone()
    return None if row is None else _session(row)


READING_FAILED = "reading_failed"
"""The event of a session whose reading came to nothing."""

LONGEST_WAIT = timedelta(days=1)


def unwritten(db: sqlite3.Connection, quiet_since: datetime) -> list[str]:
    """Live sessions that ended before `quiet_since` and have no document yet, oldest first."""
    rows = db.execute(
        "SELECT session_id FROM turns WHERE source='live' GROUP BY session_id HAVING max(at)<=? "
        "AND session_id NOT IN (SELECT session_id FROM sessions) ORDER BY max(id)",
        (stamp(quiet_since),),
    ).fetchall()
    return [row["session_id"] for row in rows]


def to_read(db: sqlite3.Connection, now: datetime, quiet: timedelta) -> list[str]:
    """Unwritten sessions that have been quiet for so long, oldest first, those that failed only when it is their time.

    After each failed reading a session waits twice as long as before, `quiet` at first and a day at most: an answer
    that is never usable would otherwise be paid for 72 times a day.
    """
    waiting = unwritten(db, now - quiet)
    if not waiting:
        return []
    failed = {
        row["session"]: (int(row["times"]), parse(row["last"]))
        for row in db.execute(
            "SELECT json_extract(payload, '$.session') AS session, count(*) AS times, max(created_at) AS last "
            "FROM system_events WHERE kind=? GROUP BY session",
            (READING_FAILED,),
        )
    }
    return [
        one
        for one in waiting
        if one not in failed or now - failed[one][1] >= min(quiet * 2 ** min(failed[one][0] - 1, 16), LONGEST_WAIT)
    ]


def _session(row: sqlite3.Row) -> SessionDocument:
    return SessionDocument(
        session_id=row["session_id"],
        started_at=parse(row["started_at"]),
        ended_at=parse(row["ended_at"]),
        topics=tuple(load(row["topics"])),
        document=row["document"],
        connection_quality=row["connection_quality"],
        warmth=row["warmth"],
    )
