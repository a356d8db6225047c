"""Database connections and transactions; all rules for opening SQLite are here.

* Writers begin with BEGIN IMMEDIATE, so that no other writer comes between a read and its write,
and
  commit with `synchronous=FULL`, so that acknowledged data survives a power cut. Repeatable steps
  use NORMAL.
* Readers use connections that cannot write. * Automatic checkpoints are off: each writer holds a
shared file lock while it writes, and a writer
  that finds a long log takes the lock exclusively and checkpoints. (SQLite before 3.51.3, still
  shipped by distributions, can corrupt a database when two connections write and checkpoint at once.)
* No network or model call inside a transaction; a transaction takes a few milliseconds. The one
  exception is the notice to memoryd that a message comes: it is sent without waiting, 50 ms at most.
"""

import contextlib
import fcntl
import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

from furoshiki.core.catalogue import Sentence, later
from furoshiki.core.database.rows import find_value
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.files import identity
from furoshiki.core.process.crash_points import point

BUSY_SECONDS = 30.0  # seconds that a writer waits for another writer before it fails

# SQLite's `synchronous` for commits that must survive a power cut: wait for the disk
SYNCHRONOUS = "FULL"

# `synchronous` for repeatable steps: no disk wait (4 ms here, 10 to 30 on a memory card)
PASSING = "NORMAL"

# page cache of one connection, in KB; a thread has one connection to read and one to write
CACHE_KB = 8000

# a write-ahead log longer than this, in bytes, is checkpointed after the next transaction
CHECKPOINT_BYTES = 4 * 1024 * 1024

_DAMAGED = later("the database is damaged: restore a backup with `furoshiki restore`; the damaged file is kept")
_HELD = later("another process has held the database for over {seconds:g} s; it will be tried again")
_NOT_SET_UP = later("the database {path} is missing a part this version needs: run `furoshiki migrate`")
_CANNOT_USE = later(
    {
        sqlite3.SQLITE_BUSY: _HELD,
        sqlite3.SQLITE_LOCKED: _HELD,
        sqlite3.SQLITE_FULL: "the disk is full: free some space and nothing is lost",
        sqlite3.SQLITE_IOERR: "the disk could not be read or written: check free space and the disk's health",
        sqlite3.SQLITE_READONLY: "the database cannot be written: check the permissions of {path}",
        sqlite3.SQLITE_PERM: "the database cannot be used: check that {path} is yours",
        sqlite3.SQLITE_CORRUPT: _DAMAGED,
        sqlite3.SQLITE_NOTADB: _DAMAGED,
        sqlite3.SQLITE_CANTOPEN: "the database cannot be opened: check that {path} exists and is yours",
    }
)


class _Opened(threading.local):
    """One thread's connections, and the identity of their file (a restored file is a new one)."""

    def __init__(self) -> None:
        self.file: tuple[int, int] | None = None
        self.connections: dict[str, sqlite3.Connection] = {}
        self.gate: int | None = None


PAGE_BYTES = 8192  # Bytes. A turn's token vectors (2 KB) waste 0.6 KB less than with pages of 4 KB.


class Database:
    """The database of one data directory.
    Safe to share between threads; each has its own connections. `synchronous` defaults to
    SYNCHRONOUS; "OFF" is for databases that may be lost."""

    def __init__(
        self,
        path: Path,
        busy_seconds: float = BUSY_SECONDS,
        cache_kb: int = CACHE_KB,
        synchronous: str | None = None,
    ) -> None:
        self.path = path
        self.busy_seconds = busy_seconds
        self.cache_kb = cache_kb
        self.synchronous = synchronous
        self._mine = _Opened()
        self._opened: set[sqlite3.Connection] = set()
        self._gates: set[int] = set()
        self._opening = threading.Lock()

    @contextlib.contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """Read one consistent snapshot; writing is refused. Raises StorageUnavailable."""
        with self._snapshot("reader") as db:
            yield db

    @contextlib.contextmanager
    def aside(self) -> Iterator[sqlite3.Connection]:
        """Read a separate snapshot, even during a read or write. Raises StorageUnavailable."""
        with self._snapshot("watcher") as db:
            yield db

    @contextlib.contextmanager
    def _snapshot(self, connection: str) -> Iterator[sqlite3.Connection]:
        with explained(self.path, self.busy_seconds):
            db = self._connection(connection, "ro")
            db.execute("BEGIN")
            try:
                yield db
            finally:
                db.rollback()

    @contextlib.contextmanager
    def write(self, *, synced: bool = True) -> Iterator[sqlite3.Connection]:
        """Run one transaction: commit on leaving, roll back on any exception.

        Raises StorageUnavailable. With `synced` off (for repeatable steps) the commit survives a
        crash of the process, but a power cut only once a later synced transaction is committed.
        """
        with explained(self.path, self.busy_seconds):
            db = self._connection("writer", "rw")
            gate = self._gate()
            fcntl.flock(gate, fcntl.LOCK_SH)
            try:
                db.execute(f"PRAGMA synchronous={self.synchronous or {True: SYNCHRONOUS, False: PASSING}[synced]}")
                try:  # an interruption may come right after BEGIN
                    db.execute("BEGIN IMMEDIATE")
                    yield db
                    point("store.before_commit")
                    db.commit()
                except BaseException:  # also on cancellation: keep no part of the transaction
                    db.rollback()
                    raise
            finally:
                fcntl.flock(gate, fcntl.LOCK_UN)
            point("store.after_commit")
        self._fold_when_long()

    def version(self) -> int:
        """Return a number that changes when another connection writes; costs microseconds."""
        with explained(self.path, self.busy_seconds):
            row = self._connection("watcher", "ro").execute("PRAGMA data_version").fetchone()
        return int(row[0])

    def checkpoint(self) -> bool:
        """Checkpoint the write-ahead log, exclusively; False when another connection writes or
        reads it. Never waits: the caller has finished its work, and all other writers would have to
        wait too."""
        with explained(self.path, self.busy_seconds):
            db = self._connection("writer", "rw")
            gate = self._gate()
            try:
                fcntl.flock(gate, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            try:
                db.execute("PRAGMA busy_timeout=0")
                busy = find_value(db, "PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                db.execute(f"PRAGMA busy_timeout={int(self.busy_seconds * 1000)}")
                fcntl.flock(gate, fcntl.LOCK_UN)
        return not busy

    def compact(self) -> bool:
        """Rewrite the database file and checkpoint the log, so that no deleted data is left in
        either. Returns False when another connection reads an older state: try again later. Others
        can read meanwhile and wait to write: one second for every 150 MB. Needs twice the file's
        size in free space. Raises StorageUnavailable."""
        needed, free = 2 * self.path.stat().st_size, shutil.disk_usage(self.path.parent).free
        if free < needed:
            raise StorageUnavailable(
                f"rewriting the database needs {needed / 1e6:.0f} MB for a moment and {self.path.parent} has "
                f"{free / 1e6:.0f} MB free: free some space"
            )
        with explained(self.path, self.busy_seconds):
            db = self._connection("writer", "rw")
            gate = self._gate()
            fcntl.flock(gate, fcntl.LOCK_SH)
            try:
                db.execute("VACUUM")
            finally:
                fcntl.flock(gate, fcntl.LOCK_UN)
        point("store.compacted")
        return self.checkpoint()

    def close(self) -> None:
        """Close the connections of all threads; the database may be used again afterwards.

        Connections in use by other threads are interrupted, not closed: closing a connection during
        a statement crashes the process.
        """
        with self._opening:
            own = set(self._mine.connections.values())
            busy = {db for db in self._opened - own if db.in_transaction}
            for db in self._opened - busy:
                with contextlib.suppress(sqlite3.Error):
                    db.close()
            for db in busy:
                db.interrupt()
            if not busy:  # otherwise a writer still holds a lock
                for gate in self._gates:
                    os.close(gate)
            self._opened, self._gates = set(), set()
            self._mine = _Opened()

    def _fold_when_long(self) -> None:
        with contextlib.suppress(OSError, StorageUnavailable):
            if os.stat(f"{self.path}-wal").st_size > CHECKPOINT_BYTES:  # noqa: PTH116 - with each transaction
                self.checkpoint()

    def _connection(self, role: str, mode: str) -> sqlite3.Connection:
        mine, file = self._mine, identity(self.path)
        if mine.file != file:
            self._let_go(mine)
            mine.file = file
        if role not in mine.connections:
            db = connect(self.path, mode, self.busy_seconds, self.cache_kb, self.synchronous)
            with self._opening:
                self._opened.add(db)
            mine.connections[role] = db
        return mine.connections[role]

    def _gate(self) -> int:
        mine = self._mine
        if mine.gate is None:
            try:
                mine.gate = os.open(f"{self.path}.gate", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            except OSError as error:
                raise StorageUnavailable(
                    f"{self.path}.gate cannot be opened ({error.strerror}): check free space, and that it is yours"
                ) from error
            with self._opening:
                self._gates.add(mine.gate)
        return mine.gate

    def _let_go(self, mine: _Opened) -> None:
        """Close this thread's connections to a file that was replaced."""
        with self._opening:
            for db in mine.connections.values():
                db.close()
                self._opened.discard(db)
            if mine.gate in self._gates:  # otherwise `close` closed it, and the number may belong to another file now
                os.close(mine.gate)
                self._gates.discard(mine.gate)
        mine.connections, mine.gate = {}, None


@contextlib.contextmanager
def explained(path: Path, busy_seconds: float = BUSY_SECONDS) -> Iterator[None]:
    """Turn SQLite errors about the database into StorageUnavailable, with cause and fix."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        advice = _CANNOT_USE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
        if advice is None and str(error).startswith("no such table"):
            advice = _NOT_SET_UP
        if advice is None:
            raise
        raise StorageUnavailable(Sentence(advice, seconds=busy_seconds, path=str(path))) from error
    except UnicodeDecodeError as error:  # a damaged name appears in SQLite's own error message
        raise StorageUnavailable(Sentence(_DAMAGED)) from error


def connect(
    path: Path,
    mode: str,
    busy_seconds: float = BUSY_SECONDS,
    cache_kb: int = CACHE_KB,
    synchronous: str | None = None,
) -> sqlite3.Connection:
    """Open a connection with the rules above; `mode` is "ro", "rw" or "rwc" (create)."""
    db = sqlite3.connect(
        f"file:{_uri(path)}?mode={mode}",
        uri=True,
        timeout=busy_seconds,
        isolation_level=None,
        check_same_thread=False,
    )
    db.row_factory = sqlite3.Row
    try:
        if mode == "ro":
            db.execute("PRAGMA query_only=1")
        else:
            db.execute(f"PRAGMA page_size={PAGE_BYTES}")  # applies to new files only
            db.execute("PRAGMA journal_mode=WAL")
            db.execute(f"PRAGMA synchronous={synchronous or SYNCHRONOUS}")
            db.execute("PRAGMA wal_autocheckpoint=0")
            db.execute("PRAGMA secure_delete=ON")
        db.execute("PRAGMA foreign_keys=ON")
        db.execute(f"PRAGMA cache_size=-{cache_kb}")
    except BaseException:  # no other code knows the connection yet
        db.close()
        raise
    return db


def _uri(path: Path) -> str:
    return str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
