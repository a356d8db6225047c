"""Rows of imported messages, and of data restored from our own export."""

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from furoshiki.core.database.rows import change_rows, dump, find_value, find_values, first, insert
from furoshiki.core.framing import clean
from furoshiki.core.timestamps import stamp
from furoshiki.memory.store import tombstones
from furoshiki.messages.store import turns
from furoshiki.messages.values import NewTurn

RESTORED = "import:furoshiki"  # the source of live messages restored from an export

# columns with the same name in an export
_MEMORY_PLAIN = (
    *("type", "content", "subject", "predicate", "object", "category", "valid_from", "valid_to", "event_time"),
    *("created_at", "last_accessed_at", "hit_count", "immutable", "source_tag", "status", "compressed"),
    *("access_count", "alpha", "beta", "utility", "importance", "charge", "cold_since", "unconfirmed"),
)


@contextlib.contextmanager
def whole_or_not_at_all(db: sqlite3.Connection) -> Iterator[None]:
    """Run the block in a savepoint: all or nothing, independent of the outer transaction."""
    db.execute("SAVEPOINT record")
    try:
        yield
    except BaseException:  # also on cancellation: keep no half record
        db.execute("ROLLBACK TO record")
        raise
    finally:
        db.execute("RELEASE record")


def sources(db: sqlite3.Connection) -> list[str]:
    """Return the sources of all earlier imports."""
    return find_values(db, "SELECT DISTINCT source FROM turns WHERE import_id IS NOT NULL")


def add(db: sqlite3.Connection, turn: NewTurn, others: Sequence[str] = ()) -> int | None:
    """Store an imported turn; None if known, by id or (in one of `others`) with the same text."""
    known = _find(db, turn.source, turn.import_id)
    same = (stamp(turn.at), turn.speaker, clean(turn.text))
    if known is not None or any(_find(db, other, turn.import_id) == same for other in others):
        return None
    return turns.add(db, turn)


def edit(db: sqlite3.Connection, turn: NewTurn, edited: datetime) -> int | None:
    """Replace an imported turn's text by a newer one; None when it is not newer."""
    query = "SELECT id, text FROM turns WHERE source=? AND import_id=? AND replaced_by IS NULL"
    row = db.execute(query, (turn.source, turn.import_id)).fetchone()
    if row is None or row["text"] == clean(turn.text):
        return None
    newer = NewTurn(**{**vars(turn), "import_id": f"{turn.import_id}~{stamp(edited)}"})
    return None if _find(db, newer.source, newer.import_id) else turns.replace(db, row["id"], newer)


def id_of(db: sqlite3.Connection, source: str, import_id: str) -> int | None:
    """Return the turn with an import's id, in its newest wording, or None."""
    query = "SELECT coalesce(replaced_by, id) FROM turns WHERE source=? AND import_id=?"
    return first(db.execute(query, (source, import_id)), lambda row: int(row[0]))


def was_forgotten(db: sqlite3.Connection, turn: NewTurn) -> bool:
    """Return whether this text, or this message of its import, was forgotten."""
    names = [*tombstones.turn(turn.speaker, turn.at, turn.text)]
    if turn.import_id is not None:
        names.append(tombstones.make_import_name(turn.source, turn.import_id))
    return tombstones.is_buried(db, "turn", names, turn.at)


def put_back(db: sqlite3.Connection, turn: NewTurn) -> tuple[int, bool]:
    """Restore a turn of our own export; returns its id and whether it is new.
    The same speaker, time and text mean the same turn, whatever its origin."""
    query = "SELECT id FROM turns WHERE at=? AND speaker=? AND text=? AND kind=? ORDER BY id LIMIT 1"
    turn_id = find_value(db, query, stamp(turn.at), turn.speaker, clean(turn.text), turn.kind)
    if turn_id is not None:
        return turn_id, False
    if _find(db, turn.source, turn.import_id) is not None:  # the id is taken by another companion's turn
        turn = NewTurn(**{**vars(turn), "import_id": f"{turn.import_id}@{stamp(turn.at)}"})
    return turns.add(db, turn), True


def mark_replaced(db: sqlite3.Connection, turn_id: int, by: int) -> None:
    """Mark a restored turn as replaced by a later one."""
    query = "UPDATE turns SET replaced_by=?, index_state='replaced' WHERE id=? AND replaced_by IS NULL"
    db.execute(query, (by, turn_id))


def put_back_memory(
    db: sqlite3.Connection, record: Mapping[str, Any], turn_ids: Sequence[int], accesses: Sequence[str]
) -> tuple[int, bool]:
    """Restore a memory with weight, sources and accesses; returns its id and whether it is new.

    Raises ValueError without a source, and sqlite3.IntegrityError for an invalid value.
    """
    query = "SELECT id FROM memories WHERE content=? AND type=? AND created_at=? ORDER BY id LIMIT 1"
    row_id = find_value(db, query, clean(str(record.get("content"))), record.get("type"), record.get("created_at"))
    if row_id is not None:
        return row_id, False
    if not turn_ids:
        raise ValueError("none of the words it rests on is here")
    values = {name: record[name] for name in _MEMORY_PLAIN if record.get(name) is not None}
    values["source_confidence"] = record.get("confidence", 1.0)
    values["content_contextualized"] = record.get("contextualized")
    for name in ("feelings", "metadata"):
        values[name] = None if record.get(name) is None else dump(record[name])
    memory_id = insert(db, "memories", values)
    db.executemany(
        "INSERT OR IGNORE INTO memory_sources (memory_id, turn_id) VALUES (?, ?)",
        [(memory_id, turn_id) for turn_id in turn_ids],
    )
    db.executemany(
        "INSERT OR IGNORE INTO memory_accesses (memory_id, at) VALUES (?, ?)", [(memory_id, at) for at in accesses]
    )
    return memory_id, True


def put_back_pair(db: sqlite3.Connection, a: int, b: int, count: float, last_at: str) -> bool:
    """Restore how often two memories were recalled together; False when known."""
    query = "INSERT INTO memory_co_access (a_id, b_id, count, last_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
    return change_rows(db, query, min(a, b), max(a, b), count, last_at) > 0


def _find(db: sqlite3.Connection, source: str, import_id: str | None) -> tuple[str, str, str] | None:
    query = "SELECT at, speaker, text FROM turns WHERE source = ? AND import_id = ?"
    return first(db.execute(query, (source, import_id)), lambda row: (row[0], row[1], row[2]))
