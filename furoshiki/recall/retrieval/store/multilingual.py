"""Storage of the multilingual encoder's vectors, for all texts once another language is in use.

A text's one vector (128 numbers, a byte each) is in a narrow table, because a query scans all of
them; its tokens are stored with those of the English encoder. Both are deleted with these, so that
a changed text is read again.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from furoshiki.core.arrays import Floats
from furoshiki.core.database import kv
from furoshiki.core.database.rows import find_values
from furoshiki.messages.store import accounts
from furoshiki.recall.retrieval.store import token_vectors
from furoshiki.recall.retrieval.store.vectors import Waiting, compose_text, of_kind
from furoshiki.recall.retrieval.values import Kind

TABLES: dict[Kind, str] = {"turn": "turn_multilingual", "memory": "memory_multilingual"}

# turns in another language after which it counts as in use; a single pasted one does not
SPOKEN = 5

# the `kv` key of the number of turns in other languages, up to `SPOKEN`
_SPOKEN_KEY = "recall.other_languages"

_SCANNED_AT_ONCE = 8192


class Made(NamedTuple):
    """A row's vectors: whether its text is English, its one vector and its tokens, both packed."""

    id: int
    english: bool
    whole: bytes
    tokens: bytes


def is_spoken(db: sqlite3.Connection) -> bool:
    """Whether the owner's language is not English, or another was used often enough."""
    own = accounts.owners_language(db) or "en"
    return not own.lower().startswith("en") or int(kv.get(db, _SPOKEN_KEY, 0)) >= SPOKEN


def was_met(db: sqlite3.Connection, turns: int, now: datetime) -> None:
    """Count more turns in other languages."""
    before = int(kv.get(db, _SPOKEN_KEY, 0))
    if turns and before < SPOKEN:
        kv.put(db, _SPOKEN_KEY, min(before + turns, SPOKEN), now)


def list_waiting(db: sqlite3.Connection, kind: Kind, limit: int) -> list[Waiting]:
    """Return rows that only the English encoder has read, newest first."""
    table, text = of_kind(kind)
    rows = db.execute(
        f"SELECT id, {text} FROM {table} WHERE index_state IN ('embedded', 'indexed') "  # noqa: S608
        f"AND NOT EXISTS (SELECT 1 FROM {TABLES[kind]} WHERE {TABLES[kind]}.id={table}.id) "
        f"AND EXISTS (SELECT 1 FROM {token_vectors.TABLES[kind]} AS kept WHERE kept.id={table}.id) "
        "ORDER BY id DESC LIMIT ?",
        (limit,),
    )
    return [Waiting(row[0], compose_text(kind, row[1], row[2])) for row in rows]


def put(db: sqlite3.Connection, kind: Kind, rows: Iterable[Made]) -> None:
    """Store vectors of rows that have the English encoder's tokens."""
    for row in rows:
        query = f"UPDATE {token_vectors.TABLES[kind]} SET multilingual=? WHERE id=?"  # noqa: S608
        cursor = db.execute(query, (row.tokens, row.id))
        if cursor.rowcount:
            db.execute(
                f"INSERT OR REPLACE INTO {TABLES[kind]} (id, english, whole) VALUES (?, ?, ?)",  # noqa: S608
                (row.id, row.english, row.whole),
            )


def nearest(db: sqlite3.Connection, kind: Kind, model: str, question: Floats, limit: int) -> list[tuple[int, float]]:
    """Return the rows nearest to a question with cosines, by a full scan (100,000: 0.1 s)."""
    if kind not in TABLES:
        return []
    import numpy as np

    best: list[tuple[float, int]] = []
    rows = db.execute(f"SELECT id, whole FROM {TABLES[kind]} ORDER BY id DESC")  # noqa: S608
    while part := rows.fetchmany(_SCANNED_AT_ONCE):
        blobs = [(row[0], row[1]) for row in part if token_vectors.is_of(row[1], model)]
        if blobs:
            cosines = token_vectors.unpack_tokens([blob for _, blob in blobs])[0] @ question
            there = np.argsort(-cosines, kind="stable")[:limit].tolist()
            best = sorted([*best, *((-float(cosines[i]), -blobs[i][0]) for i in there)])[:limit]
    return [(-row_id, -cosine) for cosine, row_id in best]


def cosines(db: sqlite3.Connection, kind: Kind, ids: Sequence[int], question: Floats) -> dict[int, float]:
    """Return the cosines of these rows' vectors to a question, for rows that have one."""
    query = f"SELECT id, whole FROM {TABLES[kind]} WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608
    rows = db.execute(query, (json.dumps(list(ids)),)).fetchall()
    if not rows:
        return {}
    wholes = token_vectors.unpack_tokens([row[1] for row in rows])[0]
    return dict(zip((row[0] for row in rows), (wholes @ question).tolist(), strict=True))


def not_english(db: sqlite3.Connection, kind: Kind, ids: Sequence[int]) -> list[int]:
    """Return the rows whose text is not English."""
    query = f"SELECT id FROM {TABLES[kind]} WHERE NOT english AND id IN (SELECT value FROM json_each(?))"  # noqa: S608
    return find_values(db, query, json.dumps(list(ids)))
