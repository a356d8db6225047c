"""How a process opens the database: the rules that were measured, kept in one place.

* Writers begin with BEGIN IMMEDIATE, so that a read followed by a write cannot be overtaken, and commit with
  `synchronous=FULL`, so that what was acknowledged survives a power cut.
* Readers use connections that cannot write.
* Nothing checkpoints by itself: each writer holds a shared file lock while it writes, and whoever finds the log long
  takes the lock alone to checkpoint it. (SQLite before 3.51.3 can corrupt a database that two connections write and
  checkpoint at the same moment, and distributions still ship it.)
* No network or model call belongs inside a transaction; a transaction is a few milliseconds long.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

from furoshiki.crash import point
from furoshiki.errors import StorageUnavailable

BUSY_SECONDS = 30.0
"""How long a writer waits for another one before it gives up."""

CHECKPOINT_BYTES = 4 * 1024 * 1024
"""A write-ahead log longer than this is folded into the database at the next quiet moment."""

_CANNOT_USE = {
    "locked": "another process has held the database for over {seconds:.0f} s; it will be tried again",
    "busy": "another process has held the database for over {seconds:.0f} s; it will be tried again",
    "full": "the disk is full: free some space and nothing is lost",
    "disk i/o": "the disk could not be read or written: check free space and the disk's health",
    "readonly": "the database cannot be written: check the permissions of {path}",
    "malformed": "the database is damaged: restore a backup with `furoshiki restore`; the damaged file is kept",
    "not a database": "the database is damaged: restore a backup with `furoshiki restore`; the damaged file is kept",
    "unable to open": "the database cannot be opened: check that {path} exists and is yours",
    "no such table": "the database has not been set up: run `furoshiki migrate`",
}


class Store:
    """The database of one data directory. Safe to share between threads; each thread gets its own connections."""

    def __init__(self, path: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = path
        self.busy_seconds = busy_seconds
        self._local = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._gates: list[int] = []
        self._guard = threading.Lock()

    @contextlib.contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """One consistent snapshot; the connection refuses to write. Raises StorageUnavailable."""
        with self._explained():
            db = self._connection("reader", "ro")
            db.execute("BEGIN")
            try:
                yield db
            finally:
                db.rollback()

    @contextlib.contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction, committed on leaving, rolled back on any exception. Raises StorageUnavailable."""
        with self._explained():
            db = self._connection("writer", "rw")
            gate = self._gate()
            fcntl.flock(gate, fcntl.LOCK_SH)
            try:
                db.execute("BEGIN IMMEDIATE")
                try:
                    yield db
                    point("store.before_commit")
                    db.commit()
                except BaseException:
                    db.rollback()
                    raise
            finally:
                fcntl.flock(gate, fcntl.LOCK_UN)
            point("store.after_commit")
        self._fold_when_long()

    def version(self) -> int:
        """A number that changes when another connection has changed the database; costs microseconds."""
        with self._explained():
            row = self._connection("watcher", "ro").execute("PRAGMA data_version").fetchone()
        return int(row[0])

    def checkpoint(self) -> bool:
        """Fold the write-ahead log into the database, alone; False when a writer is busy and it must wait."""
        gate = self._gate()
        try:
            fcntl.flock(gate, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        try:
            with self._explained():
                self._connection("writer", "rw").execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            fcntl.flock(gate, fcntl.LOCK_UN)
        return True

    def close(self) -> None:
        """Close every connection of every thread; the store may be used again afterwards."""
        with self._guard:
            for db in self._opened:
                with contextlib.suppress(sqlite3.Error):
                    db.close()
            for gate in self._gates:
                os.close(gate)
            self._opened, self._gates = [], []
            self._local = threading.local()

    def _fold_when_long(self) -> None:
        with contextlib.suppress(OSError, StorageUnavailable):
            if Path(f"{self.path}-wal").stat().st_size > CHECKPOINT_BYTES:
                self.checkpoint()

    def _connection(self, role: str, mode: str) -> sqlite3.Connection:
        known: sqlite3.Connection | None = getattr(self._local, role, None)
        if known is not None:
            return known
        db = connect(self.path, mode, self.busy_seconds)
        with self._guard:
            self._opened.append(db)
        setattr(self._local, role, db)
        return db

    def _gate(self) -> int:
        known: int | None = getattr(self._local, "gate", None)
        if known is None:
            known = os.open(f"{self.path}.gate", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            self._local.gate = known
            with self._guard:
                self._gates.append(known)
        return known

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.OperationalError, sqlite3.DatabaseError) as error:
            if isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError):
                raise
            said = str(error).lower()
            for sign, advice in _CANNOT_USE.items():
                if sign in said:
                    words = advice.format(seconds=self.busy_seconds, path=self.path)
                    raise StorageUnavailable(f"{error}: {words}") from error
            raise


def connect(path: Path, mode: str, busy_seconds: float = BUSY_SECONDS) -> sqlite3.Connection:
    """A connection under the house rules; mode is "ro", "rw" or "rwc" (create). Rows are sqlite3.Row."""
    db = sqlite3.connect(
        f"file:{_uri(path)}?mode={mode}",
        uri=True,
        timeout=busy_seconds,
        isolation_level=None,
        check_same_thread=False,
    )
    db.row_factory = sqlite3.Row
    if mode == "ro":
        db.execute("PRAGMA query_only=1")
    else:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA wal_autocheckpoint=0")
        db.execute("PRAGMA secure_delete=ON")
    db.execute("PRAGMA foreign_keys=ON")
    db.execute("PRAGMA cache_size=-8000")
    return db


def _uri(path: Path) -> str:
    return str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
