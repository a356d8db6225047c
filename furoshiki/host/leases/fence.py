"""The mark in a home's database: its id, shared by every copy, and the fence of the last lease that
opened it. A process with a lower fence cannot write, even before it learns that its lease ended."""

import secrets
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database, connect, explained
from furoshiki.core.paths import DATABASE
from furoshiki.host.leases.values import LeaseLost

KEY = "host.lease"
BUSY_SECONDS = 2.0

NEWER = "another node has opened this home since: nothing more is written for it here"


@dataclass(frozen=True)
class Mark:
    """The id of a home's data and the highest fence with which it was opened."""

    id: str
    fence: int


def of(data: Path, now: datetime) -> Mark:
    """Return the mark of a home, creating it if there is none. Raises StorageUnavailable."""
    path = data / DATABASE
    with explained(path, BUSY_SECONDS), closing(connect(path, "ro", busy_seconds=BUSY_SECONDS)) as db:
        found = _mark(db)
    return found or _write_mark(path, None, now)


def mark(data: Path, fence: int, now: datetime) -> None:
    """Store this fence. Raises LeaseLost when the data has a higher one, StorageUnavailable."""
    path = data / DATABASE
    with explained(path, BUSY_SECONDS), closing(connect(path, "ro", busy_seconds=BUSY_SECONDS)) as db:
        found = _mark(db)
    if found is None or found.fence != fence:
        _write_mark(path, fence, now)


def guard(fence: int, held: Callable[[], bool] = lambda: True) -> Callable[[sqlite3.Connection], None]:
    """Return the check before a write; it raises LeaseLost without a lease or at a higher fence."""

    def check(db: sqlite3.Connection) -> None:
        if not held():
            raise LeaseLost("the lease of this home has ended: nothing is written for it until it is taken again")
        found = _mark(db)
        if found is not None and found.fence > fence:
            raise LeaseLost(NEWER)

    return check


def _mark(db: sqlite3.Connection) -> Mark | None:
    found = kv.get(db, KEY)
    return Mark(str(found["id"]), int(found["fence"])) if isinstance(found, dict) else None


def _write_mark(path: Path, fence: int | None, now: datetime) -> Mark:
    """Store this fence (None: keep the present one). Raises LeaseLost for a higher one."""
    database = Database(path, busy_seconds=BUSY_SECONDS)
    try:
        with database.write() as db:
            found = _mark(db) or Mark(secrets.token_hex(12), 0)
            if fence is not None and found.fence > fence:
                raise LeaseLost(NEWER)
            made = Mark(found.id, found.fence if fence is None else fence)
            kv.put(db, KEY, {"id": made.id, "fence": made.fence}, now)
        return made
    finally:
        database.close()
