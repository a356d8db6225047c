"""What the encoder for other languages makes of what was said: kept for all of it once one of them is spoken.

A text's one vector (128 numbers, a byte each) lies in a narrow table, because a question looks at every one; its tokens
lie beside those of the English encoder. Both go with these, so that a text that changes is read again.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from furoshiki.core.database import kv
from furoshiki.messages.store import accounts
from furoshiki.recall.retrieval.store import token_vectors
from furoshiki.recall.retrieval.store.vectors import Waiting, compose_text, of_kind
from furoshiki.recall.retrieval.values import Kind

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

TABLES: dict[Kind, str] = {"turn": "turn_multilingual", "memory": "memory_multilingual"}

SPOKEN = 5
"""So many turns in another language, and it is spoken here: one that was pasted costs nobody a second encoder."""

_SPOKEN_KEY = "recall.other_languages"
"""How many turns in other languages were met, up to `SPOKEN`."""

_SCANNED_AT_ONCE = 8192


class Made(NamedTuple):
    """What was made of a row: whether its text is English, its one vector and its tokens, both packed."""

    id: int
    english: bool
    whole: bytes
    tokens: bytes


def is_spoken(db: sqlite3.Connection) -> bool:
    """Whether another language than English is the owner's, or was spoken often enough."""
    own = accounts.owners_language(db) or "en"
    return not own.lower().startswith("en") or int(kv.get(db, _SPOKEN_KEY, 0)) >= SPOKEN


def was_met(db: sqlite3.Connection, turns: int, now: datetime) -> None:
    """So many more turns in other languages came."""
    before = int(kv.get(db, _SPOKEN_KEY, 0))
    if turns and before < SPOKEN:
        kv.put(db, _SPOKEN_KEY, min(before + turns, SPOKEN), now)


def list_waiting(db: sqlite3.Connection, kind: Kind, limit: int) -> list[Waiting]:
    """Rows that have the English encoder's vectors alone, newest first."""
    table, text = of_kind(kind)
    rows = db.execute(
        f"SELECT id, {text} FROM {table} WHERE index_state IN ('embedded', 'indexed') "  # noqa: S608 - our own names
        f"AND NOT EXISTS (SELECT 1 FROM {TABLES[kind]} WHERE {TABLES[kind]}.id={table}.id) "
        f"AND EXISTS (SELECT 1 FROM {token_vectors.TABLES[kind]} AS kept WHERE kept.id={table}.id) "
        "ORDER BY id DESC LIMIT ?",
        (limit,),
    )
    return [Waiting(row[0], compose_text(kind, row[1], row[2])) for row in rows]


def put(db: sqlite3.Connection, kind: Kind, rows: Iterable[Made]) -> None:
    """Keep what was made of rows that have the English encoder's tokens; any other is gone, or waits for these."""
    for row in rows:
        kept = db.execute(
            f"UPDATE {token_vectors.TABLES[kind]} SET multilingual=? WHERE id=?",  # noqa: S608 - our own names
            (row.tokens, row.id),
        )
        if kept.rowcount:
            db.execute(
                f"INSERT OR REPLACE INTO {TABLES[kind]} (id, english, whole) VALUES (?, ?, ?)",  # noqa: S608
                (row.id, row.english, row.whole),
            )


def nearest(db: sqlite3.Connection, kind: Kind, model: str, question: Floats, limit: int) -> list[tuple[int, float]]:
    """The rows nearest to a question with their cosines, best first, by looking at every one. 100,000 take 0.1 s."""
    if kind not in TABLES:
        return []
    import numpy as np

    best: list[tuple[float, int]] = []
    rows = db.execute(f"SELECT id, whole FROM {TABLES[kind]} ORDER BY id DESC")  # noqa: S608 - our own names
    while part := rows.fetchmany(_SCANNED_AT_ONCE):
        made = [(row[0], row[1]) for row in part if token_vectors.is_of(row[1], model)]
        if made:
            cosines = token_vectors.unpack_tokens([blob for _, blob in made])[0] @ question
            there = np.argsort(-cosines, kind="stable")[:limit].tolist()
            best = sorted([*best, *((-float(cosines[i]), -made[i][0]) for i in there)])[:limit]
    return [(-row_id, -cosine) for cosine, row_id in best]


def cosines(db: sqlite3.Connection, kind: Kind, ids: Sequence[int], question: Floats) -> dict[int, float]:
    """How near the one vectors of these rows are to a question's, as far as they have one."""
    rows = db.execute(
        f"SELECT id, whole FROM {TABLES[kind]} WHERE id IN (SELECT value FROM json_each(?))",  # noqa: S608
        (json.dumps(list(ids)),),
    ).fetchall()
    if not rows:
        return {}
    wholes = token_vectors.unpack_tokens([row[1] for row in rows])[0]
    return dict(zip((row[0] for row in rows), (wholes @ question).tolist(), strict=True))


def not_english(db: sqlite3.Connection, kind: Kind, ids: Sequence[int]) -> list[int]:
    """Return the rows whose text is in another language than English."""
    rows = db.execute(
        f"SELECT id FROM {TABLES[kind]} WHERE NOT english AND id IN (SELECT value FROM json_each(?))",  # noqa: S608
        (json.dumps(list(ids)),),
    )
    return [row[0] for row in rows]
