"""Decisions of the router on record, without the messages they were about."""

from __future__ import annotations

import itertools
import sqlite3
from datetime import datetime, timedelta
from typing import Any

from furoshiki.core.database.rows import insert
from furoshiki.core.timestamps import stamp

PLAIN: dict[str, Any] = {
    "session_id": "s",
    "channel": "telegram",
    "chat_id": "7",
    "path": "unified",
    "mode": "RESPOND",
    "scores": "{}",
    "signals": "{}",
    "warmth": 0.5,
    "knowing": 0.8,
    "confidence": 0.5,
    "margin": 0.2,
    "ms": 1.0,
}
_numbers = itertools.count(900_000)


def decided(db: sqlite3.Connection, at: datetime, count: int = 1, **more: Any) -> None:
    """So many decisions alike, a second apart, the last of them at a moment."""
    for number in range(count):
        when = stamp(at - timedelta(seconds=count - 1 - number))
        row = PLAIN | {"turn_key": f"inbox:{next(_numbers)}", "at": when} | more
        insert(db, "routing_decisions", row)


def healthy(db: sqlite3.Connection, at: datetime, times: int = 1) -> None:
    """Ten decisions as they should be, so often."""
    for mode, count in (("RESPOND", 6), ("CLARIFY", 2), ("ACT", 1), ("ACKNOWLEDGE", 1)):
        decided(db, at, count * times, mode=mode)
