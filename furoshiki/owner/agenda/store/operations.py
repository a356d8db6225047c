"""Work that outlives a turn: pending, then completed or failed, then read, harvested and archived.

A failed operation stays `failed` after it is read: there is nothing to harvest.
"""

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from furoshiki.core.database.rows import Table, change_rows, find_value, from_row, insert
from furoshiki.core.framing import clean
from furoshiki.core.timestamps import stamp

ARCHIVE_AFTER_DAYS = 7

# the kind of an import: a job works on it in several runs, and a restart of the listener does not
# end it
IMPORT = "import"

INTERRUPTED = "interrupted by a restart"  # the result of an operation whose process died

# the same if nobody was informed yet: it is reported after the quiet
UNSAID = "interrupted by a restart while they wanted quiet"


@dataclass(frozen=True)
class Operation:
    """A piece of longer work, begun in a conversation, and its result."""

    id: int
    kind: str
    title: str
    channel: str
    chat_id: str
    state: str
    result: str | None
    created_at: datetime


_TABLE = Table("operations", partial(from_row, Operation))


def begin(db: sqlite3.Connection, kind: str, title: str, channel: str, chat_id: str, now: datetime) -> int:
    """Record that an operation has begun; return its id."""
    row = {"kind": kind, "title": title, "channel": channel, "chat_id": chat_id, "created_at": now}
    return insert(db, "operations", row)


def end(db: sqlite3.Connection, operation_id: int, ok: bool, result: str, now: datetime) -> None:
    """Record its end; its result is shown in the next turn."""
    query = "UPDATE operations SET state=?, result=?, finished_at=? WHERE id=? AND state='pending'"
    db.execute(query, ("completed" if ok else "failed", clean(result), stamp(now), operation_id))


def in_progress(db: sqlite3.Connection, kind: str, title: str) -> int | None:
    """Return the id of a pending operation of this kind and title, or None."""
    query = "SELECT id FROM operations WHERE state='pending' AND kind=? AND title=? ORDER BY id DESC"
    operation_id: int | None = find_value(db, query, kind, title)
    return operation_id


def active(db: sqlite3.Connection) -> list[Operation]:
    """Return pending operations and unread finished ones, oldest first."""
    return _TABLE.select(db, "state IN ('pending', 'completed', 'failed') AND read_at IS NULL ORDER BY id")


def latest(db: sqlite3.Connection, limit: int) -> list[Operation]:
    """Return the operations begun last, newest first."""
    return _TABLE.select(db, "1 ORDER BY id DESC LIMIT ?", limit)


def unread(db: sqlite3.Connection, before: datetime, state: str) -> list[Operation]:
    """Return operations that ended in this state before a time and were reported neither in a turn
    nor in a message, oldest first. Interrupted ones were reported at the restart."""
    where = (
        "state=? AND read_at IS NULL AND finished_at<=? AND result!=? "
        "AND NOT EXISTS (SELECT 1 FROM outbox WHERE turn_key='operation:' || operations.id) ORDER BY id"
    )
    return _TABLE.select(db, where, state, stamp(before), INTERRUPTED)


def mark_read(db: sqlite3.Connection, ids: tuple[int, ...], now: datetime) -> None:
    """Mark results as shown in a finished turn."""
    for operation_id in ids:
        db.execute(
            "UPDATE operations SET state=CASE state WHEN 'completed' THEN 'read' ELSE state END, read_at=? "
            "WHERE id=? AND state IN ('completed', 'failed') AND read_at IS NULL",
            (stamp(now), operation_id),
        )


def fail_orphans(db: sqlite3.Connection, now: datetime, result: str = INTERRUPTED) -> list[Operation]:
    """At start-up, end the operations of a listener that died, with this `result`; return them, so
    that the user is informed once."""
    orphans = _TABLE.select(db, "state='pending' AND kind!=? ORDER BY id", IMPORT)
    query = "UPDATE operations SET state='failed', result=?, finished_at=? WHERE state='pending' AND kind!=?"
    db.execute(query, (result, stamp(now), IMPORT))
    return orphans


def list_unharvested(db: sqlite3.Connection) -> list[Operation]:
    """Return completed and read operations without a memory, oldest first."""
    return _TABLE.select(db, "state='read' ORDER BY id")


def mark_harvested(db: sqlite3.Connection, operation_id: int, now: datetime) -> bool:
    """Mark an operation as stored in memory; return False if it was already."""
    query = "UPDATE operations SET state='harvested', harvested_at=? WHERE id=? AND state='read'"
    return change_rows(db, query, stamp(now), operation_id) == 1


def archive(db: sqlite3.Connection, before: datetime) -> int:
    """Archive operations read before a time; return their number."""
    query = (
        "UPDATE operations SET state='archived' WHERE read_at IS NOT NULL AND state IN ('harvested', 'failed') "
        "AND finished_at<?"
    )
    return change_rows(db, query, stamp(before))
