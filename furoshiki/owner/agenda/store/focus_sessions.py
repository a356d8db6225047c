"""The user's current focus session: its topic and end; at most one."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.database import kv
from furoshiki.core.database.rows import from_row, to_row
from furoshiki.core.timestamps import parse

KEY = "focus.session"


@dataclass(frozen=True)
class FocusSession:
    """A focus session. `topic` may be empty; `vector` is the topic's, empty if unavailable;
    `strayed` counts messages about other subjects."""

    topic: str
    since: datetime
    until: datetime
    vector: tuple[float, ...] = ()
    strayed: int = 0


def current(db: sqlite3.Connection, now: datetime) -> FocusSession | None:
    """Return the current session, or None."""
    session = kv.get(db, KEY)
    if session is None or parse(session["until"]) <= now:
        return None
    return from_row(FocusSession, session, vector=tuple(session["vector"]))


def keep(db: sqlite3.Connection, session: FocusSession, now: datetime) -> None:
    """Start a session, replacing a current one."""
    vector = [round(number, 4) for number in session.vector]
    kv.put(db, KEY, to_row(session, "vector") | {"vector": vector}, now)


def mark_strayed(db: sqlite3.Connection, now: datetime) -> None:
    """Count a message about another subject."""
    session = kv.get(db, KEY)
    if session is not None:
        kv.put(db, KEY, {**session, "strayed": session["strayed"] + 1}, now)


def end(db: sqlite3.Connection) -> None:
    kv.drop(db, KEY)
