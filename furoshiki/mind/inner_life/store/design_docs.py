"""The companion's documents about itself, in searchable parts (table `design_docs`).

A part keeps its row and vector while its text is unchanged; a changed part is a new row, and ids
are never reused. A reference can therefore detect that its part is gone.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.database.rows import from_row
from furoshiki.core.framing import clean
from furoshiki.core.timestamps import stamp
from furoshiki.mind.inner_life.rules.documents import Chunk


@dataclass(frozen=True)
class Part:
    """A part of a document: its source ("docs/memory.md"), headings and text."""

    id: int
    source: str
    heading: str
    text: str


@dataclass(frozen=True)
class Changes:
    """The numbers of new, deleted and unchanged parts."""

    new: int
    gone: int
    kept: int


def keep(db: sqlite3.Connection, documents: Mapping[str, Sequence[Chunk]], now: datetime) -> Changes:
    """Store exactly these documents, each as its parts in order."""
    held: dict[tuple[str, str, str], list[tuple[int, int]]] = {}
    for row in db.execute("SELECT id, source, part, heading, text FROM design_docs ORDER BY id"):
        held.setdefault((row["source"], row["heading"], row["text"]), []).append((row["id"], row["part"]))
    kept, moved, new = 0, [], []
    for source, chunks in documents.items():
        for place, chunk in enumerate(chunks, 1):
            same = held.get((source, clean(chunk.heading), clean(chunk.text)))
            if not same:
                new.append((source, place, clean(chunk.heading), clean(chunk.text), stamp(now)))
                continue
            row_id, before = same.pop(0)
            kept += 1
            if before != place:
                moved.append((place, row_id))
    gone = [(row_id,) for rows in held.values() for row_id, _ in rows]
    db.executemany("DELETE FROM design_docs WHERE id=?", gone)
    # Two steps, because a position is taken until the row that held it has moved as well.
    db.executemany("UPDATE design_docs SET part=-id WHERE id=?", [(row_id,) for _, row_id in moved])
    db.executemany("UPDATE design_docs SET part=? WHERE id=?", moved)
    db.executemany("INSERT INTO design_docs (source, part, heading, text, made_at) VALUES (?, ?, ?, ?, ?)", new)
    return Changes(len(new), len(gone), kept)


def every(db: sqlite3.Connection) -> list[Part]:
    """Return all parts by document, each in order."""
    rows = db.execute("SELECT id, source, heading, text FROM design_docs ORDER BY source, part")
    return [from_row(Part, row) for row in rows]


def of_ids(db: sqlite3.Connection, ids: Sequence[int]) -> dict[int, Part]:
    """Return these parts, as far as they exist."""
    query = "SELECT id, source, heading, text FROM design_docs WHERE id IN (SELECT value FROM json_each(?))"
    rows = db.execute(query, (json.dumps(list(ids)),))
    return {row["id"]: from_row(Part, row) for row in rows}


def tables(db: sqlite3.Connection) -> list[str]:
    """Return the names of the database's tables, without SQLite's internal ones."""
    rows = db.execute(
        "SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    )
    names = [str(row["name"]) for row in rows if row["name"] != "alembic_version"]
    return [name for name in names if "_fts_" not in name]
