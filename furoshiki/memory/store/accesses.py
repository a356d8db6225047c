"""Access times of memories, and the pairs retrieved together.

The last `KEPT` access times of a memory are stored; older ones only count in `access_count`. A
pair's `count` is the number of turns that retrieved both (fractional, as consolidation adjusts it).
"""

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from itertools import combinations

from furoshiki.core.database.rows import change_rows, has_row
from furoshiki.core.timestamps import parse, stamp

KEPT = 20  # access times stored for each memory


def record(db: sqlite3.Connection, ids: Sequence[int], now: datetime) -> None:
    """Record an access of these memories. A repeated time and deleted memories are ignored."""
    at = stamp(now)
    for memory_id in dict.fromkeys(ids):
        query = "INSERT OR IGNORE INTO memory_accesses (memory_id, at) SELECT id, ? FROM memories WHERE id=?"
        new = change_rows(db, query, at, memory_id)
        if new != 1:
            continue
        db.execute(
            "UPDATE memories SET access_count=access_count+1, last_accessed_at=max(coalesce(last_accessed_at, ''), ?) "
            "WHERE id=?",
            (at, memory_id),
        )
        db.execute(
            "DELETE FROM memory_accesses WHERE memory_id=? AND at NOT IN "
            "(SELECT at FROM memory_accesses WHERE memory_id=? ORDER BY at DESC LIMIT ?)",
            (memory_id, memory_id, KEPT),
        )


def times(db: sqlite3.Connection, memory_id: int) -> list[datetime]:
    """Return a memory's last access times, oldest first (at most `KEPT`)."""
    rows = db.execute("SELECT at FROM memory_accesses WHERE memory_id=? ORDER BY at", (memory_id,))
    return [parse(row["at"]) for row in rows]


def together(db: sqlite3.Connection, ids: Sequence[int], now: datetime) -> None:
    """Add one to each pair of memories retrieved in the same turn. Deleted memories are ignored."""
    at = stamp(now)
    db.executemany(
        "INSERT INTO memory_co_access (a_id, b_id, count, last_at) "
        "SELECT a.id, b.id, 1, ? FROM memories a, memories b WHERE a.id=? AND b.id=? "
        "ON CONFLICT (a_id, b_id) DO UPDATE SET count=count+1, last_at=excluded.last_at",
        [(at, first, second) for first, second in combinations(sorted(set(ids)), 2)],
    )


def partners(db: sqlite3.Connection, memory_id: int, limit: int) -> list[tuple[int, float]]:
    """Return the memories most often retrieved with this one, with counts (ties: latest first)."""
    rows = db.execute(
        "SELECT b_id AS id, count, last_at FROM memory_co_access WHERE a_id=:id "
        "UNION ALL SELECT a_id, count, last_at FROM memory_co_access WHERE b_id=:id "
        "ORDER BY count DESC, last_at DESC, id LIMIT :limit",
        {"id": memory_id, "limit": limit},
    )
    return [(int(row["id"]), float(row["count"])) for row in rows]


def has_use_since(db: sqlite3.Connection, since: datetime) -> bool:
    """Whether any retrieved item was used since a time."""
    return has_row(db, "SELECT 1 FROM retrievals WHERE at>? AND used=1 LIMIT 1", stamp(since))


def strengthen_pairs(db: sqlite3.Connection, since: datetime, until: datetime, amount: float) -> int:
    """Add `amount` to pairs for each turn in a period that used both; return their number."""
    query = (
        "INSERT INTO memory_co_access (a_id, b_id, count, last_at) "
        "SELECT a.id, b.id, count(*) * :amount, max(r.at) FROM retrievals r "
        "CROSS JOIN retrievals s ON s.turn_key=r.turn_key AND s.used=1 AND s.item GLOB 'memory:*' "
        "CROSS JOIN memories a ON a.id=CAST(substr(r.item, 8) AS INTEGER) "
        "CROSS JOIN memories b ON b.id=CAST(substr(s.item, 8) AS INTEGER) "
        "WHERE r.used=1 AND r.item GLOB 'memory:*' AND r.at>:since AND r.at<=:until AND a.id<b.id GROUP BY a.id, b.id "
        "ON CONFLICT (a_id, b_id) DO UPDATE SET count=count+excluded.count, last_at=max(last_at, excluded.last_at)"
    )
    return change_rows(db, query, {"amount": amount, "since": stamp(since), "until": stamp(until)})


def pairs(
    db: sqlite3.Connection, after: tuple[int, int], before: datetime, limit: int
) -> list[tuple[int, int, float, datetime]]:
    """Return pairs after `after` last met before a time: ids, count, last meeting."""
    rows = db.execute(
        "SELECT a_id, b_id, count, last_at FROM memory_co_access WHERE (a_id, b_id) > (?, ?) AND last_at<? "
        "ORDER BY a_id, b_id LIMIT ?",
        (*after, stamp(before), limit),
    )
    return [(row["a_id"], row["b_id"], row["count"], parse(row["last_at"])) for row in rows]


def weaken(db: sqlite3.Connection, counts: Sequence[tuple[int, int, float]], least: float) -> None:
    """Set the counts of pairs; delete pairs below `least`."""
    db.executemany("UPDATE memory_co_access SET count=? WHERE a_id=? AND b_id=?", [(c, a, b) for a, b, c in counts])
    weak_pairs = [(a, b) for a, b, count in counts if count < least]
    db.executemany("DELETE FROM memory_co_access WHERE a_id=? AND b_id=?", weak_pairs)
