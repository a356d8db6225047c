"""Queries for similar memories, and the transfer of data from a duplicate.

Vectors are read in batches, so that a hundred thousand are never in memory at once.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from furoshiki.core.timestamps import stamp
from furoshiki.memory.store.accesses import KEPT
from furoshiki.recall.retrieval.store.vectors import SCANNED_AT_ONCE, unpack

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from furoshiki.recall.retrieval.store.vectors import Floats

    Ids = npt.NDArray[np.int64]

QUESTIONS = 512
"""Vectors compared with all others at once."""

MOST_MATCHES = 20
"""Older memories returned for a newer one."""

_CONCLUDED = "('reflection', 'narrative', 'tension')"


def types(db: sqlite3.Connection) -> list[str]:
    """Return the types of active memories."""
    return [row[0] for row in db.execute("SELECT DISTINCT type FROM memories WHERE status='active' ORDER BY type")]


def first_without_vector(db: sqlite3.Connection, model: str) -> int | None:
    """Return the oldest active memory still waiting for a vector of this encoder, or None."""
    row = db.execute(
        "SELECT min(id) FROM memories WHERE status='active' AND (embed_model IS NOT ? OR embedding IS NULL) "
        "AND index_state NOT IN ('failed', 'empty')",
        (model,),
    ).fetchone()
    return None if row[0] is None else int(row[0])


def near_older(
    db: sqlite3.Connection, type_: str, model: str, after: int, cosine: float
) -> Iterator[tuple[int, list[int]]]:
    """Yield active memories of a type after this id, each with its older ones above the cosine."""
    import numpy as np

    for ids, questions in _parts(db, _of_type(model, type_, after), QUESTIONS):
        older_of: dict[int, list[int]] = {}
        for older, vectors in _parts(db, _of_type(model, type_, 0, int(ids[-1])), SCANNED_AT_ONCE):
            rows, columns = np.nonzero(questions @ vectors.T >= cosine)
            for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
                if older[column] < ids[row] and len(older_of.get(row, ())) < MOST_MATCHES:
                    older_of.setdefault(row, []).append(int(older[column]))
        for row in sorted(older_of):
            yield int(ids[row]), sorted(older_of[row])


def newest_told(db: sqlite3.Connection, model: str, newest: int) -> tuple[list[int], Floats]:
    """Return the newest mutable active memories, no conclusions, oldest first, with vectors."""
    rows = db.execute(
        "SELECT id, embedding FROM memories WHERE status='active' AND valid_to IS NULL AND immutable=0 "  # noqa: S608
        f"AND type NOT IN {_CONCLUDED} AND embed_model=? AND embedding IS NOT NULL ORDER BY id DESC LIMIT ?",
        (model, newest),
    ).fetchall()[::-1]
    return [int(row["id"]) for row in rows], unpack([row["embedding"] for row in rows])


def inherit(db: sqlite3.Connection, keeper: int, duplicate: int, now: datetime) -> bool:
    """Move sources, accesses, links, pairs and concepts to the older memory; archive the other.

    Returns False and changes nothing when either is not active. The caller handles weights.
    """
    both = {"keeper": keeper, "twin": duplicate}
    alive = db.execute("SELECT count(*) FROM memories WHERE id IN (:keeper, :twin) AND status='active'", both)
    if alive.fetchone()[0] != 2:
        return False
    _sources_and_accesses(db, both)
    _links(db, both)
    _company(db, both)
    db.execute("UPDATE memories SET status='archived' WHERE id=:twin", both)
    db.execute(
        "INSERT INTO memory_links (from_id, to_id, relation, confidence, created_at) "
        "VALUES (:keeper, :twin, 'supersedes', 1.0, :now) ON CONFLICT DO NOTHING",
        both | {"now": stamp(now)},
    )
    return True


def _sources_and_accesses(db: sqlite3.Connection, both: dict[str, int]) -> None:
    db.execute(
        "INSERT OR IGNORE INTO memory_sources (memory_id, turn_id) "
        "SELECT :keeper, turn_id FROM memory_sources WHERE memory_id=:twin",
        both,
    )
    db.execute(
        "INSERT OR IGNORE INTO memory_accesses (memory_id, at) "
        "SELECT :keeper, at FROM memory_accesses WHERE memory_id=:twin",
        both,
    )
    db.execute(
        "DELETE FROM memory_accesses WHERE memory_id=:keeper AND at NOT IN "
        "(SELECT at FROM memory_accesses WHERE memory_id=:keeper ORDER BY at DESC LIMIT :kept)",
        both | {"kept": KEPT},
    )
    db.execute(
        "UPDATE memories SET access_count=memories.access_count+t.access_count, "
        "hit_count=memories.hit_count+t.hit_count+1, "
        "last_accessed_at=nullif(max(coalesce(memories.last_accessed_at, ''), coalesce(t.last_accessed_at, '')), ''), "
        "importance=max(memories.importance, t.importance), charge=max(memories.charge, t.charge), "
        "utility=max(memories.utility, t.utility), "
        "source_confidence=max(memories.source_confidence, t.source_confidence), "
        "event_time=coalesce(memories.event_time, t.event_time), "
        "compressed=coalesce(memories.compressed, t.compressed), "
        "cold_since=CASE WHEN t.cold_since IS NULL THEN NULL ELSE memories.cold_since END "
        "FROM memories t WHERE memories.id=:keeper AND t.id=:twin",
        both,
    )


def _links(db: sqlite3.Connection, both: dict[str, int]) -> None:
    """Copy the duplicate's links to the keeper; the duplicate keeps its own as a record."""
    db.execute(
        "INSERT OR IGNORE INTO memory_links (from_id, to_id, relation, confidence, created_at) "
        "SELECT :keeper, to_id, relation, confidence, created_at FROM memory_links "
        "WHERE from_id=:twin AND to_id!=:keeper",
        both,
    )
    db.execute(
        "INSERT OR IGNORE INTO memory_links (from_id, to_id, relation, confidence, created_at) "
        "SELECT from_id, :keeper, relation, confidence, created_at FROM memory_links "
        "WHERE to_id=:twin AND from_id!=:keeper",
        both,
    )


def _company(db: sqlite3.Connection, both: dict[str, int]) -> None:
    db.execute(
        "INSERT INTO memory_co_access (a_id, b_id, count, last_at) "
        "SELECT min(other, :keeper), max(other, :keeper), count, last_at FROM "
        "(SELECT CASE WHEN a_id=:twin THEN b_id ELSE a_id END AS other, count, last_at FROM memory_co_access "
        " WHERE a_id=:twin OR b_id=:twin) WHERE other!=:keeper "
        "ON CONFLICT (a_id, b_id) DO UPDATE SET count=count+excluded.count, last_at=max(last_at, excluded.last_at)",
        both,
    )
    db.execute("DELETE FROM memory_co_access WHERE a_id=:twin OR b_id=:twin", both)
    db.execute(
        "INSERT OR IGNORE INTO memory_concepts (memory_id, concept_id) "
        "SELECT :keeper, concept_id FROM memory_concepts WHERE memory_id=:twin",
        both,
    )


def _of_type(model: str, type_: str, after: int, up_to: int | None = None) -> dict[str, object]:
    return {"model": model, "type": type_, "after": after, "up_to": 2**62 if up_to is None else up_to}


def _parts(db: sqlite3.Connection, which: dict[str, object], size: int) -> Iterator[tuple[Ids, Floats]]:
    import numpy as np

    rows = db.execute(
        "SELECT id, embedding FROM memories WHERE status='active' AND immutable=0 AND valid_to IS NULL "
        "AND type=:type AND embed_model=:model AND embedding IS NOT NULL AND id>:after AND id<=:up_to ORDER BY id",
        which,
    )
    while part := rows.fetchmany(size):
        yield np.array([row["id"] for row in part], np.int64), unpack([row["embedding"] for row in part])
