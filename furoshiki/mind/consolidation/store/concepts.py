"""Concept vectors, and the merging of two equivalent concepts."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from furoshiki.core.database.rows import find_values, marks
from furoshiki.core.timestamps import stamp
from furoshiki.memory.store import concepts

EVERY = 100_000  # a limit above the number of links of any concept

# memories of a concept, and turns of its conversations, searched for its spelling
MEMORIES_READ, TURNS_READ = 20, 200


def names(db: sqlite3.Connection) -> list[tuple[int, str, int]]:
    """Return every concept: id, name, number of memories."""
    return [(row["id"], row["name"], row["seen"]) for row in db.execute("SELECT id, name, seen FROM concepts")]


def without_vector(db: sqlite3.Connection, model: str, limit: int) -> list[tuple[int, str]]:
    """Return the newest concepts without a vector of this encoder."""
    query = "SELECT id, name FROM concepts WHERE embedding IS NULL OR embed_model!=? ORDER BY id DESC LIMIT ?"
    rows = db.execute(query, (model, limit))
    return [(row["id"], row["name"]) for row in rows]


def keep_vectors(db: sqlite3.Connection, model: str, found: Sequence[tuple[int, bytes]]) -> None:
    db.executemany(
        "UPDATE concepts SET embedding=?, embed_model=? WHERE id=?", [(blob, model, one) for one, blob in found]
    )


def vectors(db: sqlite3.Connection, model: str) -> list[tuple[int, bytes]]:
    """Return all vectors of this encoder with their concepts' ids."""
    rows = db.execute("SELECT id, embedding FROM concepts WHERE embed_model=? ORDER BY id", (model,))
    return [(row["id"], row["embedding"]) for row in rows]


def read_wordings(db: sqlite3.Connection, concept: int) -> list[str]:
    """Return texts with a concept: its newest memories, their turns, and its conversations."""
    query = (
        "WITH held AS (SELECT memory_id AS id FROM memory_concepts WHERE concept_id=:one ORDER BY memory_id DESC "
        "LIMIT :most) SELECT content AS text FROM memories WHERE id IN (SELECT id FROM held) "
        "UNION ALL SELECT t.text FROM memory_sources s JOIN turns t ON t.id=s.turn_id "
        "WHERE s.memory_id IN (SELECT id FROM held) "
        "UNION ALL SELECT text FROM (SELECT t.text FROM session_concepts c JOIN sessions s ON s.id=c.session_row "
        "JOIN turns t ON t.session_id=s.session_id WHERE c.concept_id=:one ORDER BY t.id DESC LIMIT :said)"
    )
    return find_values(db, query, {"one": concept, "most": MEMORIES_READ, "said": TURNS_READ})


def join(db: sqlite3.Connection, going: int, staying: int, now: datetime) -> bool:
    """Merge a concept and its links into another, keeping the greater strength; return False when
    either no longer exists."""
    both = [going, staying]
    rows = db.execute(f"SELECT {concepts.COLUMNS} FROM concepts c WHERE c.id IN ({marks(both)})", both).fetchall()  # noqa: S608
    both_concepts = [concepts.read(row) for row in rows]
    if len(both_concepts) != len(both):
        return False
    for concept, weight in concepts.neighbours(db, going, now, EVERY):
        if concept.id != staying:
            type_ = concepts.link_type(db, going, concept.id)
            concepts.reinforce(db, staying, concept.id, now, weight)
            if type_ != "together":
                concepts.tell_link(db, staying, concept.id, type_)
    for table in ("memory_concepts", "session_concepts"):
        db.execute(f"UPDATE OR IGNORE {table} SET concept_id=? WHERE concept_id=?", (staying, going))  # noqa: S608
    db.execute("UPDATE wanderings SET concept_id=? WHERE concept_id=?", (staying, going))
    stronger = max(both_concepts, key=lambda one: one.strength_at(now))
    db.execute(
        "UPDATE concepts SET strength=?, last_accessed_at=?, "
        "seen=(SELECT count(*) FROM memory_concepts WHERE concept_id=concepts.id) WHERE id=?",
        (stronger.strength, stamp(stronger.met_at), staying),
    )
    db.execute("DELETE FROM concepts WHERE id=?", (going,))
    return True
