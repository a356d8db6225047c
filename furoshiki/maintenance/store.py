"""Copies of the whole database: consistent, checked, and prepared for use in its place."""

import contextlib
import sqlite3
from pathlib import Path

from furoshiki.core.database import kv
from furoshiki.core.database.connection import connect
from furoshiki.core.database.rows import find_value
from furoshiki.core.errors import StorageUnavailable
from furoshiki.messages.store import accounts

_PAGES_AT_ONCE = 2000
_INDEXED = ("turns", "memories", "sessions")
# tables computed again from the texts, in the order of deletion for foreign keys
_TOKENS = ("turn_multilingual", "memory_multilingual", "turn_tokens", "memory_tokens")

# rows with nothing to say, and replaced ones, have no vector and need none
_WAITING_AGAIN = "UPDATE {} SET index_state='pending' WHERE index_state IN ('embedded', 'indexed', 'failed')"


def snapshot(source: Path, target: Path) -> None:
    """Copy a database consistently while it is in use. Raises StorageUnavailable."""
    try:
        with contextlib.closing(connect(source, "ro")) as live, contextlib.closing(sqlite3.connect(target)) as copy:
            live.backup(copy, pages=_PAGES_AT_ONCE)
            copy.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise StorageUnavailable(f"{source} could not be copied: {error}") from error


def faults(path: Path) -> list[str]:
    """Return the faults that SQLite finds in a database file."""
    try:
        with contextlib.closing(connect(path, "ro")) as db:
            found = [str(row[0]) for row in db.execute("PRAGMA integrity_check(10)")]
            dangling = db.execute("PRAGMA foreign_key_check").fetchall()[:10]
            found += [f"{row[0]} row {row[1]} points at nothing in {row[2]}" for row in dangling]
    except sqlite3.Error as error:
        return [str(error)]
    return [] if found == ["ok"] else [text for text in found if text != "ok"]


def counts(path: Path) -> dict[str, int]:
    """Return the number of turns, memories, sessions and tasks."""
    with contextlib.closing(connect(path, "ro")) as db:
        return {
            name: int(find_value(db, f"SELECT count(*) FROM {name}"))  # noqa: S608
            for name in (*_INDEXED, "tasks")
        }


def code(path: Path) -> set[tuple[str, str, str]]:
    """Return triggers, views and virtual tables as (kind, name, SQL with normalized spacing)."""
    with contextlib.closing(connect(path, "ro")) as db:
        rows = db.execute(
            "SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'view') "
            "OR (type='table' AND sql LIKE 'create virtual%')"
        ).fetchall()
    return {(str(row["type"]), str(row["name"]), " ".join(str(row["sql"]).split())) for row in rows}


def owners(path: Path) -> list[tuple[str, str, str | None]]:
    """Return the paired owners: channel, its id, name; empty without a table of accounts."""
    try:
        with contextlib.closing(connect(path, "ro")) as db:
            rows = db.execute(
                "SELECT channel, external_id, name FROM accounts WHERE role='owner' ORDER BY id"
            ).fetchall()
    except sqlite3.Error:
        return []
    return [(str(row["channel"]), str(row["external_id"]), row["name"]) for row in rows]


def leave_vectors_out(path: Path) -> None:
    """Remove the vectors of texts and tokens from a copy, and compact it.

    All texts are then marked for embedding. Raises StorageUnavailable.
    """
    try:
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
            there = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")}
            db.execute("BEGIN IMMEDIATE")
            for name in _TOKENS:
                if name in there:  # the schema may be older than the table
                    db.execute(f"DELETE FROM {name}")  # noqa: S608
            for name in _INDEXED:
                db.execute(f"UPDATE {name} SET embedding=NULL, embed_model=NULL, content_hash=NULL")  # noqa: S608
                db.execute(_WAITING_AGAIN.format(name))
            db.commit()
            db.execute("VACUUM")
    except sqlite3.Error as error:
        raise StorageUnavailable(f"the copy could not be made smaller: {error}") from error


def forget_index(path: Path) -> None:
    """Mark all texts for indexing: the vector index of this database is gone."""
    with contextlib.closing(connect(path, "rw")) as db:
        db.execute("BEGIN IMMEDIATE")
        for name in _INDEXED:
            db.execute(_WAITING_AGAIN.format(name))
        db.commit()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def forget_offers(path: Path) -> None:
    """Delete the pairing code from a database: the creator of the copy knows it."""
    with contextlib.closing(connect(path, "rw")) as db:
        kv.drop(db, accounts.OFFER)
