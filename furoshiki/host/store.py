"""What a home's database tells of its load, in figures."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.timestamps import stamp


@dataclass(frozen=True)
class Load:
    """How many messages there were, how many wait to be answered, and when the last one was."""

    messages: int
    waiting: int
    last_message_at: str | None


def load(db: sqlite3.Connection, since: datetime) -> Load:
    """The load of a home since a moment."""
    messages, last = db.execute("SELECT count(*), max(at) FROM turns WHERE at>=?", (stamp(since),)).fetchone()
    [waiting] = db.execute("SELECT count(*) FROM inbox WHERE state IN ('pending', 'processing')").fetchone()
    return Load(messages, waiting, last)
