"""Paged lists of memories: newest, hot, cold, with a bound on the rows read for a page.

Selective filters use an index. Others scan back in time, `LOOKED` rows at most: then the page ends
early, and the cursor continues from there.
"""

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.database.rows import dump, find_values
from furoshiki.core.timestamps import parse, stamp
from furoshiki.faces.overview.rules import cursors
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory

LOOKED = 6000  # rows read for one page at most: 10 ms on a laptop
FEW = 2000  # candidates that are sorted at most; beyond, a scan back in time is faster


@dataclass(frozen=True)
class Wanted:
    """The filters of a list; None means any. `about` is a subject, or words that must all occur;
    `concept` is an id."""

    type: str | None = None
    status: str | None = None
    about: str | None = None
    since: datetime | None = None
    concept: int | None = None


@dataclass(frozen=True)
class Listing:
    """A page of memories, and the next cursor ("" after the last). `looked_to` is the oldest time
    read, if the row limit ended the page."""

    memories: list[Memory]
    next: str = ""
    looked_to: datetime | None = None


def newest(db: sqlite3.Connection, wanted: Wanted, cursor: str, limit: int) -> Listing:
    """Return the newest matching memories, newest first."""
    among = _among(db, wanted)
    few = among is not None and len(among) <= FEW
    conditions, values = ["1"], []
    start = cursors.read(cursor, (str, int))
    if start is not None:
        conditions.append("created_at<=? AND (created_at, id)<(?, ?)")
        values += [start[0], *start]
    if wanted.since is not None:
        conditions.append("created_at>=?")
        values.append(stamp(wanted.since))
    if few:
        conditions.append("id IN (SELECT value FROM json_each(?))")
        values.append(dump(sorted(among or ())))
    # the plus keeps SQLite from using another index, which would need sorting
    rows = db.execute(
        f"SELECT id, created_at, type, status FROM memories {'' if few else 'INDEXED BY memories_by_time'} "  # noqa: S608
        f"WHERE {' AND '.join(conditions)} ORDER BY created_at DESC, id DESC LIMIT ?",
        (*values, LOOKED + 1),
    )

    def fits(row: sqlite3.Row) -> bool:
        return (
            (wanted.type is None or row["type"] == wanted.type)
            and (wanted.status is None or row["status"] == wanted.status)
            and (among is None or few or row["id"] in among)
        )

    return _page(db, rows, fits, lambda row: cursors.make(row["created_at"], row["id"]), limit)


def read_newest(db: sqlite3.Connection, wanted: Wanted, limit: int) -> list[Memory]:
    """Return so many of the newest matching memories, over as many pages as it takes."""
    page = newest(db, wanted, "", limit)
    found = page.memories
    while page.next and len(found) < limit:
        page = newest(db, wanted, page.next, limit - len(found))
        found += page.memories
    return found


def hot(db: sqlite3.Connection, cursor: str, limit: int) -> Listing:
    """Return valid memories, most used first, then newest."""
    start = cursors.read(cursor, (int, str, int))
    after = "" if start is None else "AND hit_count<=? AND (hit_count, created_at, id)<(?, ?, ?)"
    rows = db.execute(
        "SELECT id, hit_count, created_at, valid_to, cold_since FROM memories INDEXED BY memories_known "  # noqa: S608
        f"WHERE status='active' AND hit_count>0 {after} ORDER BY hit_count DESC, created_at DESC, id DESC LIMIT ?",
        (*(() if start is None else (start[0], *start)), LOOKED + 1),
    )
    return _page(db, rows, lambda row: row["valid_to"] is None and row["cold_since"] is None, _by_use, limit)


def cold(db: sqlite3.Connection, cursor: str, limit: int) -> Listing:
    """Return memories too unused to be known facts, the least used and oldest first."""
    start = cursors.read(cursor, (int, str, int))
    after = "" if start is None else "AND hit_count>=? AND (hit_count, created_at, id)>(?, ?, ?)"
    rows = db.execute(
        "SELECT id, hit_count, created_at, cold_since FROM memories INDEXED BY memories_known "  # noqa: S608
        f"WHERE status='active' {after} ORDER BY hit_count, created_at, id LIMIT ?",
        (*(() if start is None else (start[0], *start)), LOOKED + 1),
    )
    return _page(db, rows, lambda row: row["cold_since"] is not None, _by_use, limit)


def _by_use(row: sqlite3.Row) -> str:
    return cursors.make(row["hit_count"], row["created_at"], row["id"])


def _page(
    db: sqlite3.Connection,
    rows: Iterable[sqlite3.Row],
    fits: Callable[[sqlite3.Row], bool],
    after: Callable[[sqlite3.Row], str],
    limit: int,
) -> Listing:
    ids: list[int] = []
    last: sqlite3.Row | None = None
    next_, looked_to = "", None
    for number, row in enumerate(rows):
        if number == LOOKED and last is not None:
            next_, looked_to = after(last), parse(last["created_at"])
            break
        if fits(row):
            if len(ids) == limit and last is not None:
                next_ = after(last)
                break
            ids.append(row["id"])
        last = row
    held = {memory.id: memory for memory in memories.of_ids(db, ids)}
    return Listing([held[one] for one in ids if one in held], next_, looked_to)


def _among(db: sqlite3.Connection, wanted: Wanted) -> set[int] | None:
    """Return the ids that match the indexed filters; None without such filters."""
    found: list[set[int]] = []
    if wanted.status not in (None, "active"):
        rows = db.execute("SELECT id FROM memories INDEXED BY memories_known WHERE status=?", (wanted.status,))
        found.append({row[0] for row in rows})
    if wanted.concept is not None:
        rows = db.execute("SELECT memory_id FROM memory_concepts WHERE concept_id=?", (wanted.concept,))
        found.append({row[0] for row in rows})
    if wanted.about is not None:
        query = "SELECT id FROM memories INDEXED BY memories_about WHERE lower(subject)=lower(?)"
        ids = set(find_values(db, query, wanted.about))
        match = " ".join('"' + word.replace('"', '""') + '"' for word in wanted.about.split())
        if match:
            ids |= set(find_values(db, "SELECT rowid FROM memories_fts WHERE memories_fts MATCH ?", match))
        found.append(ids)
    return set.intersection(*found) if found else None
