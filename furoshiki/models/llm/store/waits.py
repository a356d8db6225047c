"""Pauses after failed model calls, for each purpose: doubled by each failure, up to 23 hours."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from furoshiki.core.catalogue import Sentence, pack, unpack
from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp

KEY = "asking.waits"

FIRST_WAIT = timedelta(minutes=20)
LONGEST_WAIT = timedelta(hours=23)  # less than a day, so that nightly work is tried every night

# failures this soon after another belong to the same run: no longer pause, no stop
SAME_RUN = timedelta(minutes=5)

# no model available (no connection, refused key, spent budget), or unusable answers
Cause = Literal["away", "unusable"]


@dataclass(frozen=True)
class Wait:
    """A paused purpose: until when, since when, and why in one line."""

    purpose: str
    until: datetime
    since: datetime
    reason: str


def of(db: sqlite3.Connection, purpose: str, now: datetime) -> Wait | None:
    """Return the pause of a purpose that may not be asked yet, else None."""
    found = kv.get(db, KEY, {}).get(purpose)
    if found is None or not parse(found["failed_at"]) + SAME_RUN < now < parse(found["until"]):
        return None
    return _wait(purpose, found)


def read_waits(db: sqlite3.Connection) -> list[Wait]:
    """Return all pauses because no model is available, longest first."""
    held = kv.get(db, KEY, {})
    return sorted((_wait(name, one) for name, one in held.items() if one["cause"] == "away"), key=lambda one: one.since)


def record_failure(db: sqlite3.Connection, purpose: str, cause: Cause, reason: str, now: datetime) -> None:
    """Record a failure, which doubles the pause."""
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
    """Delete the pauses of this purpose, and all for lack of a model."""
    held = kv.get(db, KEY)
    if not held:
        return
    left = {name: one for name, one in held.items() if name != purpose and one["cause"] != "away"}
    if left != held:
        kv.put(db, KEY, left, now)


def _wait(purpose: str, found: dict[str, Any]) -> Wait:
    return Wait(purpose, parse(found["until"]), parse(found["since"]), unpack(found["reason"]))
