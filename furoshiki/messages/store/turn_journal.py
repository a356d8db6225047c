"""The journal of turns: an answer is stored before it is sent, so it is paid for once."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from furoshiki.core.database.rows import Table, change_rows, from_row, put_row
from furoshiki.core.timestamps import stamp


@dataclass(frozen=True)
class Entry:
    """A finished answer, perhaps not committed yet. `envelope_ids` are the messages it answers."""

    turn_key: str
    envelope_ids: tuple[int, ...]
    answer: Mapping[str, Any]
    evidence: tuple[str, ...]


_TABLE = Table("turn_journal", partial(from_row, Entry))


def write(
    db: sqlite3.Connection,
    turn_key: str,
    envelope_ids: Sequence[int],
    answer: Mapping[str, Any],
    evidence: Sequence[str],
    now: datetime,
) -> None:
    """Store a finished answer, replacing an earlier one of this turn."""
    row = {"envelope_ids": envelope_ids, "answer": answer, "evidence": evidence, "written_at": now}
    put_row(db, "turn_journal", {"turn_key": turn_key, **row, "committed_at": None}, "turn_key")


def find_unfinished(db: sqlite3.Connection, envelope_id: int) -> Entry | None:
    """Return the answer to an envelope from before a crash, or None."""
    unfinished = _TABLE.select(db, "committed_at IS NULL ORDER BY written_at DESC")
    return next((entry for entry in unfinished if envelope_id in entry.envelope_ids), None)


def mark_committed(db: sqlite3.Connection, turn_key: str, now: datetime) -> None:
    """Mark a turn's answer as committed."""
    db.execute("UPDATE turn_journal SET committed_at=? WHERE turn_key=?", (stamp(now), turn_key))


def empty(db: sqlite3.Connection, turn_key: str) -> None:
    """Clear an answer, keeping only that it was given."""
    db.execute("UPDATE turn_journal SET answer='{}', evidence='[]' WHERE turn_key=?", (turn_key,))


def drop(db: sqlite3.Connection, turn_key: str) -> None:
    """Delete an answer that could not be committed, so that it is generated again."""
    db.execute("DELETE FROM turn_journal WHERE turn_key=? AND committed_at IS NULL", (turn_key,))


def find_last_committed(db: sqlite3.Connection) -> Entry | None:
    """Return the newest committed turn, for `/why`."""
    return next(iter(newest(db, 1)), None)


def newest(db: sqlite3.Connection, limit: int) -> list[Entry]:
    """Return the newest committed turns, newest first."""
    return _TABLE.select(db, "committed_at IS NOT NULL ORDER BY committed_at DESC LIMIT ?", limit)


def of_turn(db: sqlite3.Connection, turn_key: str) -> Entry | None:
    """Return the entry of one turn, or None."""
    return _TABLE.first(db, "turn_key=?", turn_key)


def prune(db: sqlite3.Connection, before: datetime) -> int:
    """Delete entries committed before a time; return the number."""
    return change_rows(db, "DELETE FROM turn_journal WHERE committed_at<?", stamp(before))
