"""One document per finished session: its topics and its full text."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from furoshiki.core.database import kv
from furoshiki.core.database.rows import Table, find_value, find_values, from_row, has_row, insert_if_new, to_row
from furoshiki.core.timestamps import parse, stamp

# the SQL condition on `sessions` for those in which they talked: not a reminder alone
TALKS = "(json_array_length(topics)>0 OR connection_quality IS NOT NULL)"

# prefix of `kv` keys with the result for a part of a session that is not read completely
READ_IN_PARTS = "reading.part:"


@dataclass(frozen=True)
class SessionDocument:
    """A finished session. `connection_quality` and `warmth` are in [0, 1] or None."""

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
    """Store the document of a session; return None if it has one already. `authentic` and
    `grounded` are 1–5 or None."""
    return insert_if_new(db, "sessions", to_row(session, authentic=authentic, grounded=grounded))


def has(db: sqlite3.Connection, session_id: str) -> bool:
    """Whether a session has its document."""
    return has_row(db, "SELECT 1 FROM sessions WHERE session_id=?", session_id)


def latest(db: sqlite3.Connection, limit: int = 5) -> list[SessionDocument]:
    """Return the newest documents of talks, newest first: not of a reminder that went out alone."""
    return _TABLE.select(db, f"{TALKS} ORDER BY ended_at DESC, id DESC LIMIT ?", limit)


def between(db: sqlite3.Connection, start: datetime, end: datetime) -> list[SessionDocument]:
    """Return the documents of sessions that reach into [start, end), oldest first."""
    return _TABLE.select(db, "ended_at>=? AND started_at<? ORDER BY started_at", stamp(start), stamp(end))


def of_row(db: sqlite3.Connection, row_id: int) -> SessionDocument | None:
    """Return the document that recall calls "session:<row>", or None."""
    return _TABLE.get(db, row_id)


READING_FAILED = "reading_failed"  # the event of a session whose reading failed

LONGEST_WAIT = timedelta(days=1)
# the longest pause after a failed reading is LONGEST_WAIT; failures count for this long
FAILURES_COUNT = timedelta(days=14)


# the `kv` key of the turn up to which every session has its document
WRITTEN_TO = "sessions.written_to"

_SINCE = f"""
SELECT session_id, min(id) AS first FROM turns INDEXED BY turns_live WHERE source='live'
AND id>coalesce((SELECT json_extract(value, '$') FROM kv WHERE key='{WRITTEN_TO}'), 0) GROUP BY session_id
"""  # noqa: S608


def unwritten(db: sqlite3.Connection, quiet_since: datetime) -> list[str]:
    """Return live sessions that ended before `quiet_since` without a document, oldest first."""
    over = "HAVING max(at)<=? AND session_id NOT IN (SELECT session_id FROM sessions) ORDER BY max(id)"
    return find_values(db, f"{_SINCE} {over}", stamp(quiet_since))


def advance_mark(db: sqlite3.Connection, now: datetime) -> None:
    """Advance the mark of written sessions to the first one without a document."""
    query = f"SELECT min(first) FROM ({_SINCE} HAVING session_id NOT IN (SELECT session_id FROM sessions))"  # noqa: S608
    first = find_value(db, query)
    newest = find_value(db, "SELECT max(id) FROM turns INDEXED BY turns_live WHERE source='live'")
    mark = (newest or 0) if first is None else int(first) - 1
    if mark > int(kv.get(db, WRITTEN_TO, 0)):
        kv.put(db, WRITTEN_TO, mark, now)


def to_read(db: sqlite3.Connection, now: datetime, quiet: timedelta) -> list[str]:
    """Return unwritten sessions, quiet this long and with no pause left, oldest first.

    After each failed reading the pause doubles, from `quiet` up to a day: an answer that is never
    usable would otherwise be paid for 72 times a day.
    """
    waiting = unwritten(db, now - quiet)
    if not waiting:
        return []
    failed = {
        row["session"]: (int(row["times"]), parse(row["last"]))
        for row in db.execute(
            "SELECT json_extract(payload, '$.session') AS session, count(*) AS times, max(created_at) AS last "
            "FROM system_events WHERE kind=? AND created_at>=? GROUP BY session",
            (READING_FAILED, stamp(now - FAILURES_COUNT)),
        )
    }
    return [
        one
        for one in waiting
        if one not in failed or now - failed[one][1] >= min(quiet * 2 ** min(failed[one][0] - 1, 16), LONGEST_WAIT)
    ]


_TABLE = Table("sessions", partial(from_row, SessionDocument))
