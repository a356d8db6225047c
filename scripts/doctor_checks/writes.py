"""All writes of the doctor into the database, under the gate that every writer holds.

Only called when the database was checked in the same run and is intact. Each change is guarded by
the state in which the row was found, so that the quicker writer wins.
"""

import contextlib
import fcntl
import json
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from doctor_checks import database, files

# seconds that others may block the doctor's write before it is left for the next run
WAIT_SECONDS = 1.0

# the key in `kv` of the inbox and outbox rows that were put back: each is put back only once
REQUEUED = "doctor.requeued"

MOST_REMEMBERED = 500
# the attempts of a message that is retried: another crash, and it is given up for good
LAST_TRY = 2


@contextlib.contextmanager
def transaction(path: Path) -> Iterator[sqlite3.Connection]:
    """Run a transaction, committed on exit. Raises database.Damaged or Unreadable, also for queries
    inside.

    A second, reading connection is held open: the writing one is then never the last to close,
    which would fold the log into the file.
    """
    with database.reading(path) as held:
        held.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
        with _gate(path):
            name = str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
            db = sqlite3.connect(f"file:{name}?mode=rw", uri=True, timeout=WAIT_SECONDS, isolation_level=None)
            try:
                db.row_factory = sqlite3.Row
                for pragma in ("wal_autocheckpoint=0", "synchronous=FULL", "secure_delete=ON", "foreign_keys=ON"):
                    db.execute(f"PRAGMA {pragma}")
                db.execute("BEGIN IMMEDIATE")
                try:
                    yield db
                    db.execute("COMMIT")
                except BaseException:
                    with contextlib.suppress(sqlite3.Error):
                        db.execute("ROLLBACK")
                    raise
            finally:
                db.close()


def expire_thoughts(db: sqlite3.Connection, created_before: datetime, now: datetime) -> int:
    """Expire thoughts past their expiry that were created before a moment; return how many."""
    return db.execute(
        "UPDATE mind_queue SET state='expired' WHERE state='pending' AND created_at<? AND expires_at<=?",
        (files.stamp(created_before), files.stamp(now)),
    ).rowcount


def purge_runs(db: sqlite3.Connection, before: datetime) -> int:
    """Delete runs that ended, or began and never ended, before a moment; return how many."""
    return db.execute("DELETE FROM run_log WHERE coalesce(finished_at, started_at)<?", (files.stamp(before),)).rowcount


def requeue_messages(db: sqlite3.Connection, dead: Sequence[int], stuck: Sequence[int], now: datetime) -> int:
    """Put messages back that were given up (`dead`) or falsely in progress, once; return how
    many."""
    kept, done = requeued(db), 0
    for row in (*dead, *stuck):
        if row not in kept["inbox"]:
            done += db.execute(
                "UPDATE inbox SET state='pending', attempts=?, claimed_at=NULL, finished_at=NULL "
                "WHERE id=? AND state=?",
                (LAST_TRY, row, "dead" if row in dead else "processing"),
            ).rowcount
            kept["inbox"].append(row)
    _remember(db, kept, now)
    return done


def requeue_replies(db: sqlite3.Connection, refused: Sequence[int], late: Sequence[int], now: datetime) -> int:
    """Release replies refused for a past reason or scheduled too far ahead; return how many."""
    kept, done = requeued(db), 0
    for row in refused:
        if row not in kept["outbox"]:
            done += db.execute(
                "UPDATE outbox SET state='ready', not_before=NULL, sent_at=NULL WHERE id=? AND state='failed'", (row,)
            ).rowcount
            kept["outbox"].append(row)
    for row in late:
        done += db.execute("UPDATE outbox SET not_before=NULL WHERE id=? AND state='ready'", (row,)).rowcount
    _remember(db, kept, now)
    return done


def requeued(db: sqlite3.Connection) -> dict[str, list[int]]:
    """Return the inbox and outbox rows that were put back before."""
    row = db.execute("SELECT value FROM kv WHERE key=?", (REQUEUED,)).fetchone()
    try:
        found = json.loads(row["value"]) if row is not None else {}
        return {name: [int(one) for one in found.get(name, [])] for name in ("inbox", "outbox")}
    except (ValueError, TypeError, AttributeError):
        return {"inbox": [], "outbox": []}


def _remember(db: sqlite3.Connection, kept: Mapping[str, list[int]], now: datetime) -> None:
    value = json.dumps({name: rows[-MOST_REMEMBERED:] for name, rows in kept.items()})
    db.execute(
        "INSERT INTO kv (key, value, changed_at) VALUES (?, ?, ?) "
        "ON CONFLICT (key) DO UPDATE SET value=excluded.value, changed_at=excluded.changed_at",
        (REQUEUED, value, files.stamp(now)),
    )


@contextlib.contextmanager
def _gate(path: Path) -> Iterator[None]:
    """Hold the gate as every writer does; the process that folds the log holds it exclusively."""
    try:
        handle = os.open(f"{path}.gate", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise database.Unreadable(f"{path}.gate cannot be opened ({error.strerror})") from error
    try:
        until = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise database.Unreadable("somebody folds its log") from None
                time.sleep(0.02)
        yield
    finally:
        os.close(handle)
