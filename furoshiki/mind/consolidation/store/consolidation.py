"""What consolidation asks: which memories are fading, forgotten, cold or ripe, and which steps are done."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from furoshiki.core.database.rows import dump, first, from_row, load
from furoshiki.core.timestamps import parse, stamp
from furoshiki.memory.store.memories import OF_THEIR_LIFE

STEP = "step "
"""What the name of a finished step has before it, as an operation in the log."""

DECAYED_TO = "decay.to"
"""Where it is kept up to when decay is done."""

LIGHT_AT = "consolidation.light"
"""Where it is kept when the last light pass was."""

CYCLE = "consolidation.cycle"
"""Where the id of a cycle that is not finished is kept, with when it began and the newest memory there was."""

LAST = "consolidation.last"
"""Where the same of the last finished cycle is kept."""

MANY = 10_000
"""Memories up to which decay is reckoned every day."""

ROUNDING = 1e-6
"""Less alpha than this is not owed any more."""

_LAST_USED = "coalesce(last_accessed_at, created_at)"
_FACTS = "type IN ('semantic', 'preference')"
_SAID_BY_USER = f"({_FACTS} AND subject IS NOT NULL)"


@dataclass(frozen=True)
class Used:
    """A memory, when it was last used (or made), and how much beta it was given for being forgotten since."""

    id: int
    last_used: datetime
    forgotten: float = 0.0


@dataclass(frozen=True)
class CalledFor:
    """A memory that came to mind or was said again and again, its weight, when it was made, and how much alpha a
    promotion has not given it yet."""

    id: int
    content: str
    alpha: float
    beta: float
    created_at: datetime
    owed: float


def first_memory(db: sqlite3.Connection) -> datetime | None:
    """When the first memory was made, None when there is none."""
    return first(db.execute("SELECT created_at FROM memories ORDER BY id LIMIT 1"), lambda row: parse(row[0]))


def importance_since(db: sqlite3.Connection, memory_id: int) -> float:
    """The importance of all memories newer than this one, summed."""
    row = db.execute("SELECT coalesce(sum(importance), 0.0) FROM memories WHERE id>?", (memory_id,)).fetchone()
    return float(row[0])


def last_memory(db: sqlite3.Connection) -> int:
    """The id of the newest memory, 0 when there is none."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM memories").fetchone()[0])


def steps_done(db: sqlite3.Connection, cycle: str) -> dict[str, Mapping[str, Any]]:
    """The steps that a cycle has behind it, each with what it did."""
    rows = db.execute(
        "SELECT operation, evidence FROM consolidation_log WHERE cycle=? AND memory_id IS NULL "
        "AND substr(operation, 1, 5)=? ORDER BY id",
        (cycle, STEP),
    )
    return {row["operation"].removeprefix(STEP): load(row["evidence"]) or {} for row in rows}


def step_done(db: sqlite3.Connection, cycle: str, step: str, did: Mapping[str, Any], now: datetime) -> None:
    """A cycle has this step behind it."""
    db.execute(
        "INSERT INTO consolidation_log (cycle, at, operation, evidence) VALUES (?, ?, ?, ?)",
        (cycle, stamp(now), f"{STEP}{step}", dump(dict(did))),
    )


def forget_steps(db: sqlite3.Connection, before: datetime, limit: int) -> int:
    """Drop the oldest so many notes of steps before a moment; returns how many. Only a cycle under way asks for its."""
    return db.execute(
        "DELETE FROM consolidation_log WHERE id IN (SELECT id FROM consolidation_log "
        "WHERE operation>=:first AND operation<:last AND at<:before AND memory_id IS NULL LIMIT :limit)",
        {"first": STEP, "last": f"{STEP}\U0010ffff", "before": stamp(before), "limit": limit},
    ).rowcount


def between_decays(memories: int) -> timedelta:
    """How long to leave between two passes of decay over so many memories.

    The sum is the same; on a small disk tens of thousands of rows are not written every day for its sake.
    """
    return timedelta(days=1 if memories <= MANY else 7)


def read_fading(db: sqlite3.Connection, after: int, limit: int) -> list[Used]:
    """Active memories that may move, with a higher id than `after`, in order."""
    rows = db.execute(
        f"SELECT id, {_LAST_USED} AS used FROM memories WHERE id>? AND status='active' AND immutable=0 "  # noqa: S608
        "ORDER BY id LIMIT ?",
        (after, limit),
    )
    return [Used(row["id"], parse(row["used"])) for row in rows]


def read_untouched(
    db: sqlite3.Connection, since: datetime, seldom: int, operation: str, after: int, limit: int
) -> list[Used]:
    """Active memories nobody used since a moment and seldom before, with a higher id than `after`, in order.

    `forgotten` is what this operation gave each since its last use, by the log.
    """
    rows = db.execute(
        f"SELECT m.id, {_LAST_USED} AS used, "  # noqa: S608
        "(SELECT coalesce(sum(l.beta_after-l.beta_before), 0.0) FROM consolidation_log l WHERE l.memory_id=m.id "
        f"AND l.operation=:operation AND l.at>{_LAST_USED}) AS forgotten FROM memories m "
        f"WHERE m.id>:after AND m.status='active' AND m.immutable=0 AND {_LAST_USED}<=:since "
        "AND max(m.access_count, m.hit_count)<:seldom ORDER BY m.id LIMIT :limit",
        {"operation": operation, "after": after, "since": stamp(since), "seldom": seldom, "limit": limit},
    )
    return [Used(row["id"], parse(row["used"]), row["forgotten"]) for row in rows]


def put_to_sleep(db: sqlite3.Connection, cycle: str, below: float, since: datetime, now: datetime) -> list[int]:
    """Active memories lighter than this that nobody used since a moment become dormant; returns which.

    What the user said of themselves never does: it goes cold instead.
    """
    rows = db.execute(
        "UPDATE memories SET status='dormant' WHERE status='active' AND immutable=0 "  # noqa: S608
        f"AND alpha/(alpha+beta)<? AND {_LAST_USED}<=? AND NOT {_SAID_BY_USER} RETURNING id",
        (below, stamp(since)),
    ).fetchall()
    ids = sorted(int(row["id"]) for row in rows)
    _log_each(db, cycle, "dormant", ids, now)
    return ids


def wake_up(db: sqlite3.Connection, cycle: str, now: datetime) -> list[int]:
    """Memories that fell asleep by decay and were used since then are active again; returns which."""
    rows = db.execute(
        "UPDATE memories SET status='active' WHERE status='dormant' AND last_accessed_at > "
        "(SELECT max(l.at) FROM consolidation_log l WHERE l.memory_id=memories.id AND l.operation='dormant') "
        "RETURNING id"
    ).fetchall()
    ids = sorted(int(row["id"]) for row in rows)
    _log_each(db, cycle, "awake", ids, now)
    return ids


def cool(db: sqlite3.Connection, since: datetime, fewer_than: int, now: datetime) -> int:
    """Facts nobody touched since a moment, with few hits, go cold, but not who somebody is (their people, work, home,
    how they are addressed); returns how many."""
    return db.execute(
        f"UPDATE memories SET cold_since=? WHERE status='active' AND immutable=0 AND {_FACTS} "  # noqa: S608
        f"AND NOT coalesce({OF_THEIR_LIFE}, 0) AND cold_since IS NULL AND hit_count<? AND {_LAST_USED}<=?",
        (stamp(now), fewer_than, stamp(since)),
    ).rowcount


def plans_over(db: sqlite3.Connection, before: datetime) -> int:
    """Plans for a time before this are over since then; returns how many."""
    return db.execute(
        "UPDATE memories SET valid_to=event_time, status='superseded' WHERE status='active' AND immutable=0 "
        "AND valid_to IS NULL AND category='plan' AND event_time<?",
        (stamp(before),),
    ).rowcount


def warm_used(db: sqlite3.Connection) -> int:
    """Facts that were used after they went cold are hot again; returns how many."""
    return db.execute(
        "UPDATE memories SET cold_since=NULL WHERE cold_since IS NOT NULL AND last_accessed_at>cold_since"
    ).rowcount


def read_called_for(
    db: sqlite3.Connection, cycle: str, times: int, since: datetime, operation: str, amount: float
) -> list[CalledFor]:
    """Active memories made before a moment that came to mind or were said again so often, in order of id, to which
    this operation has not given its whole amount of alpha yet, nor a part of it in this cycle.

    A promotion that was taken back counts as one that was made: it is not tried again.
    """
    rows = db.execute(
        "SELECT id, content, alpha, beta, created_at, (SELECT coalesce(sum(l.alpha_after-l.alpha_before), 0.0) "
        "FROM consolidation_log l WHERE l.memory_id=m.id AND l.operation=:operation) AS given FROM memories m "
        "WHERE status='active' AND immutable=0 AND access_count+hit_count>=:times AND created_at<=:since "
        "AND NOT EXISTS (SELECT 1 FROM consolidation_log l WHERE l.memory_id=m.id AND l.operation=:undone) "
        "AND NOT EXISTS (SELECT 1 FROM consolidation_log l WHERE l.memory_id=m.id AND l.cycle=:cycle "
        "AND l.operation LIKE '%promotion') ORDER BY id",
        {
            "times": times,
            "since": stamp(since),
            "operation": operation,
            "undone": f"undo {operation}",
            "cycle": cycle,
        },
    )
    return [from_row(CalledFor, row, owed=owed) for row in rows if (owed := amount - row["given"]) > ROUNDING]


def days_said_again(db: sqlite3.Connection, memory_id: int) -> list[str]:
    """The days (UTC) on which somebody said again what a memory says; a moment told in the same words is another."""
    rows = db.execute(
        "SELECT DISTINCT substr(at, 1, 10) AS day FROM consolidation_log WHERE memory_id=:id "
        "AND operation IN ('confirmed', 'said again') "
        "AND EXISTS(SELECT 1 FROM memories WHERE id=:id AND type!='episodic')",
        {"id": memory_id},
    )
    return [row["day"] for row in rows]


def count_needed_drops(db: sqlite3.Connection, since: datetime, until: datetime) -> int:
    """How many things the gate had let go were recalled from the words themselves, and used, in a span of time."""
    row = db.execute(
        "SELECT count(DISTINCT s.turn_id) FROM retrievals r "
        "CROSS JOIN scratch_buffer s ON s.turn_id=CAST(substr(r.item, 6) AS INTEGER) "
        "WHERE r.at>? AND r.at<=? AND r.used=1 AND r.item GLOB 'turn:*' AND r.at>s.decided_at "
        "AND s.state IN ('dropped', 'skipped', 'expired')",
        (stamp(since), stamp(until)),
    ).fetchone()
    return int(row[0])


def count_unused(db: sqlite3.Connection, since: datetime, until: datetime) -> int:
    """How many episodic memories made in a span of time no answer ever made use of.

    Neither was the same said again: of that comes a hit without an access.
    """
    row = db.execute(
        "SELECT count(*) FROM memories WHERE type='episodic' AND status IN ('active', 'dormant') AND utility=0 "
        "AND hit_count<=access_count AND source_tag!='import' AND created_at>? AND created_at<=?",
        (stamp(since), stamp(until)),
    ).fetchone()
    return int(row[0])


def of_another_model(db: sqlite3.Connection, model: str) -> int:
    """How many memories have a vector that another encoder made."""
    row = db.execute(
        "SELECT count(*) FROM memories WHERE embedding IS NOT NULL AND embed_model IS NOT ?", (model,)
    ).fetchone()
    return int(row[0])


def recent(db: sqlite3.Connection, since: datetime, limit: int) -> list[int]:
    """Return the ids of active memories since a moment, among the newest `limit`, newest first."""
    rows = db.execute(
        "SELECT id FROM (SELECT * FROM memories ORDER BY id DESC LIMIT ?) WHERE status='active' AND valid_to IS NULL "
        "AND created_at>? AND type NOT IN ('reflection', 'narrative', 'tension')",
        (limit, stamp(since)),
    )
    return [int(row["id"]) for row in rows]


def _log_each(db: sqlite3.Connection, cycle: str, operation: str, ids: Sequence[int], now: datetime) -> None:
    db.executemany(
        "INSERT INTO consolidation_log (cycle, at, operation, memory_id) VALUES (?, ?, ?, ?)",
        [(cycle, stamp(now), operation, memory_id) for memory_id in ids],
    )
