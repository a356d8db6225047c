"""Queries for an overview of all memories: totals, hottest, contested, fading, newest."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.core.database.rows import find_value, find_values, from_row
from furoshiki.core.timestamps import stamp
from furoshiki.memory.rules.weights import CONTESTED_ABOVE, NEW, UNINFORMED_BELOW
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory

TYPES = ("episodic", "semantic", "procedural", "preference", "reflection", "correction", "narrative", "tension")

_CONTESTED = f"status='active' AND alpha>{CONTESTED_ABOVE} AND beta>{CONTESTED_ABOVE}"
_UNINFORMED = f"status='active' AND alpha<{UNINFORMED_BELOW} AND beta<{UNINFORMED_BELOW}"
_HOT = "status='active' AND valid_to IS NULL AND cold_since IS NULL AND hit_count>0"
_COLD = "status='active' AND cold_since IS NOT NULL"
_LAST_USED = "coalesce(last_accessed_at, created_at)"
_FADING = (
    f"status='active' AND immutable=0 AND type!='tension' AND alpha/(alpha+beta)<{NEW.centre} AND {_LAST_USED}<:since"
)


def hot(db: sqlite3.Connection, limit: int) -> list[Memory]:
    """Return current memories by number of uses, then newest first."""
    return _memories(db, f"{_HOT} ORDER BY hit_count DESC, created_at DESC, id DESC LIMIT ?", [limit])


def read_contested(db: sqlite3.Connection, limit: int) -> list[Memory]:
    """Return the memories with most evidence both for and against them."""
    return _memories(
        db, f"{_CONTESTED} ORDER BY min(alpha, beta) DESC, id DESC LIMIT ?", [limit], "INDEXED BY memories_weighed"
    )


def read_fading(db: sqlite3.Connection, since: datetime, limit: int) -> list[Memory]:
    """Return memories lighter than a new one and unused since a time, the lightest first."""
    where = _FADING.replace(":since", "?")
    return _memories(db, f"{where} ORDER BY alpha/(alpha+beta), id LIMIT ?", [stamp(since), limit])


def newest_of(db: sqlite3.Connection, types: Sequence[str], limit: int) -> list[Memory]:
    """Return the newest active memories of these types, newest first."""
    newest_memories = []
    for kind in set(types) & set(TYPES):  # a literal, not a parameter: SQLite has partial indexes for some types
        where = f"status='active' AND type='{kind}' ORDER BY created_at DESC, id DESC LIMIT ?"
        newest_memories += _memories(db, where, [limit])
    return sorted(newest_memories, key=lambda one: (one.created_at, one.id), reverse=True)[:limit]


def counts(db: sqlite3.Connection, fading_since: datetime) -> dict[str, Any]:
    """Count memories by type, status and state (contested, hot, …), and without a source."""
    row = db.execute(
        f"SELECT count(*) AS memories, sum({_CONTESTED}) AS contested, sum({_UNINFORMED}) AS uninformed, "  # noqa: S608
        f"sum({_HOT}) AS hot, sum({_COLD}) AS cold, sum({_FADING}) AS fading, sum(immutable) AS pinned, "
        "sum(id NOT IN (SELECT memory_id FROM memory_sources) AND json_extract(metadata, '$.design') IS NULL) "
        "AS without_source FROM memories",
        {"since": stamp(fading_since)},
    ).fetchone()
    figures: dict[str, Any] = {name: int(row[name] or 0) for name in row.keys()}  # noqa: SIM118 - a Row is no dict
    for column in ("type", "status"):
        rows = db.execute(f"SELECT {column}, count(*) FROM memories GROUP BY {column} ORDER BY {column}")  # noqa: S608
        figures[f"by_{column}"] = {row[0]: row[1] for row in rows}
    for table in ("memory_links", "concepts", "scratch_buffer", "tombstones"):
        figures[table] = int(find_value(db, f"SELECT count(*) FROM {table}"))  # noqa: S608
    return figures


def imports(db: sqlite3.Connection) -> dict[str, int]:
    """Return the number of imported turns, by import."""
    rows = db.execute("SELECT source, count(*) FROM turns WHERE source NOT IN ('live', 'owner') GROUP BY source")
    return {row[0]: row[1] for row in rows}


def disk_bytes(db: sqlite3.Connection) -> dict[str, int] | None:
    """Return the bytes of each table with its indexes, largest first; None if SQLite cannot tell.

    Reads the whole database: one second per gigabyte.
    """
    try:
        sizes = db.execute(
            "SELECT coalesce(m.tbl_name, s.name) AS name, sum(s.pgsize) AS bytes FROM dbstat AS s "
            "LEFT JOIN sqlite_master AS m ON m.name=s.name WHERE s.aggregate=TRUE GROUP BY 1 ORDER BY 2 DESC"
        ).fetchall()
    except sqlite3.OperationalError:  # built without dbstat
        return None
    bytes_of: dict[str, int] = {}
    for row in sizes:
        name = str(row["name"])
        whole = name.partition("_fts_")[0] + "_fts" if "_fts_" in name else name
        bytes_of[whole] = bytes_of.get(whole, 0) + int(row["bytes"])
    return dict(sorted(bytes_of.items(), key=lambda item: -item[1]))


def _memories(db: sqlite3.Connection, where: str, values: Sequence[Any], index: str = "") -> list[Memory]:
    ids = find_values(db, f"SELECT id FROM memories {index} WHERE {where}", *values)  # noqa: S608
    memory_of = {memory.id: memory for memory in memories.of_ids(db, ids)}
    return [memory_of[memory_id] for memory_id in ids if memory_id in memory_of]


@dataclass(frozen=True)
class Rejection:
    """A refused claim: its kind ("fact", "user_need" …), text, cited turns, and the reason."""

    id: int
    kind: str
    content: str
    cited: tuple[int, ...]
    reason: str
    at: datetime


def newest(db: sqlite3.Connection, limit: int, kind: str | None = None) -> list[Rejection]:
    """Return the newest refused claims of one kind (None: all), newest first."""
    query = "SELECT * FROM rejected_extractions WHERE kind=coalesce(?, kind) ORDER BY id DESC LIMIT ?"
    rows = db.execute(query, (kind, limit))
    return [from_row(Rejection, row) for row in rows]
