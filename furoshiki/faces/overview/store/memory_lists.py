"""Memories page by page: the newest, those in use, those that have gone cold. No page looks at more rows than it says.

A filter that few memories fit is answered from an index. What fits often, or has no index, is found by going back in
time, `LOOKED` rows at most: then the page ends early, and the cursor goes on from there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.database.rows import dump
from furoshiki.core.timestamps import parse, stamp
from furoshiki.faces.overview.rules import cursors
from furoshiki.memory.store import memories, overview
from furoshiki.memory.values import Memory

LOOKED = 6000
"""Rows that are looked at for one page: 10 ms on a laptop."""

FEW = 2000
"""So many candidates are sorted; with more, going back in time finds a page sooner."""


@dataclass(frozen=True)
class Wanted(overview.Wanted):
    """Which memories to list; None asks for any. `concept` is an id."""

    concept: int | None = None


@dataclass(frozen=True)
class Listing:
    """A page of memories, and where the next begins ("" after the last). `looked_to` is the moment down to which was
    looked when that, and not the number of memories, ended the page."""

    memories: list[Memory]
    next: str = ""
    looked_to: datetime | None = None


def newest(db: sqlite3.Connection, wanted: Wanted, cursor: str, limit: int) -> Listing:
    """The newest memories that fit, newest first."""
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
    # the plus keeps SQLite from sorting by another index what this one has in order
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


def hot(db: sqlite3.Connection, cursor: str, limit: int) -> Listing:
    """What is true now and was of use most often, then what is newest."""
    start = cursors.read(cursor, (int, str, int))
    after = "" if start is None else "AND hit_count<=? AND (hit_count, created_at, id)<(?, ?, ?)"
    rows = db.execute(
        "SELECT id, hit_count, created_at, valid_to, cold_since FROM memories INDEXED BY memories_known "  # noqa: S608
        f"WHERE status='active' AND hit_count>0 {after} ORDER BY hit_count DESC, created_at DESC, id DESC LIMIT ?",
        (*(() if start is None else (start[0], *start)), LOOKED + 1),
    )
    return _page(db, rows, lambda row: row["valid_to"] is None and row["cold_since"] is None, _by_use, limit)


def cold(db: sqlite3.Connection, cursor: str, limit: int) -> Listing:
    """What is no known fact any more for want of use, the least needed and oldest first."""
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
    held = {one.id: one for one in memories.of_ids(db, ids)}
    return Listing([held[one] for one in ids if one in held], next_, looked_to)


def _among(db: sqlite3.Connection, wanted: Wanted) -> set[int] | None:
    """The memories that fit what an index knows; None when nothing of that kind is asked for."""
    found: list[set[int]] = []
    if wanted.status not in (None, "active"):
        rows = db.execute("SELECT id FROM memories INDEXED BY memories_known WHERE status=?", (wanted.status,))
        found.append({row[0] for row in rows})
    if wanted.concept is not None:
        rows = db.execute("SELECT memory_id FROM memory_concepts WHERE concept_id=?", (wanted.concept,))
        found.append({row[0] for row in rows})
    if wanted.about is not None:
        rows = db.execute(
            "SELECT id FROM memories INDEXED BY memories_about WHERE lower(subject)=lower(?)", (wanted.about,)
        )
        ids = {row[0] for row in rows}
        match = " ".join('"' + word.replace('"', '""') + '"' for word in wanted.about.split())
        if match:
            rows = db.execute("SELECT rowid FROM memories_fts WHERE memories_fts MATCH ?", (match,))
            ids |= {row[0] for row in rows}
        found.append(ids)
    return set.intersection(*found) if found else None
