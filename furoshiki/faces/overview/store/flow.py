"""Where messages are on their way, and what stood last at each step."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.database.rows import moment


@dataclass(frozen=True)
class Step:
    """One step on the way: how many messages are there now, and when the last one was."""

    now: int
    last: datetime | None


_QUESTIONS: Mapping[str, tuple[str, str]] = {
    "inbox": (
        "SELECT count(*) FROM inbox WHERE state='pending'",
        "SELECT enqueued_at FROM inbox ORDER BY id DESC LIMIT 1",
    ),
    "turn": (
        "SELECT count(*) FROM inbox WHERE state='processing'",
        "SELECT max(claimed_at) FROM (SELECT claimed_at FROM inbox ORDER BY id DESC LIMIT 50)",
    ),
    "journal": (
        "SELECT count(*) FROM turn_journal WHERE committed_at IS NULL",
        "SELECT max(written_at) FROM (SELECT written_at FROM turn_journal ORDER BY rowid DESC LIMIT 50)",
    ),
    "commit": (
        "SELECT 0",
        "SELECT committed_at FROM turn_journal WHERE committed_at IS NOT NULL ORDER BY committed_at DESC LIMIT 1",
    ),
    "outbox": (
        "SELECT count(*) FROM outbox WHERE state IN ('ready', 'sending')",
        "SELECT max(sent_at) FROM (SELECT sent_at FROM outbox ORDER BY id DESC LIMIT 50)",
    ),
}


def steps(db: sqlite3.Connection) -> dict[str, Step]:
    """Each step that leaves a row, by name."""
    return {name: Step(int(db.execute(now).fetchone()[0]), _when(db, last)) for name, (now, last) in _QUESTIONS.items()}


def _when(db: sqlite3.Connection, question: str) -> datetime | None:
    row = db.execute(question).fetchone()
    return None if row is None else moment(row[0])
