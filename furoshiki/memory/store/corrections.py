"""Withdrawn facts and the messages that corrected them, read from the memories' sources.

A memory that corrects only words, and no fact, has the corrected turn's id in its metadata.
"""

import sqlite3
from collections.abc import Sequence

from furoshiki.core.database.rows import find_value, find_values, marks
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory

# the metadata keys of the turn whose words a memory corrects, and of these words as corrected
WORDS, READS = "puts_right", "reads"


def by_turn(db: sqlite3.Connection, turn_ids: Sequence[int]) -> dict[int, int]:
    """Map those of these turns that were corrected later to the last turn that did so."""
    rows = db.execute(
        "SELECT s.turn_id AS old, max(coalesce(after.turn_id, 0), coalesce((SELECT max(t.turn_id) "  # noqa: S608
        "FROM memory_links l JOIN memory_sources t ON t.memory_id=l.to_id "
        "WHERE l.from_id=m.id AND l.relation='updated_by'), 0)) AS new "
        "FROM memory_sources s JOIN memories m ON m.id=s.memory_id "
        "LEFT JOIN memory_sources after ON after.memory_id=m.id AND after.turn_id>s.turn_id "
        f"WHERE s.turn_id IN ({marks(turn_ids)}) AND ((m.status='archived' AND m.valid_to IS NOT NULL) "
        f"OR json_extract(m.metadata, '$.{WORDS}')=s.turn_id)",
        tuple(turn_ids),
    )
    correction_of: dict[int, int] = {}
    for row in rows:
        old, new = int(row["old"]), int(row["new"])
        if new > old:
            correction_of[old] = max(new, correction_of.get(old, 0))
    return correction_of


def read_words(db: sqlite3.Connection, turn_ids: Sequence[int]) -> dict[int, tuple[int, str]]:
    """Map those of these turns that corrected words, or were so corrected, to the turn that first
    said them and to the words as last corrected."""
    rows = db.execute(
        f"SELECT s.turn_id, json_extract(m.metadata, '$.{WORDS}') AS first, "  # noqa: S608
        f"json_extract(m.metadata, '$.{READS}') AS reads FROM memory_sources s JOIN memories m ON m.id=s.memory_id "
        f"WHERE s.turn_id IN ({marks(turn_ids)}) AND first IS NOT NULL AND reads IS NOT NULL ORDER BY m.id",
        tuple(turn_ids),
    )
    words_of: dict[int, tuple[int, str]] = {}
    for turn_id, first, reads in rows:
        words_of[int(turn_id)] = int(first), str(reads)
    return words_of


def find_reading(db: sqlite3.Connection, words: str) -> int | None:
    """Return the id of the turn that reads so since it was last corrected, or None."""
    query = (
        f"SELECT json_extract(metadata, '$.{WORDS}') FROM memories "  # noqa: S608
        f"WHERE json_extract(metadata, '$.{READS}')=? ORDER BY id DESC LIMIT 1"
    )
    turn_id: int | None = find_value(db, query, words)
    return turn_id


def read_corrected(db: sqlite3.Connection, turn_ids: Sequence[int]) -> dict[int, int]:
    """Map those of these turns that corrected a fact to the turn that first stated it: "no, 14"
    corrects "no, 13", and that an earlier statement."""
    if not turn_ids:
        return {}
    rows = db.execute(
        "WITH RECURSIVE wrong(turn_id, id) AS (SELECT t.turn_id, l.from_id FROM memory_sources t "  # noqa: S608
        "JOIN memory_links l ON l.to_id=t.memory_id AND l.relation='updated_by' "
        f"WHERE t.turn_id IN ({marks(turn_ids)}) UNION SELECT w.turn_id, l.from_id FROM wrong w "
        "JOIN memory_links l ON l.to_id=w.id AND l.relation='updated_by') "
        "SELECT w.turn_id, min(s.turn_id) AS first FROM wrong w JOIN memories m ON m.id=w.id "
        "JOIN memory_sources s ON s.memory_id=m.id WHERE m.status='archived' AND m.valid_to IS NOT NULL "
        "AND s.turn_id<w.turn_id GROUP BY w.turn_id",
        tuple(turn_ids),
    )
    return {int(row["turn_id"]): int(row["first"]) for row in rows}


def never_true(db: sqlite3.Connection, text: str) -> list[str]:
    """List the withdrawn facts that a text contains word for word."""
    query = "SELECT content FROM memories WHERE status='archived' AND valid_to IS NOT NULL AND instr(?, content) > 0"
    return find_values(db, query, text)


def read_taken_back(db: sqlite3.Connection, turn_id: int) -> list[Memory]:
    """Return the facts withdrawn as wrong in a turn that nothing replaces yet."""
    query = (
        "SELECT m.id FROM memory_sources s JOIN memories m ON m.id=s.memory_id "
        "WHERE s.turn_id=? AND m.status='archived' AND m.valid_to IS NOT NULL AND NOT EXISTS "
        "(SELECT 1 FROM memory_links l WHERE l.from_id=m.id AND l.relation='updated_by') ORDER BY m.id"
    )
    return memories.of_ids(db, find_values(db, query, turn_id))
