"""What went wrong in the background, as far as a person should hear of it: events of a failure, by their number."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.core.database.rows import load, marks
from furoshiki.core.timestamps import parse, stamp
from furoshiki.messages.store.sessions import READING_FAILED

MADE_GOOD = (
    f"(kind='{READING_FAILED}' "  # noqa: S608 - our own words
    "AND EXISTS (SELECT 1 FROM sessions WHERE session_id=json_extract(payload, '$.session')))"
)
"""Of a row of `system_events`: whether it is of a conversation that could be read in the end."""

_SAID_ELSEWHERE = ("telegram.refused", "telegram.unsendable")
"""Alerts about a message that could not be sent: that was said in its place already."""


@dataclass(frozen=True)
class Failure:
    """Something that failed: the kind of its event, what is on record about it, and when."""

    id: int
    kind: str
    payload: Mapping[str, Any]
    at: datetime


def of(db: sqlite3.Connection, kinds: Sequence[str], since: datetime, after: int = 0) -> list[Failure]:
    """Failures of these kinds since a moment and after an event, oldest first. What was made good is left out."""
    first = _first(db, since, after)
    if first is None:
        return []
    rows = db.execute(
        f"SELECT * FROM system_events WHERE id>=? AND kind IN ({marks(kinds)}) AND created_at>=? "  # noqa: S608
        f"AND NOT {MADE_GOOD} AND coalesce(json_extract(payload, '$.kind'), '') NOT IN ({marks(_SAID_ELSEWHERE)}) "
        "ORDER BY id",
        (first, *kinds, stamp(since), *_SAID_ELSEWHERE),
    ).fetchall()
    return [Failure(row["id"], row["kind"], load(row["payload"]), parse(row["created_at"])) for row in rows]


def _first(db: sqlite3.Connection, since: datetime, after: int) -> int | None:
    """The first event after another since a moment, looked for from the end: most of what is kept is older."""
    found, earliest = None, stamp(since)
    for row in db.execute("SELECT id, created_at FROM system_events WHERE id>? ORDER BY id DESC", (after,)):
        if row["created_at"] < earliest:
            break
        found = int(row["id"])
    return found
