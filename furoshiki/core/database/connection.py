"""How a process opens the database: the rules that were measured, kept in one place.

* Writers begin with BEGIN IMMEDIATE, so that a read followed by a write cannot be overtaken, and commit with
  `synchronous=FULL`, so that what was acknowledged survives a power cut; steps that would only be taken again do not.
* Readers use connections that cannot write.
* Nothing checkpoints by itself: each writer holds a shared file lock while it writes, and the one that finds the log
  long takes the lock alone to checkpoint it. (SQLite before 3.51.3 can corrupt a database that two connections write
  and checkpoint at the same moment, and distributions still ship it.)
* No network or model call belongs inside a transaction; a transaction is a few milliseconds long. One thing is told to
  memoryd in one, that a message comes: it is sent and not waited for, and given up after 50 ms.
"""

import contextlib
import fcntl
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from furoshiki.core.catalogue import Sentence, later
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.process.crash_points import point

BUSY_SECONDS = 30.0
"""How long a writer waits for another one before it gives up."""

SYNCHRONOUS = "FULL"
"""How long a commit waits for the disk: until what was written would survive a power cut."""

PASSING = "NORMAL"
"""The same for a step that would only be taken again: not at all (4 ms here, 10 to 30 on a memory card)."""

CACHE_KB = 8000
"""Kilobytes of the database that one connection may keep in memory; a thread has one to read and one to write."""

CHECKPOINT_BYTES = 4 * 1024 * 1024
"""A write-ahead log longer than this is folded into the database at the next quiet moment."""

_DAMAGED = later("the database is damaged: restore a backup with `furoshiki restore`; the damaged file is kept")
_HELD = later("another process has held the database for over {seconds:g} s; it will be tried again")
_NOT_SET_UP = later("the database {path} lacks a part of what this version keeps there: run `furoshiki migrate`")
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
    """What one thread has open, and of which file: one that was restored or moved is another file of the same name."""

    def __init__(self) -> None:
        self.file: tuple[int, int] | None = None
        self.connections: dict[str, sqlite3.Connection] = {}
        self.gate: int | None = None


PAGE_BYTES = 8192
"""A turn's token vectors (2 KB) leave less of a page of this size empty than of one of 4 KB: 0.6 KB a turn saved."""


class Database:
    """The database of one data directory. Safe to share between threads; each thread gets its own connections.

    `synchronous` is SYNCHRONOUS unless nobody would mind losing the database ("OFF").
    """

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
        self.guard: Callable[[sqlite3.Connection], None] | None = None
        """Asked first in every transaction that writes, and raises when nothing may be written any more."""
        self._gates: set[int] = set()
        self._opening = threading.Lock()

    @contextlib.contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """One consistent snapshot; the connection refuses to write. Raises StorageUnavailable."""
        with self._snapshot("reader") as db:
            yield db

    @contextlib.contextmanager
    def aside(self) -> Iterator[sqlite3.Connection]:
        """A snapshot of its own for a short look, also while this thread reads or writes. Raises StorageUnavailable."""
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
        """One transaction, committed on leaving, rolled back on any exception. Raises StorageUnavailable.

        What is not `synced` outlives the process at once, and a power cut with the next transaction that is: for steps
        that would only be taken again.
        """
        with explained(self.path, self.busy_seconds):
            db = self._connection("writer", "rw")
            gate = self._gate()
            fcntl.flock(gate, fcntl.LOCK_SH)
            try:
                db.execute(f"PRAGMA synchronous={self.synchronous or {True: SYNCHRONOUS, False: PASSING}[synced]}")
                try:  # an interruption may come right after the beginning
                    db.execute("BEGIN IMMEDIATE")
                    if self.guard is not None:
                        self.guard(db)
                    yield db
                    point("store.before_commit")
                    db.commit()
                except BaseException:  # cancelled or broken off as well: nothing of it may stay
                    db.rollback()
                    raise
            finally:
                fcntl.flock(gate, fcntl.LOCK_UN)
            point("store.after_commit")
        self._fold_when_long()

    def version(self) -> int:
        """A number that changes when another connection has changed the database; costs microseconds."""
        with explained(self.path, self.busy_seconds):
            row = self._connection("watcher", "ro").execute("PRAGMA data_version").fetchone()
        return int(row[0])

    def checkpoint(self) -> bool:
        """Fold the write-ahead log into the database, alone; False when somebody writes, or reads what it holds.

        It never waits: the caller has finished its own work, and every other writer would wait with it.
        """
        with explained(self.path, self.busy_seconds):
            db = self._connection("writer", "rw")
            gate = self._gate()
            try:
                fcntl.flock(gate, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            try:
                db.execute("PRAGMA busy_timeout=0")
                busy = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            finally:
                db.execute(f"PRAGMA busy_timeout={int(self.busy_seconds * 1000)}")
                fcntl.flock(gate, fcntl.LOCK_UN)
        return not busy

    def compact(self) -> bool:
        """Rewrite the whole file, so that nothing deleted is left in it, not even where a page has room to spare;
        then fold the log. False when somebody reads an older state: try again later. Raises StorageUnavailable.

        Others may read meanwhile and wait to write: a second for every 150 MB. It needs twice its space for a moment.
        """
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
        """Close every connection of every thread; the store may be used again afterwards.

        What another thread is in the middle of is broken off and left to it: a connection closed under a running
        statement takes the process down.
        """
        with self._opening:
            own = set(self._mine.connections.values())
            busy = {db for db in self._opened - own if db.in_transaction}
            for db in self._opened - busy:
                with contextlib.suppress(sqlite3.Error):
                    db.close()
            for db in busy:
                db.interrupt()
            if not busy:  # else a writer still holds one
                for gate in self._gates:
                    os.close(gate)
            self._opened, self._gates = set(), set()
            self._mine = _Opened()

    def _fold_when_long(self) -> None:
        with contextlib.suppress(OSError, StorageUnavailable):
            if os.stat(f"{self.path}-wal").st_size > CHECKPOINT_BYTES:  # noqa: PTH116 - with each transaction
                self.checkpoint()

    def _connection(self, role: str, mode: str) -> sqlite3.Connection:
        mine, file = self._mine, _identity(self.path)
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
        """Close what this thread has open of a file that is not there any more."""
        with self._opening:
            for db in mine.connections.values():
                db.close()
                self._opened.discard(db)
            if mine.gate in self._gates:  # else `close` let go of it, and the number may be another file's by now
                os.close(mine.gate)
                self._gates.discard(mine.gate)
        mine.connections, mine.gate = {}, None


@contextlib.contextmanager
def explained(path: Path, busy_seconds: float = BUSY_SECONDS) -> Iterator[None]:
    """Turn what SQLite says of an unusable database into StorageUnavailable, with the cause and the fix."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        advice = _CANNOT_USE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
        if advice is None and str(error).startswith("no such table"):
            advice = _NOT_SET_UP
        if advice is None:
            raise
        raise StorageUnavailable(Sentence(advice, seconds=busy_seconds, path=str(path))) from error
    except UnicodeDecodeError as error:  # the damage lies in a name, and so in what SQLite has to say about it
        raise StorageUnavailable(Sentence(_DAMAGED)) from error


def connect(
    path: Path,
    mode: str,
    busy_seconds: float = BUSY_SECONDS,
    cache_kb: int = CACHE_KB,
    synchronous: str | None = None,
) -> sqlite3.Connection:
    """A connection under the house rules; mode is "ro", "rw" or "rwc" (create). Rows are sqlite3.Row."""
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
            db.execute(f"PRAGMA page_size={PAGE_BYTES}")  # of a file that is new; others keep theirs
            db.execute("PRAGMA journal_mode=WAL")
            db.execute(f"PRAGMA synchronous={synchronous or SYNCHRONOUS}")
            db.execute("PRAGMA wal_autocheckpoint=0")
            db.execute("PRAGMA secure_delete=ON")
        db.execute("PRAGMA foreign_keys=ON")
        db.execute(f"PRAGMA cache_size=-{cache_kb}")
    except BaseException:  # nobody else knows of the connection yet
        db.close()
        raise
    return db


def _uri(path: Path) -> str:
    return str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file stands at a path now, None when none does."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
