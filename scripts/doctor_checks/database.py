"""The database, checked with a read-only connection.

It is never opened for writing to check it: closing the last writing connection folds the log into
the file, and a damaged database must not be changed before a person has seen it.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from doctor_checks import backups, files
from doctor_checks.findings import Finding, note, well, wrong
from doctor_checks.look import Look

KEY = "database"
BUSY_SECONDS = 1.0
# seconds for the quick check of the whole; a larger database is checked table by table
QUICK_SECONDS = 2.5

# seconds for the thorough check in one run of the doctor; the next run continues
TABLE_SECONDS = 1.0

NAMED = 3  # names listed of the tables that were left out
WHOLE_EVERY = timedelta(days=1)  # how often everything is checked thoroughly

_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class Damaged(Exception):
    """SQLite says that the file is not what it should be."""


class Unreadable(Exception):
    """The database cannot be read now: busy, no permission, no disk."""


def check(look: Look) -> Iterator[Finding]:
    """Check that it can be read and written, and is intact."""
    path = look.place.database
    if not path.exists():
        yield _missing(look, path)
        return
    try:
        with reading(path) as db:
            if not has_table(db, "alembic_version"):
                if look.notebook.page.get("database_seen"):
                    raise Damaged("everything in it is gone")
                yield note(KEY, "the database is empty: it is set up at the first start")
                return
            quick = _quick(db, min(QUICK_SECONDS, look.left()))
            faults = quick or _thorough(look, db)
            if faults:
                raise Damaged(faults[0])
    except Damaged as error:
        yield damaged(look, path, str(error))
        return
    except Unreadable as error:
        fix = f"check that {path} and its folder are yours (`ls -l {path}`) and that the disk is well"
        yield wrong(KEY, f"the database cannot be read: {error}", fix)
        return
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK | os.X_OK)):
        fix = f"check who owns {path} and its folder, and how the disk is mounted"
        yield wrong(KEY, f"the database can be read and not written: {path}", fix)
        return
    look.sound = quick is not None or _whole_lately(look)
    size = files.megabytes(path.stat().st_size)
    if look.sound:
        look.notebook.page["database_seen"] = True
        yield well(KEY, f"the database can be read and is whole ({size}){_left_out(look)}")
    else:
        yield note(KEY, f"the database can be read; it is large ({size}) and is looked through a part at a time")


def damaged(look: Look, path: Path, fault: str) -> Finding:
    """Report a damaged database with the backup to restore, as a command."""
    newest = backups.newest_good(look)
    if newest is None:
        fix = f"stop the program, copy {path} somewhere safe, and try `sqlite3 {path} .recover`; there is no backup"
    else:
        fix = f"`furoshiki restore {newest}` puts back the newest backup; it keeps the damaged file beside it"
    said = (fault.strip().splitlines() or ["?"])[-1]
    return wrong(KEY, f"the database is damaged ({said[:200]})", fix)


@contextlib.contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a read-only connection. Raises Damaged or Unreadable, also for queries inside."""
    try:
        name = str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        db = sqlite3.connect(f"file:{name}?mode=ro", uri=True, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            db.row_factory = sqlite3.Row
            db.execute("PRAGMA query_only=1")
            db.execute("PRAGMA cache_size=-2000")
            yield db
        finally:
            db.close()
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE:
            raise Damaged(str(error)) from error
        raise Unreadable(str(error)) from error
    except UnicodeDecodeError as error:
        raise Damaged("it names something that is not text") from error


def has_table(db: sqlite3.Connection, name: str) -> bool:
    """Return whether a table exists; an older release may not have it yet."""
    return db.execute("SELECT 1 FROM sqlite_master WHERE type='table' AND name=?", (name,)).fetchone() is not None


@contextlib.contextmanager
def limited(db: sqlite3.Connection, seconds: float) -> Iterator[None]:
    """Interrupt queries after these seconds: they raise sqlite3.OperationalError."""
    until = time.monotonic() + seconds
    db.set_progress_handler(lambda: int(time.monotonic() > until), 20_000)
    try:
        yield
    finally:
        db.set_progress_handler(None, 0)


def _missing(look: Look, path: Path) -> Finding:
    """Report a missing database: not created yet, or lost."""
    known = bool(look.notebook.page.get("database_seen"))
    newest = backups.newest_good(look)
    if not known and newest is None:
        return note(KEY, "there is no database yet: nobody has talked with the companion so far")
    offer = f"`furoshiki restore {newest}`" if newest is not None else f"look for {path.name}* beside where it was"
    return wrong(KEY, f"the database {path} is gone", f"before anything is started: {offer}")


def _quick(db: sqlite3.Connection, seconds: float) -> list[str] | None:
    """Return the errors of a quick check; None if it did not finish in time."""
    try:
        with limited(db, seconds):
            found = [str(row[0]) for row in db.execute("PRAGMA quick_check(3)")]
    except sqlite3.OperationalError as error:
        if "interrupt" not in str(error):
            raise
        return None
    return [words for words in found if words != "ok"]


def _whole_lately(look: Look) -> bool:
    """Return whether the thorough check completed recently."""
    finished = files.moment(look.notebook.part("integrity").get("finished_at"))
    return finished is not None and finished <= look.now < finished + 2 * WHOLE_EVERY


def _left_out(look: Look) -> str:
    """Name the tables too large for a check, and say who checks them."""
    names = look.notebook.part("integrity").get("too_large")
    if not names or not isinstance(names, list):
        return ""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"; what takes longer than a look may ({', '.join(names[:NAMED])}{more}) is checked with each backup"


def _thorough(look: Look, db: sqlite3.Connection) -> list[str]:
    """Continue the daily thorough check by a few tables; return the errors found."""
    kept = look.notebook.part("integrity")
    finished = files.moment(kept.get("finished_at"))
    if finished is not None and finished <= look.now < finished + WHOLE_EVERY:
        return []
    before = kept.get("done")
    done: list[str] = before if isinstance(before, list) else []
    before = kept.get("left_out") if done else None
    left_out: list[str] = before if isinstance(before, list) else []
    names = [str(row[0]) for row in db.execute("SELECT name FROM sqlite_master WHERE type='table' ORDER BY name")]
    until = time.monotonic() + min(TABLE_SECONDS, look.left())
    faults: list[str] = []
    for name in names:
        if name in done:
            continue
        if time.monotonic() > until:
            kept.update(done=done, left_out=left_out)
            return faults
        quoted = name.replace("'", "''")
        try:
            with limited(db, TABLE_SECONDS):
                faults += [str(row[0]) for row in db.execute(f"PRAGMA integrity_check('{quoted}')") if row[0] != "ok"]
        except sqlite3.OperationalError:  # not finished in time, or unreadable now
            left_out.append(name)
        done.append(name)
        if faults:
            return faults
    kept.update(done=[], left_out=[], too_large=left_out, finished_at=files.stamp(look.now))
    return faults
