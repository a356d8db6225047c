"""Queries of consolidation: fading, cold or promotable memories, and finished steps."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from furoshiki.core.database.rows import change_rows, find_value, find_values, first, from_row, insert, load
from furoshiki.core.timestamps import parse, stamp
from furoshiki.memory.store.memories import OF_THEIR_LIFE

STEP = "step "  # the prefix of a finished step's operation in the log
DECAYED_TO = "decay.to"  # the `kv` key of the time up to which decay is applied
LIGHT_AT = "consolidation.light"  # the `kv` key of the time of the last light pass

# the `kv` key of an unfinished cycle: its id, its start, and the newest memory then
CYCLE = "consolidation.cycle"

LAST = "consolidation.last"  # the `kv` key of the same data of the last finished cycle
MANY = 10_000  # number of memories up to which decay runs daily
ROUNDING = 1e-6  # less alpha than this is no longer owed

_LAST_USED = "coalesce(last_accessed_at, created_at)"
_FACTS = "type IN ('semantic', 'preference')"
_SAID_BY_USER = f"({_FACTS} AND subject IS NOT NULL)"


@dataclass(frozen=True)
class Used:
    """A memory, its last use (or creation), and the beta it has gained for neglect since."""

    id: int
    last_used: datetime
    forgotten: float = 0.0


@dataclass(frozen=True)
class CalledFor:
    """A frequently retrieved or repeated memory with its weight and creation time, and the alpha
    that a promotion still owes it."""

    id: int
    content: str
    alpha: float
    beta: float
    created_at: datetime
    owed: float


def first_memory(db: sqlite3.Connection) -> datetime | None:
    """Return when the first memory was created; None without memories."""
    return first(db.execute("SELECT created_at FROM memories ORDER BY id LIMIT 1"), lambda row: parse(row[0]))


def importance_since(db: sqlite3.Connection, memory_id: int) -> float:
    """Return the summed importance of memories newer than this one."""
    return float(find_value(db, "SELECT coalesce(sum(importance), 0.0) FROM memories WHERE id>?", memory_id))


def last_memory(db: sqlite3.Connection) -> int:
    """Return the id of the newest memory, 0 without memories."""
    return int(find_value(db, "SELECT coalesce(max(id), 0) FROM memories"))


def steps_done(db: sqlite3.Connection, cycle: str) -> dict[str, Mapping[str, Any]]:
    """Return the finished steps of a cycle, each with its result."""
    rows = db.execute(
        "SELECT operation, evidence FROM consolidation_log WHERE cycle=? AND memory_id IS NULL "
        "AND substr(operation, 1, 5)=? ORDER BY id",
        (cycle, STEP),
    )
    return {row["operation"].removeprefix(STEP): load(row["evidence"]) or {} for row in rows}


def step_done(db: sqlite3.Connection, cycle: str, step: str, did: Mapping[str, Any], now: datetime) -> None:
    """Record a finished step of a cycle."""
    insert(db, "consolidation_log", {"cycle": cycle, "at": now, "operation": f"{STEP}{step}", "evidence": did})


def forget_steps(db: sqlite3.Connection, before: datetime, limit: int) -> int:
    """Delete at most `limit` old step records (only a running cycle needs them)."""
    return change_rows(
        db,
        "DELETE FROM consolidation_log WHERE id IN (SELECT id FROM consolidation_log "
        "WHERE operation>=:first AND operation<:last AND at<:before AND memory_id IS NULL LIMIT :limit)",
        {"first": STEP, "last": f"{STEP}\U0010ffff", "before": stamp(before), "limit": limit},
    )


def between_decays(memories: int) -> timedelta:
    """Return the interval of decay passes for this number of memories.

    The sum is the same; a small disk need not write tens of thousands of rows every day.
    """
    return timedelta(days=1 if memories <= MANY else 7)


def read_fading(db: sqlite3.Connection, after: int, limit: int) -> list[Used]:
    """Return active memories that can change, with an id above `after`, in order."""
    rows = db.execute(
        f"SELECT id, {_LAST_USED} AS used FROM memories WHERE id>? AND status='active' AND immutable=0 "  # noqa: S608
        "ORDER BY id LIMIT ?",
        (after, limit),
    )
    return [Used(row["id"], parse(row["used"])) for row in rows]


def read_untouched(
    db: sqlite3.Connection, since: datetime, seldom: int, operation: str, after: int, limit: int
) -> list[Used]:
    """Return active memories unused since a time and rarely used before, with an id above `after`.

    `forgotten` is the beta that this operation added since the last use, by the log.
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
    """Make active memories below this centre and unused since a time dormant; return their ids.

    Facts from the user never become dormant, only cold.
    """
    query = (
        "UPDATE memories SET status='dormant' WHERE status='active' AND immutable=0 "  # noqa: S608
        f"AND alpha/(alpha+beta)<? AND {_LAST_USED}<=? AND NOT {_SAID_BY_USER} RETURNING id"
    )
    ids = sorted(find_values(db, query, below, stamp(since)))
    _log_each(db, cycle, "dormant", ids, now)
    return ids


def wake_up(db: sqlite3.Connection, cycle: str, now: datetime) -> list[int]:
    """Reactivate dormant memories used since decay put them to sleep; return their ids."""
    query = (
        "UPDATE memories SET status='active' WHERE status='dormant' AND last_accessed_at > "
        "(SELECT max(l.at) FROM consolidation_log l WHERE l.memory_id=memories.id AND l.operation='dormant') "
        "RETURNING id"
    )
    ids = sorted(find_values(db, query))
    _log_each(db, cycle, "awake", ids, now)
    return ids


def cool(db: sqlite3.Connection, since: datetime, fewer_than: int, now: datetime) -> int:
    """Mark facts unused since a time and with few hits as cold, except core facts (relations, work,
    home, name); return their number."""
    query = (
        f"UPDATE memories SET cold_since=? WHERE status='active' AND immutable=0 AND {_FACTS} "  # noqa: S608
        f"AND NOT coalesce({OF_THEIR_LIFE}, 0) AND cold_since IS NULL AND hit_count<? AND {_LAST_USED}<=?"
    )
    return change_rows(db, query, stamp(now), fewer_than, stamp(since))


def plans_over(db: sqlite3.Connection, before: datetime) -> int:
    """End plans, and what was ahead of somebody's health, for a time before this; return their number."""
    query = (
        "UPDATE memories SET valid_to=event_time, status='superseded' WHERE status='active' AND immutable=0 "
        "AND valid_to IS NULL AND event_time<? AND (category='plan' OR (category='health' AND event_time>valid_from))"
    )
    return change_rows(db, query, stamp(before))


def warm_used(db: sqlite3.Connection) -> int:
    """Warm facts used after they became cold; return their number."""
    query = "UPDATE memories SET cold_since=NULL WHERE cold_since IS NOT NULL AND last_accessed_at>cold_since"
    return change_rows(db, query)


def read_called_for(
    db: sqlite3.Connection, cycle: str, times: int, since: datetime, operation: str, amount: float
) -> list[CalledFor]:
    """Return active memories created before a time and used often enough, by id, to which this
    operation still owes alpha and paid none in this cycle.

    An undone promotion counts as done and is not repeated.
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
    """Return the days (UTC) on which a user repeated a memory; an episode is never repeated."""
    query = (
        "SELECT DISTINCT substr(at, 1, 10) AS day FROM consolidation_log WHERE memory_id=:id "
        "AND operation IN ('confirmed', 'said again') "
        "AND EXISTS(SELECT 1 FROM memories WHERE id=:id AND type!='episodic')"
    )
    return find_values(db, query, {"id": memory_id})


def count_needed_drops(db: sqlite3.Connection, since: datetime, until: datetime) -> int:
    """Return how many dropped messages were retrieved later and used, in a period."""
    query = (
        "SELECT count(DISTINCT s.turn_id) FROM retrievals r "
        "CROSS JOIN scratch_buffer s ON s.turn_id=CAST(substr(r.item, 6) AS INTEGER) "
        "WHERE r.at>? AND r.at<=? AND r.used=1 AND r.item GLOB 'turn:*' AND r.at>s.decided_at "
        "AND s.state IN ('dropped', 'skipped', 'expired')"
    )
    return int(find_value(db, query, stamp(since), stamp(until)))


def count_unused(db: sqlite3.Connection, since: datetime, until: datetime) -> int:
    """Return how many episodic memories from a period no answer ever used.

    Nor were they repeated, which would count a hit without an access.
    """
    query = (
        "SELECT count(*) FROM memories WHERE type='episodic' AND status IN ('active', 'dormant') AND utility=0 "
        "AND hit_count<=access_count AND source_tag!='import' AND created_at>? AND created_at<=?"
    )
    return int(find_value(db, query, stamp(since), stamp(until)))


def of_another_model(db: sqlite3.Connection, model: str) -> int:
    """Return how many memories have a vector of another encoder."""
    query = "SELECT count(*) FROM memories WHERE embedding IS NOT NULL AND embed_model IS NOT ?"
    return int(find_value(db, query, model))


def recent(db: sqlite3.Connection, since: datetime, limit: int) -> list[int]:
    """Return the ids of active memories since a moment, among the newest `limit`, newest first."""
    query = (
        "SELECT id FROM (SELECT * FROM memories ORDER BY id DESC LIMIT ?) WHERE status='active' AND valid_to IS NULL "
        "AND created_at>? AND type NOT IN ('reflection', 'narrative', 'tension')"
    )
    return find_values(db, query, limit, stamp(since))


def _log_each(db: sqlite3.Connection, cycle: str, operation: str, ids: Sequence[int], now: datetime) -> None:
    db.executemany(
        "INSERT INTO consolidation_log (cycle, at, operation, memory_id) VALUES (?, ?, ?, ?)",
        [(cycle, stamp(now), operation, memory_id) for memory_id in ids],
    )
