"""The companion's documents about itself, in parts that can be found: `design_docs`.

A part keeps its row, and so its vector, for as long as its words stay as they are; a part whose words have changed is
a new row, and ids are never used again. So what rests on a part can tell that the part has gone.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.database.rows import clean, from_row
from furoshiki.core.timestamps import stamp
from furoshiki.mind.inner_life.rules.documents import Chunk


@dataclass(frozen=True)
class Part:
    """One part of a document: where it is from ("docs/memory.md"), the headings it stands under, its words."""

    id: int
    source: str
    heading: str
    text: str


@dataclass(frozen=True)
class Changes:
    """How many parts are new, gone and as they were."""

    new: int
    gone: int
    kept: int


def keep(db: sqlite3.Connection, documents: Mapping[str, Sequence[Chunk]], now: datetime) -> Changes:
    """Hold these documents and no others, each as its parts in order."""
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
    # Two steps, for a place is taken until the row that stood there has moved as well.
    db.executemany("UPDATE design_docs SET part=-id WHERE id=?", [(row_id,) for _, row_id in moved])
    db.executemany("UPDATE design_docs SET part=? WHERE id=?", moved)
    db.executemany("INSERT INTO design_docs (source, part, heading, text, made_at) VALUES (?, ?, ?, ?, ?)", new)
    return Changes(len(new), len(gone), kept)


def every(db: sqlite3.Connection) -> list[Part]:
    """All parts, document by document, each in order."""
    rows = db.execute("SELECT id, source, heading, text FROM design_docs ORDER BY source, part")
    return [from_row(Part, row) for row in rows]


def of_ids(db: sqlite3.Connection, ids: Sequence[int]) -> dict[int, Part]:
    """Return these parts, as far as they exist."""
    rows = db.execute(
        "SELECT id, source, heading, text FROM design_docs WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(ids)),),
    )
    return {row["id"]: from_row(Part, row) for row in rows}


def tables(db: sqlite3.Connection) -> list[str]:
    """The names of the tables of this database, without those that SQLite keeps beside them."""
    rows = db.execute(
        "SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    )
    names = [str(row["name"]) for row in rows if row["name"] != "alembic_version"]
    return [name for name in names if "_fts_" not in name]
