"""Typed links between memories.

A link is read from its first memory to its second: an insight is `informed_by` the memories it
cites, a newer insight `supersedes` an older one, an old one was `updated_by` the new.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from furoshiki.core.database.rows import find_values, from_row, marks
from furoshiki.core.timestamps import parse, stamp

Relation = Literal[
    "because",
    "informed_by",
    "contradicts",
    "updated_by",
    "resulted_in",
    "part_of",
    "related_to",
    "supersedes",
]
RELATIONS: tuple[Relation, ...] = get_args(Relation)


@dataclass(frozen=True)
class Link:
    """One memory's relation to another. `confidence` is in [0, 1]."""

    from_id: int
    to_id: int
    relation: Relation
    confidence: float
    created_at: datetime


def link(
    db: sqlite3.Connection, from_id: int, to_id: int, relation: Relation, confidence: float, now: datetime
) -> bool:
    """Link two memories; return whether the link is new. If it exists the higher confidence stays.

    Raises ValueError for an unknown relation, a memory linked with itself, or a confidence outside
    [0, 1].
    """
    if relation not in RELATIONS or from_id == to_id or not 0.0 <= confidence <= 1.0:
        raise ValueError(f"no link: {from_id} {relation} {to_id} ({confidence})")
    cursor = db.execute(
        "INSERT INTO memory_links (from_id, to_id, relation, confidence, created_at) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (from_id, to_id, relation) DO NOTHING",
        (from_id, to_id, relation, confidence, stamp(now)),
    )
    if cursor.rowcount:
        return True
    query = "UPDATE memory_links SET confidence=? WHERE from_id=? AND to_id=? AND relation=? AND confidence<?"
    db.execute(query, (confidence, from_id, to_id, relation, confidence))
    return False


def links_of(db: sqlite3.Connection, memory_id: int) -> list[Link]:
    """Return every link from or to a memory, in order of creation."""
    query = "SELECT * FROM memory_links WHERE from_id=? OR to_id=? ORDER BY id"
    rows = db.execute(query, (memory_id, memory_id)).fetchall()
    return [from_row(Link, row) for row in rows]


def list_targets(db: sqlite3.Connection, memory_id: int, relation: Relation) -> list[int]:
    """Return the memories that this one links to by a relation, in order of linking."""
    query = "SELECT to_id FROM memory_links WHERE from_id=? AND relation=? ORDER BY id"
    return find_values(db, query, memory_id, relation)


def list_sources(db: sqlite3.Connection, memory_id: int, relation: Relation) -> list[int]:
    """Return the memories that link to this one by a relation, in order of linking."""
    query = "SELECT from_id FROM memory_links WHERE to_id=? AND relation=? ORDER BY id"
    return find_values(db, query, memory_id, relation)


def read_replacement_times(db: sqlite3.Connection, ids: Sequence[int]) -> dict[int, datetime]:
    """Return when each of these memories last took part in a replacement (`updated_by`), by id."""
    rows = db.execute(
        "SELECT from_id, to_id, created_at FROM memory_links WHERE relation='updated_by' "  # noqa: S608
        f"AND (from_id IN ({marks(ids)}) OR to_id IN ({marks(ids)})) ORDER BY created_at",
        (*ids, *ids),
    )
    wanted = frozenset(ids)
    pairs = ((one, row["created_at"]) for row in rows for one in (row["from_id"], row["to_id"]) if one in wanted)
    return {one: parse(at) for one, at in pairs}
