"""What the user set out to focus on, and until when: one at a time."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.database import kv
from furoshiki.core.database.rows import from_row
from furoshiki.core.timestamps import parse, stamp

KEY = "focus.session"


@dataclass(frozen=True)
class FocusSession:
    """One of them. `topic` may be empty; `vector` is that of its words, empty where nobody could make one; `strayed`
    counts the messages that were about something else."""

    topic: str
    since: datetime
    until: datetime
    vector: tuple[float, ...] = ()
    strayed: int = 0


def current(db: sqlite3.Connection, now: datetime) -> FocusSession | None:
    """The session that is going on; None when there is none."""
    kept = kv.get(db, KEY)
    if kept is None or parse(kept["until"]) <= now:
        return None
    return from_row(FocusSession, kept, vector=tuple(kept["vector"]))


def keep(db: sqlite3.Connection, one: FocusSession, now: datetime) -> None:
    """Begin it, in place of one that is going on."""
    held = {"topic": one.topic, "since": stamp(one.since), "until": stamp(one.until), "strayed": one.strayed}
    kv.put(db, KEY, held | {"vector": [round(number, 4) for number in one.vector]}, now)


def mark_strayed(db: sqlite3.Connection, now: datetime) -> None:
    """A message was about something else."""
    kept = kv.get(db, KEY)
    if kept is not None:
        kv.put(db, KEY, {**kept, "strayed": kept["strayed"] + 1}, now)


def end(db: sqlite3.Connection) -> None:
    """Nothing is focused on any more."""
    kv.drop(db, KEY)
