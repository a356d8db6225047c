"""What waits for a model that is away: each purpose by itself, after each failure twice as long, for a day at most."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from furoshiki.core.catalogue import Sentence, pack, unpack
from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp

KEY = "asking.waits"

FIRST_WAIT = timedelta(minutes=20)
LONGEST_WAIT = timedelta(hours=23)
"""Less than a day, so that what is done once a night is tried every night."""

SAME_RUN = timedelta(minutes=5)
"""What fails so soon after another failure belongs to the same run: it neither waits longer nor stops that run."""

Cause = Literal["away", "unusable"]
"""Nobody could be asked (no connection, a refused key, a spent budget), or the answers did not fit."""


@dataclass(frozen=True)
class Wait:
    """A purpose that waits: until when, since when, and why in one line."""

    purpose: str
    until: datetime
    since: datetime
    reason: str


def of(db: sqlite3.Connection, purpose: str, now: datetime) -> Wait | None:
    """The wait of a purpose that may not be asked about yet, None when it may."""
    found = kv.get(db, KEY, {}).get(purpose)
    if found is None or not parse(found["failed_at"]) + SAME_RUN < now < parse(found["until"]):
        return None
    return _wait(purpose, found)


def read_waits(db: sqlite3.Connection) -> list[Wait]:
    """All that wait because nobody can be asked, the longest waiting first."""
    held = kv.get(db, KEY, {})
    return sorted((_wait(name, one) for name, one in held.items() if one["cause"] == "away"), key=lambda one: one.since)


def record_failure(db: sqlite3.Connection, purpose: str, cause: Cause, reason: str, now: datetime) -> None:
    """Nobody gave a usable answer: wait, and longer than the last time."""
    held: dict[str, Any] = kv.get(db, KEY, {})
    before = held.get(purpose)
    if before is not None and now - parse(before["failed_at"]) <= SAME_RUN and before["cause"] == cause:
        return
    times = 0 if before is None else int(before["times"])
    wait = min(FIRST_WAIT * 2 ** min(times, 10), LONGEST_WAIT)
    held[purpose] = {
        "times": times + 1,
        "cause": cause,
        "reason": pack(reason) if isinstance(reason, Sentence) else reason[:300],
        "since": stamp(now) if before is None else before["since"],
        "failed_at": stamp(now),
        "until": stamp(now + wait),
    }
    kv.put(db, KEY, held, now)


def end_wait(db: sqlite3.Connection, purpose: str, now: datetime) -> None:
    """End the waits for this purpose, and those for anybody to answer at all."""
    held = kv.get(db, KEY)
    if not held:
        return
    left = {name: one for name, one in held.items() if name != purpose and one["cause"] != "away"}
    if left != held:
        kv.put(db, KEY, left, now)


def _wait(purpose: str, found: dict[str, Any]) -> Wait:
    return Wait(purpose, parse(found["until"]), parse(found["since"]), unpack(found["reason"]))
