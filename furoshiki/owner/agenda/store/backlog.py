"""Counts of waiting rows and of permanent failures, for monitoring."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.core.database.rows import find_value, load, marks
from furoshiki.core.timestamps import parse, stamp
from furoshiki.messages.store import inbox, outbox
from furoshiki.messages.store.sessions import READING_FAILED
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.values import KINDS


def count_waiting(db: sqlite3.Connection) -> dict[str, int]:
    """Count waiting rows in the inbox, the outbox and the mind queue, and memory without a vector."""
    return {
        "inbox": inbox.count_waiting(db),
        "outbox": outbox.count_pending(db),
        "mind_queue": mind_queue.count_pending(db),
        "index": vectors.without_vector(db, KINDS),
    }


def count_failures(db: sqlite3.Connection, since: datetime) -> dict[str, int]:
    """Count messages given up (inbox) and undeliverable ones (outbox), since a time."""
    query = "SELECT count(*) FROM inbox WHERE state IN ('dead', 'failed') AND finished_at>=?"
    question = "SELECT count(*) FROM outbox WHERE state='failed' AND sent_at>=? AND error NOT LIKE 'withdrawn:%'"
    return {
        "inbox": int(find_value(db, query, stamp(since))),
        "outbox": int(find_value(db, question, stamp(since))),
    }


def list_undelivered(db: sqlite3.Connection, since: datetime) -> list[tuple[str, str]]:
    """Return three undeliverable messages to an owner since a time: text and reason, newest first."""
    rows = db.execute(
        "SELECT text, error FROM outbox WHERE state='failed' AND sent_at>=? AND kind!='reaction' "
        "AND error NOT LIKE 'withdrawn:%' AND chat_id NOT IN (SELECT chat_id FROM accounts WHERE role!='owner') "
        "ORDER BY id DESC LIMIT 3",
        (stamp(since),),
    ).fetchall()
    return [(row["text"], row["error"] or "") for row in rows]


# an SQL condition on `system_events`: a failed reading of a session that succeeded later
MADE_GOOD = (
    f"(kind='{READING_FAILED}' "  # noqa: S608
    "AND EXISTS (SELECT 1 FROM sessions WHERE session_id=json_extract(payload, '$.session')))"
)

# alerts about unsendable messages, which were replaced by another message already
_SAID_ELSEWHERE = ("telegram.refused", "telegram.unsendable")


@dataclass(frozen=True)
class Failure:
    """A failure: the kind of its event, its payload, and its time."""

    kind: str
    payload: Mapping[str, Any]
    at: datetime


def list_failures(db: sqlite3.Connection, kinds: Sequence[str], since: datetime) -> list[Failure]:
    """Return unrepaired failures of these kinds since a time, oldest first."""
    first = _find_first_event(db, since)
    if first is None:
        return []
    rows = db.execute(
        f"SELECT * FROM system_events WHERE id>=? AND kind IN ({marks(kinds)}) AND created_at>=? "  # noqa: S608
        f"AND NOT {MADE_GOOD} AND coalesce(json_extract(payload, '$.kind'), '') NOT IN ({marks(_SAID_ELSEWHERE)}) "
        "ORDER BY id",
        (first, *kinds, stamp(since), *_SAID_ELSEWHERE),
    ).fetchall()
    return [Failure(row["kind"], load(row["payload"]), parse(row["created_at"])) for row in rows]


def _find_first_event(db: sqlite3.Connection, since: datetime) -> int | None:
    """Return the first event since a time, searching from the end."""
    first_id, earliest = None, stamp(since)
    for row in db.execute("SELECT id, created_at FROM system_events ORDER BY id DESC"):
        if row["created_at"] < earliest:
            break
        first_id = int(row["id"])
    return first_id
