"""Storage of unit vectors in the rows of their texts: pending rows, stored vectors, nearest search.

A vector is stored as float16 with its text and the id of its encoder: a lost index can be rebuilt
from it. `index_state` is pending (no vector yet) → embedded → indexed (Chroma has it too); `failed`
is a text the encoder could not take and `empty` one without content.
"""

import hashlib
import json
import random
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core import refs
from furoshiki.core.arrays import Floats, Ids
from furoshiki.core.database import kv
from furoshiki.core.database.rows import change_rows, find_value, find_values
from furoshiki.core.timestamps import stamp
from furoshiki.recall.retrieval.store import token_vectors
from furoshiki.recall.retrieval.values import INDEXED, Kind, compose_design, compose_memory, compose_turn

TABLES: dict[Kind, str] = {"turn": "turns", "memory": "memories", "session": "sessions", "design": "design_docs"}

_MODEL_KEY = "memoryd.model"  # the `kv` key of the id of the encoder that made the stored vectors

_PACE_KEY = "memoryd.pace"

SCANNED_AT_ONCE = 4096  # vectors held in memory at once during a scan: 3 MB

_TEXT: dict[Kind, str] = {
    "turn": "speaker, text",
    "memory": "type, coalesce(content_contextualized, content)",
    "session": "topics, document",
    "design": "heading, text",
}


@dataclass(frozen=True)
class Waiting:
    """A row without a vector. `text` is the encoder's input."""

    id: int
    text: str


@dataclass(frozen=True)
class Embedded:
    """A row's new vector, its text's hash, and packed token vectors (None: it has none)."""

    id: int
    embedding: bytes
    content_hash: str
    tokens: bytes | None = None


def pack(vector: Floats) -> bytes:
    """Pack a vector for storage: float16, little-endian."""
    return vector.astype("<f2").tobytes()


def unpack(blobs: Sequence[bytes]) -> Floats:
    """Return stored vectors of one encoder as rows of float32; 0 x 0 if there are none."""
    import numpy as np

    if not blobs:
        return np.zeros((0, 0), np.float32)
    return np.frombuffer(b"".join(blobs), "<f2").reshape(len(blobs), -1).astype(np.float32)


def list_newest(db: sqlite3.Connection, kind: Kind, limit: int) -> list[Waiting]:
    """Return rows with their text, newest first."""
    query = f"SELECT id, {_TEXT[kind]} FROM {TABLES[kind]} ORDER BY id DESC LIMIT ?"  # noqa: S608
    return [Waiting(row[0], compose_text(kind, row[1], row[2])) for row in db.execute(query, (limit,))]


def list_waiting(db: sqlite3.Connection, kind: Kind, limit: int) -> list[Waiting]:
    """Return pending rows, newest first; oldest first if the newest pending turn is imported.

    New messages are needed first. A long import is read in order of ids, because token vectors
    inserted backwards fill their pages only by half.
    """
    table = TABLES[kind]
    last = find_value(db, f"SELECT max(id) FROM {table} WHERE index_state = 'pending'")  # noqa: S608
    if last is None:
        return []
    forwards = kind == "turn" and find_value(db, "SELECT source FROM turns WHERE id=?", last) != "live"
    rows = db.execute(
        f"SELECT id, {_TEXT[kind]} FROM {table} WHERE index_state = 'pending' "  # noqa: S608
        f"ORDER BY id {'ASC' if forwards else 'DESC'} LIMIT ?",
        (limit,),
    )
    return [Waiting(row[0], compose_text(kind, row[1], row[2])) for row in rows]


def list_unindexed(db: sqlite3.Connection, kind: Kind, limit: int) -> list[tuple[int, bytes]]:
    """Return vectors that are not in the index yet, newest first."""
    rows = db.execute(
        f"SELECT id, embedding FROM {TABLES[kind]} WHERE index_state = 'embedded' "  # noqa: S608
        "ORDER BY id DESC LIMIT ?",
        (limit,),
    )
    return [(row[0], row[1]) for row in rows]


def fresh(db: sqlite3.Connection, kind: Kind, model: str, question: Floats, limit: int) -> list[tuple[int, float]]:
    """Return the nearest of the vectors not in the index yet, with cosines, best first."""
    rows = db.execute(
        f"SELECT id, embedding FROM {TABLES[kind]} WHERE index_state = 'embedded' AND embed_model = ? "  # noqa: S608
        "ORDER BY id DESC LIMIT ?",
        (model, SCANNED_AT_ONCE),
    ).fetchall()
    if not rows:
        return []
    cosines = (unpack([row[1] for row in rows]) @ question).tolist()
    pairs = zip((row[0] for row in rows), cosines, strict=True)
    return sorted(pairs, key=lambda pair: (-pair[1], -pair[0]))[:limit]


def of_speaker(db: sqlite3.Connection, model: str, speaker: str, since: datetime) -> list[tuple[int, bytes]]:
    """Return turns of a speaker since a time with their vectors by this encoder."""
    rows = db.execute(
        "SELECT id, embedding FROM turns WHERE at>=? AND speaker=? AND embed_model=? AND +source='live' "
        "AND kind NOT IN ('silence', 'command', 'reaction')",
        (stamp(since), speaker, model),
    )
    return [(row[0], row[1]) for row in rows]


def keep_vectors(db: sqlite3.Connection, kind: Kind, model: str, rows: Iterable[Embedded]) -> None:
    """Store new vectors and token vectors; deleted rows are ignored."""
    new_rows = list(rows)
    token_vectors.put(db, kind, [(row.id, row.tokens) for row in new_rows])
    db.executemany(
        f"UPDATE {TABLES[kind]} SET embedding=?, embed_model=?, content_hash=?, index_state='embedded' "  # noqa: S608
        "WHERE id=? AND index_state='pending'",
        [(row.embedding, model, row.content_hash, row.id) for row in new_rows],
    )


def select_unchanged(db: sqlite3.Connection, kind: Kind, rows: Iterable[Embedded]) -> list[Embedded]:
    """Return the new vectors whose row is still pending and has the same text."""
    question = f"SELECT {_TEXT[kind]} FROM {TABLES[kind]} WHERE id=? AND index_state='pending'"  # noqa: S608
    unchanged = []
    for new_row in rows:
        row = db.execute(question, (new_row.id,)).fetchone()
        if row is not None and content_hash(compose_text(kind, row[0], row[1])) == new_row.content_hash:
            unchanged.append(new_row)
    return unchanged


def content_hash(text: str) -> str:
    """Return the hash of a vector's text: half of its SHA-256, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def mark_failed(db: sqlite3.Connection, kind: Kind, ids: Sequence[int]) -> None:
    """Mark rows whose texts the encoder could not take; full-text search still finds them."""
    _mark(db, kind, ids, "pending", "failed")


def mark_indexed(db: sqlite3.Connection, kind: Kind, ids: Sequence[int]) -> None:
    _mark(db, kind, ids, "embedded", "indexed")


def _mark(db: sqlite3.Connection, kind: Kind, ids: Sequence[int], before: str, after: str) -> None:
    change = f"UPDATE {TABLES[kind]} SET index_state=? WHERE id=? AND index_state=?"  # noqa: S608
    db.executemany(change, [(after, row_id, before) for row_id in ids])


def mark_lost(db: sqlite3.Connection, kind: Kind, limit: int) -> int:
    """Mark up to `limit` indexed rows as missing in the index; return their number."""
    query = (
        f"UPDATE {TABLES[kind]} SET index_state='embedded' WHERE id IN "  # noqa: S608
        f"(SELECT id FROM {TABLES[kind]} WHERE index_state='indexed' LIMIT ?)"
    )
    return change_rows(db, query, limit)


def start_over(db: sqlite3.Connection, kind: Kind, model: str, after: int, limit: int) -> int | None:
    """Mark rows of other encoders as pending, `limit` rows after `after`; return the last id.

    They keep their old vectors until they get new ones. None if the table has no row after `after`.
    """
    table = TABLES[kind]
    query = f"SELECT max(id) FROM (SELECT id FROM {table} WHERE id > ? ORDER BY id LIMIT ?)"  # noqa: S608
    last = find_value(db, query, after, limit)
    if last is None:
        return None
    db.execute(
        f"UPDATE {table} SET index_state='pending' "  # noqa: S608
        "WHERE id > ? AND id <= ? AND embed_model != ? AND index_state IN ('embedded', 'indexed', 'failed')",
        (after, last, model),
    )
    return int(last)


def backlog(db: sqlite3.Connection) -> dict[Kind, dict[str, int]]:
    """Count the rows of each kind by index state."""
    return {
        kind: {
            row[0]: row[1]
            for row in db.execute(f"SELECT index_state, count(*) FROM {table} GROUP BY index_state")  # noqa: S608
        }
        for kind, table in TABLES.items()
    }


def count_rows(db: sqlite3.Connection) -> int:
    """Count all rows, with a vector or not."""
    return sum(int(find_value(db, f"SELECT count(*) FROM {table}")) for table in TABLES.values())  # noqa: S608


def count_pending(db: sqlite3.Connection, kinds: Iterable[Kind] = INDEXED) -> int:
    """Count rows that are not in the index yet, with a vector or without."""
    return _count(db, "IN ('pending', 'embedded')", kinds)


def fresh_count(db: sqlite3.Connection) -> int:
    """Count rows with a vector that is not in the index yet."""
    return _count(db, "= 'embedded'", INDEXED)


def without_vector(db: sqlite3.Connection, kinds: Iterable[Kind] = INDEXED) -> int:
    """Count rows that wait for a vector and so are found by words alone."""
    return _count(db, "= 'pending'", kinds)


def model(db: sqlite3.Connection) -> str | None:
    """Return the id of the encoder of the stored vectors, None before there are any."""
    stored = kv.get(db, _MODEL_KEY)
    return None if stored is None else str(stored)


def model_is(db: sqlite3.Connection, model_id: str, now: datetime) -> None:
    """Set the encoder whose vectors are stored from now on."""
    kv.put(db, _MODEL_KEY, model_id, now)


def of_others(db: sqlite3.Connection, model_id: str) -> int:
    """Count rows with a vector of another encoder only."""
    own_model = model(db)
    if own_model is None:
        return 0
    if own_model != model_id:
        question = "SELECT count(*) FROM {} WHERE index_state IN ('embedded', 'indexed')"
        return sum(int(find_value(db, question.format(table))) for table in TABLES.values())
    question = "SELECT count(*) FROM {} WHERE index_state='pending' AND embed_model!=?"
    return sum(int(find_value(db, question.format(table), model_id)) for table in TABLES.values())


def pace(db: sqlite3.Connection) -> float | None:
    """Return the measured rows embedded per second on this machine, or None."""
    stored = kv.get(db, _PACE_KEY)
    return None if stored is None else float(stored)


def pace_is(db: sqlite3.Connection, rows_a_second: float, now: datetime) -> None:
    """Store the speed of embedding."""
    kv.put(db, _PACE_KEY, round(rows_a_second, 2), now)


def read_vectors(db: sqlite3.Connection, kind: Kind, model: str, after: int, limit: int) -> list[tuple[int, bytes]]:
    """Return vectors in order of id, after the id `after`."""
    rows = db.execute(
        f"SELECT id, embedding FROM {TABLES[kind]} WHERE id > ? AND embed_model = ? "  # noqa: S608
        "AND embedding IS NOT NULL ORDER BY id LIMIT ?",
        (after, model, limit),
    )
    return [(row[0], row[1]) for row in rows]


def of_ids(db: sqlite3.Connection, kind: Kind, model: str, ids: Sequence[int]) -> dict[int, bytes]:
    """Return the vectors of these rows, if they have one."""
    rows = db.execute(
        f"SELECT id, embedding FROM {TABLES[kind]} WHERE id IN (SELECT value FROM json_each(?)) "  # noqa: S608
        "AND embed_model=? AND embedding IS NOT NULL",
        (json.dumps(list(ids)), model),
    )
    return {row[0]: row[1] for row in rows}


def cosines(
    db: sqlite3.Connection, kind: Kind, model: str, ids: Sequence[int], question: Floats
) -> list[tuple[int, float]]:
    """Return those of these rows with vectors, with their exact cosines, best first."""
    rows = of_ids(db, kind, model, ids)
    if not rows:
        return []
    pairs = zip(rows, (unpack(list(rows.values())) @ question).tolist(), strict=True)
    return sorted(pairs, key=lambda pair: (-pair[1], refs.name(kind, pair[0])))


def before_newest(db: sqlite3.Connection, kind: Kind, count: int) -> int:
    """Return the id after which the newest `count` rows begin; 0 if there are no more than that."""
    return int(find_value(db, f"SELECT id FROM {TABLES[kind]} ORDER BY id DESC LIMIT 1 OFFSET ?", count) or 0)  # noqa: S608


def rowless(db: sqlite3.Connection, kind: Kind, ids: Sequence[int]) -> list[int]:
    """Return the ids without a row."""
    query = f"SELECT value FROM json_each(?) WHERE value NOT IN (SELECT id FROM {TABLES[kind]})"  # noqa: S608
    return find_values(db, query, json.dumps(list(ids)))


def sample(db: sqlite3.Connection, model: str, size: int, rng: random.Random) -> list[tuple[Kind, int, bytes]]:
    """Return up to `size` distinct indexed vectors from all tables, each kind in proportion."""
    spans = {kind: _span(db, table) for kind, table in TABLES.items()}
    total = sum(last - first + 1 for first, last in spans.values())
    blob_of: dict[tuple[Kind, int], bytes] = {}
    for kind in INDEXED:
        first, last = spans[kind]
        span = last - first + 1
        share = -(-size * span // total) if total else 0
        for start in rng.sample(range(first, last + 1), min(share, span)):
            row = db.execute(
                f"SELECT id, embedding FROM {TABLES[kind]} WHERE id >= ? AND index_state = 'indexed' "  # noqa: S608
                "AND embed_model = ? ORDER BY id LIMIT 1",
                (start, model),
            ).fetchone()
            if row is not None:
                blob_of[kind, row[0]] = row[1]
    return [(kind, row_id, blob) for (kind, row_id), blob in blob_of.items()][:size]


def newest_rows(db: sqlite3.Connection, kind: Kind, model: str, limit: int) -> sqlite3.Cursor:
    """Query the ids and vectors of the newest rows; all with a limit of -1."""
    return db.execute(
        f"SELECT id, embedding FROM {TABLES[kind]} WHERE embed_model = ? "  # noqa: S608
        "AND embedding IS NOT NULL ORDER BY id DESC LIMIT ?",
        (model, limit),
    )


def nearest(
    db: sqlite3.Connection, kind: Kind, model: str, questions: Floats, limit: int, newest: int | None = None
) -> list[list[tuple[int, float]]]:
    """For each row of `questions` return the nearest stored vectors with cosines, by an exact scan.

    `newest` bounds how many vectors are scanned, newest rows first; None scans all.
    """
    import numpy as np

    best_ids = np.zeros((len(questions), 0), np.int64)
    best = np.zeros((len(questions), 0), np.float32)
    for ids, vectors in _scan(db, kind, model, newest):
        best = np.concatenate([best, questions @ vectors.T], axis=1)
        best_ids = np.concatenate([best_ids, np.broadcast_to(ids, (len(questions), len(ids)))], axis=1)
        if best.shape[1] > limit:
            keep = np.argpartition(-best, limit - 1, axis=1)[:, :limit]
            best, best_ids = np.take_along_axis(best, keep, 1), np.take_along_axis(best_ids, keep, 1)
    # Ties: newest first, so that the order does not depend on the chunks of the scan.
    orders = [np.lexsort((-ids, -scores)) for ids, scores in zip(best_ids, best, strict=True)]
    return [
        [(int(ids[i]), float(scores[i])) for i in order]
        for ids, scores, order in zip(best_ids, best, orders, strict=True)
    ]


def _scan(db: sqlite3.Connection, kind: Kind, model: str, newest: int | None) -> Iterator[tuple[Ids, Floats]]:
    import numpy as np

    rows = newest_rows(db, kind, model, -1 if newest is None else newest)
    while part := rows.fetchmany(SCANNED_AT_ONCE):
        yield np.array([row[0] for row in part], np.int64), unpack([row[1] for row in part])


def _count(db: sqlite3.Connection, states: str, kinds: Iterable[Kind]) -> int:
    question = f"SELECT count(*) FROM {{}} WHERE index_state {states}"  # noqa: S608
    return sum(int(find_value(db, question.format(TABLES[kind]))) for kind in kinds)


def _span(db: sqlite3.Connection, table: str) -> tuple[int, int]:
    row = db.execute(f"SELECT min(id), max(id) FROM {table}").fetchone()  # noqa: S608
    return (1, 0) if row[0] is None else (row[0], row[1])


def of_kind(kind: Kind) -> tuple[str, str]:
    """Return the table of a kind, and the two columns of its text."""
    return TABLES[kind], _TEXT[kind]


def compose_text(kind: Kind, first: str, second: str) -> str:
    """Compose the encoder's input from the two columns of a text."""
    if kind == "turn":
        return compose_turn(first, second)
    if kind == "memory":
        return compose_memory(first, second)
    if kind == "design":
        return compose_design(first, second)
    topics = ", ".join(json.loads(first))
    return f"{topics}\n{second}" if topics else second
