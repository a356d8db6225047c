"""What went wrong in the background, as far as a person should hear of it: events of a failure, by their number."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.core.database import kv
from furoshiki.core.database.rows import load, marks
from furoshiki.core.timestamps import parse, stamp
from furoshiki.messages.store.sessions import READING_FAILED

TOLD = "user.told"
"""Where it is kept what the owner was told unasked: until which event, when, and about which memory they were asked."""

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
    """Failures of these kinds since a moment and after an event, oldest first. What was made good is left out: a
    conversation that could be read in the end."""
    rows = db.execute(
        f"SELECT * FROM system_events WHERE id>? AND kind IN ({marks(kinds)}) AND created_at>=? "  # noqa: S608
        "AND NOT (kind=? AND EXISTS (SELECT 1 FROM sessions WHERE session_id=json_extract(payload, '$.session'))) "
        f"AND coalesce(json_extract(payload, '$.kind'), '') NOT IN ({marks(_SAID_ELSEWHERE)}) ORDER BY id",
        (after, *kinds, stamp(since), READING_FAILED, *_SAID_ELSEWHERE),
    ).fetchall()
    return [Failure(row["id"], row["kind"], load(row["payload"]), parse(row["created_at"])) for row in rows]


def told(db: sqlite3.Connection) -> dict[str, Any]:
    """What the owner was told: `event`, and `at`, `memory`, `channel`, `chat_id` of the newest message where there is
    one."""
    return {"event": 0, **kv.get(db, TOLD, {})}


def tell(db: sqlite3.Connection, now: datetime, **news: object) -> None:
    """Note what the owner has been told by now."""
    kv.put(db, TOLD, {**told(db), **news}, now)
