"""Queries of deep consolidation: its material, its results, and finished work.

Work is finished when `consolidation_log` has a row with its operation and `input`, a digest of the
ids used. Such rows contain no text, so that forgotten words leave no trace.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from furoshiki.core.database.rows import dump, find_value, find_values, has_row, insert, load, marks
from furoshiki.core.framing import clean
from furoshiki.core.timestamps import stamp
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory

DERIVED = "internal_consolidation"  # the source tag of conclusions

# memories that can be evidence: active, and based on words not said by the companion
_OF_THE_USER = (
    "status='active' AND type IN ('episodic', 'semantic', 'preference', 'procedural', 'correction') "
    "AND source_tag NOT LIKE 'internal%' AND EXISTS (SELECT 1 FROM memory_sources JOIN turns ON turns.id=turn_id "
    "WHERE memory_id=memories.id AND speaker!='companion')"
)


def digest(*parts: object) -> str:
    """Return a short digest of a piece of work's inputs; sets are order-independent."""
    text = dump([sorted(part) if isinstance(part, (set, frozenset)) else part for part in parts])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_done(db: sqlite3.Connection, operation: str, input_: str) -> bool:
    """Return whether a piece of work is in the log."""
    query = "SELECT 1 FROM consolidation_log WHERE operation=? AND json_extract(evidence, '$.input')=? LIMIT 1"
    return has_row(db, query, operation, input_)


def note(
    db: sqlite3.Connection,
    cycle: str,
    operation: str,
    memory_id: int | None,
    input_: str,
    evidence: Mapping[str, Any],
    now: datetime,
) -> None:
    """Log a finished piece of work. `evidence` has ids and numbers, never text."""
    evidence = {"input": input_, **evidence}
    row = {"cycle": cycle, "at": now, "operation": operation, "memory_id": memory_id, "evidence": evidence}
    insert(db, "consolidation_log", row)


def _select(db: sqlite3.Connection, where: str, *values: object) -> list[Memory]:
    """Return the memories of a condition, oldest first."""
    return memories.of_ids(db, find_values(db, f"SELECT id FROM memories WHERE {where}", *values))  # noqa: S608


def evidence(db: sqlite3.Connection, limit: int) -> list[Memory]:
    """Return the newest memories that can be evidence, newest first."""
    return _select(db, f"{_OF_THE_USER} ORDER BY id DESC LIMIT ?", limit)[::-1]


def evidence_among(db: sqlite3.Connection, ids: Sequence[int]) -> list[Memory]:
    """Return those of these memories that can be evidence, by id."""
    return _select(db, f"id IN ({marks(ids)}) AND {_OF_THE_USER} ORDER BY id", *ids)


def read_conclusions(db: sqlite3.Connection, types: Sequence[str] = ("reflection",)) -> list[Memory]:
    """Return active conclusions that cite memories, oldest first."""
    cites = "json_extract(metadata, '$.cites') IS NOT NULL"
    return _select(
        db, f"status='active' AND source_tag=? AND {cites} AND type IN ({marks(types)}) ORDER BY id", DERIVED, *types
    )


def find_covering(db: sqlite3.Connection, ids: Iterable[int]) -> dict[int, int]:
    """Map these memories to the newest active insight that replaced them."""
    query = (
        "SELECT from_id FROM memory_links JOIN memories ON memories.id=from_id "
        "WHERE to_id=? AND relation='supersedes' AND status='active' ORDER BY from_id DESC LIMIT 1"
    )
    covering_of: dict[int, int] = {}
    for memory_id in ids:
        newest = find_value(db, query, memory_id)
        if newest is not None:
            covering_of[memory_id] = newest
    return covering_of


def values(db: sqlite3.Connection, above: float, limit: int) -> list[Memory]:
    """Return preferences, beliefs, habits and narratives with a centre above `above`, heaviest
    first; boundaries are left out."""
    heaviest = _select(
        db,
        "status='active' AND immutable=0 AND alpha / (alpha + beta) > ? "
        "AND (type IN ('preference', 'procedural', 'narrative') OR category IN ('belief', 'value', 'identity')) "
        "ORDER BY alpha / (alpha + beta) DESC, id LIMIT ?",
        above,
        limit,
    )
    return sorted(heaviest, key=lambda memory: -memory.alpha / (memory.alpha + memory.beta))


def acts(db: sqlite3.Connection, limit: int) -> list[Memory]:
    """Return recent acts and events, newest first: evidence that is not a preference."""
    acted = "type IN ('episodic', 'semantic', 'correction')"
    held = "coalesce(category, '') IN ('belief', 'value', 'identity')"
    return _select(db, f"{_OF_THE_USER} AND {acted} AND NOT {held} ORDER BY id DESC LIMIT ?", limit)[::-1]


def tensions(db: sqlite3.Connection) -> list[Memory]:
    """Return unresolved tensions, including acknowledged ones, oldest first."""
    return _select(db, "type='tension' AND status IN ('active', 'dormant')")


def without_context(db: sqlite3.Connection, limit: int) -> list[Memory]:
    """Return memories of messages without context yet, newest first."""
    return _select(db, f"content_contextualized IS NULL AND {_OF_THE_USER} ORDER BY id DESC LIMIT ?", limit)[::-1]


def without_line(db: sqlite3.Connection, limit: int) -> list[Memory]:
    """Return active memories without a one-line version, oldest first."""
    return _select(db, "compressed IS NULL AND status='active' ORDER BY id LIMIT ?", limit)


def compress(db: sqlite3.Connection, memory_id: int, line: str) -> None:
    """Replace a memory's one-line version."""
    db.execute("UPDATE memories SET compressed=? WHERE id=?", (clean(line), memory_id))


def remark(db: sqlite3.Connection, memory_id: int, remarks: Mapping[str, Any]) -> None:
    """Merge remarks into a memory's metadata."""
    row = db.execute("SELECT metadata FROM memories WHERE id=?", (memory_id,)).fetchone()
    if row is not None:
        merged = {**(load(row["metadata"]) or {}), **remarks}
        db.execute("UPDATE memories SET metadata=? WHERE id=?", (dump(merged), memory_id))


def rest(db: sqlite3.Connection, memory_id: int) -> None:
    """Make a memory dormant: only a strong cue finds it."""
    db.execute("UPDATE memories SET status='dormant' WHERE id=? AND status='active'", (memory_id,))


def retire(db: sqlite3.Connection, memory_id: int, at: datetime) -> None:
    """Mark a conclusion as superseded at a time; it stays readable."""
    query = "UPDATE memories SET valid_to=?, status='superseded' WHERE id=? AND status IN ('active', 'dormant')"
    db.execute(query, (stamp(at), memory_id))


def sources(db: sqlite3.Connection, memory_id: int, turn_ids: Sequence[int]) -> None:
    """Add source turns to a memory."""
    for turn_id in turn_ids:
        db.execute("INSERT OR IGNORE INTO memory_sources (memory_id, turn_id) VALUES (?, ?)", (memory_id, turn_id))
