"""Queries for similar memories, and the transfer of data from a duplicate.

Vectors are read in batches, so that a hundred thousand are never in memory at once.
"""

import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from furoshiki.core.arrays import Floats, Ids
from furoshiki.core.database.rows import find_value, find_values, read_queries
from furoshiki.core.timestamps import stamp
from furoshiki.memory.store.accesses import KEPT
from furoshiki.recall.retrieval.store.vectors import SCANNED_AT_ONCE, unpack

QUESTIONS = 512  # vectors compared with all others at once
MOST_MATCHES = 20  # older memories returned for a newer one

_INHERIT = read_queries(Path(__file__).with_name("inherit.sql"))
_CONCLUDED = "('reflection', 'narrative', 'tension')"


def types(db: sqlite3.Connection) -> list[str]:
    """Return the types of active memories."""
    return find_values(db, "SELECT DISTINCT type FROM memories WHERE status='active' ORDER BY type")


def first_without_vector(db: sqlite3.Connection, model: str) -> int | None:
    """Return the oldest active memory still waiting for a vector of this encoder, or None."""
    query = (
        "SELECT min(id) FROM memories WHERE status='active' AND (embed_model IS NOT ? OR embedding IS NULL) "
        "AND index_state NOT IN ('failed', 'empty')"
    )
    memory_id: int | None = find_value(db, query, model)
    return memory_id


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
    values = {"keeper": keeper, "twin": duplicate, "kept": KEPT, "now": stamp(now)}
    alive = db.execute("SELECT count(*) FROM memories WHERE id IN (:keeper, :twin) AND status='active'", values)
    if alive.fetchone()[0] != 2:
        return False
    for [query] in _INHERIT.values():
        db.execute(query, values)
    return True


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
