"""Is there anything to do? One question per script, asked before anything expensive is imported.

Each answers with the reason to run, or None. Only the standard library and the storage layer are imported here.
"""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta

from furoshiki.domain.conversation import SESSION_GAP_SECONDS
from furoshiki.storage import scratch, sessions, tasks

QUIET = timedelta(seconds=SESSION_GAP_SECONDS)
"""How long a conversation must have been quiet to be over."""


def soul_engine(_db: sqlite3.Connection, _now: datetime) -> str | None:
    """Feelings drift whatever happens."""
    return "time has passed"


def run_post_conversation(db: sqlite3.Connection, now: datetime) -> str | None:
    """Sessions that have been quiet for 20 minutes and were not read yet."""
    waiting = len(sessions.unwritten(db, now - QUIET))
    return f"{waiting} sessions are unread" if waiting else None


IDLE = timedelta(minutes=5)
"""After so long a silence what was said is judged; during a conversation the listener does it."""


def flush_scratch(db: sqlite3.Connection, now: datetime) -> str | None:
    """Things said that nobody has looked at for five minutes, or that will expire within the hour."""
    found = scratch.newest_fresh(db)
    if found is not None and now - found[1] >= IDLE:
        return f"{found[0]} things that were said wait to be judged"
    expiring = scratch.expire_soon(db, now + scratch.LAST_LOOK)
    return f"{expiring} things that waited a day must be decided" if expiring else None


def outreach_pulse(db: sqlite3.Connection, now: datetime) -> str | None:
    """Reminders whose time has come."""
    due = len(tasks.due(db, now))
    return f"{due} reminders are due" if due else None


def backup(_db: sqlite3.Connection, _now: datetime) -> str | None:
    """A backup is worth making whenever it is asked for."""
    return "a backup was asked for"
