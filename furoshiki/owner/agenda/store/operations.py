"""Work that outlives a turn: pending, then completed or failed, then read, harvested and archived.

What failed stays `failed` when it has been read: there is nothing to harvest.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import cast

from furoshiki.core.database.rows import clean, from_row, insert
from furoshiki.core.timestamps import stamp

ARCHIVE_AFTER_DAYS = 7

IMPORT = "import"
"""The kind of reading an import: a job does it, run after run, and no restart of the listener ends it."""

INTERRUPTED = "interrupted by a restart"
"""The result of work whose process went away."""

UNSAID = "interrupted by a restart while they wanted quiet"
"""The same where nobody was told yet: it is told after the quiet."""


@dataclass(frozen=True)
class Operation:
    """A piece of longer work, begun in a conversation, and what came of it."""

    id: int
    kind: str
    title: str
    channel: str
    chat_id: str
    state: str
    result: str | None
    created_at: datetime


def begin(db: sqlite3.Connection, kind: str, title: str, channel: str, chat_id: str, now: datetime) -> int:
    """Note that a longer work has begun; returns its id."""
    row = {"kind": kind, "title": title, "channel": channel, "chat_id": chat_id, "created_at": stamp(now)}
    return cast(int, insert(db, "operations", row))


def end(db: sqlite3.Connection, operation_id: int, ok: bool, result: str, now: datetime) -> None:
    """The work is over; its result waits to be read in the next turn."""
    db.execute(
        "UPDATE operations SET state=?, result=?, finished_at=? WHERE id=? AND state='pending'",
        ("completed" if ok else "failed", clean(result), stamp(now), operation_id),
    )


def in_progress(db: sqlite3.Connection, kind: str, title: str) -> int | None:
    """The id of work of this kind and title that has not ended; None when there is none."""
    row = db.execute(
        "SELECT id FROM operations WHERE state='pending' AND kind=? AND title=? ORDER BY id DESC", (kind, title)
    ).fetchone()
    return None if row is None else int(row["id"])


def active(db: sqlite3.Connection) -> list[Operation]:
    """What is being worked on and what has ended unread, oldest first."""
    rows = db.execute(
        "SELECT * FROM operations WHERE state IN ('pending', 'completed', 'failed') AND read_at IS NULL ORDER BY id"
    ).fetchall()
    return list(map(_read_operation, rows))


def latest(db: sqlite3.Connection, limit: int) -> list[Operation]:
    """Return the operations begun last, newest first."""
    return list(map(_read_operation, db.execute("SELECT * FROM operations ORDER BY id DESC LIMIT ?", (limit,))))


def unread(db: sqlite3.Connection, before: datetime, state: str) -> list[Operation]:
    """What ended so before a moment and nobody has seen, oldest first: neither in a turn nor in a message of its own.

    What a restart interrupted was said then.
    """
    rows = db.execute(
        "SELECT * FROM operations WHERE state=? AND read_at IS NULL AND finished_at<=? AND result!=? AND NOT EXISTS "
        "(SELECT 1 FROM outbox WHERE turn_key='operation:' || operations.id) ORDER BY id",
        (state, stamp(before), INTERRUPTED),
    )
    return list(map(_read_operation, rows))


def mark_read(db: sqlite3.Connection, ids: tuple[int, ...], now: datetime) -> None:
    """The mind has seen these results in a finished turn."""
    for operation_id in ids:
        db.execute(
            "UPDATE operations SET state=CASE state WHEN 'completed' THEN 'read' ELSE state END, read_at=? "
            "WHERE id=? AND state IN ('completed', 'failed') AND read_at IS NULL",
            (stamp(now), operation_id),
        )


def fail_orphans(db: sqlite3.Connection, now: datetime, result: str = INTERRUPTED) -> list[Operation]:
    """End at start-up, with this `result`, the work of a listener that died. Returns it, so that
    the user hears about it once."""
    rows = db.execute("SELECT * FROM operations WHERE state='pending' AND kind!=? ORDER BY id", (IMPORT,)).fetchall()
    db.execute(
        "UPDATE operations SET state='failed', result=?, finished_at=? WHERE state='pending' AND kind!=?",
        (result, stamp(now), IMPORT),
    )
    return list(map(_read_operation, rows))


def list_unharvested(db: sqlite3.Connection) -> list[Operation]:
    """What was completed and has been read, and is no memory yet, oldest first."""
    rows = db.execute("SELECT * FROM operations WHERE state='read' ORDER BY id").fetchall()
    return list(map(_read_operation, rows))


def mark_harvested(db: sqlite3.Connection, operation_id: int, now: datetime) -> bool:
    """Mark it as remembered; False when it was already."""
    done = db.execute(
        "UPDATE operations SET state='harvested', harvested_at=? WHERE id=? AND state='read'",
        (stamp(now), operation_id),
    )
    return done.rowcount == 1


def archive(db: sqlite3.Connection, before: datetime) -> int:
    """Put away what was read before a moment; returns how many."""
    return db.execute(
        "UPDATE operations SET state='archived' WHERE read_at IS NOT NULL AND state IN ('harvested', 'failed') "
        "AND finished_at<?",
        (stamp(before),),
    ).rowcount


_read_operation = partial(from_row, Operation)
