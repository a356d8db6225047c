"""The scratch buffer: messages waiting for the exit gate. Each item is decided once.

Expired items are stored as such until they are deleted with the decided ones.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Literal

from furoshiki.core.database.rows import Table, change_rows, find_value, from_row, has_row, insert, moment
from furoshiki.core.timestamps import parse, stamp
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory
from furoshiki.messages.store import turns
from furoshiki.messages.values import Turn

EXPIRY = timedelta(hours=24)  # the longest time an item waits for its decision
LAST_LOOK = timedelta(hours=1)  # the time before its expiry at which a waiting item must be decided

_MOST_EDITS = 100  # edits of one message that are followed

State = Literal["waiting", "persisted", "reinforced", "skipped", "dropped", "expired"]


@dataclass(frozen=True)
class Item:
    """A waiting message. `charge` is in [0, 1]; `tags` are its signals and its kind."""

    id: int
    turn_id: int | None
    text: str
    tags: Mapping[str, Any]
    source_tag: str
    charge: float
    created_at: datetime
    expires_at: datetime


_TABLE = Table("scratch_buffer", partial(from_row, Item))


@dataclass(frozen=True)
class Decision:
    """The decision on an item and its time, with the figures behind it (None: not computed)."""

    state: State
    reason: str
    cell: str | None = None
    relevance: float | None = None
    novelty: float | None = None
    activation: float | None = None
    memory_id: int | None = None
    at: datetime | None = None


def put(
    db: sqlite3.Connection,
    turn_id: int,
    text: str,
    tags: Mapping[str, Any],
    source_tag: str,
    charge: float,
    now: datetime,
) -> int | None:
    """Add a turn's text; return its row id, or None if the turn was added before."""
    row = {
        "turn_id": turn_id,
        "text": text,
        "tags": tags,
        "source_tag": source_tag,
        "charge": charge,
        "created_at": now,
        "expires_at": now + EXPIRY,
    }
    query = "SELECT 1 FROM scratch_buffer WHERE turn_id=?"
    return None if has_row(db, query, turn_id) else insert(db, "scratch_buffer", row)


def fresh(db: sqlite3.Connection, limit: int) -> list[Item]:
    """Return waiting items that were not judged yet, oldest first."""
    return _TABLE.select(db, "state='waiting' AND cell IS NULL ORDER BY id LIMIT ?", limit)


def read_expiring(db: sqlite3.Connection, before: datetime, limit: int) -> list[Item]:
    """Return waiting items that were judged and expire before a time, oldest first."""
    judged = "state='waiting' AND cell IS NOT NULL AND expires_at<=? ORDER BY id LIMIT ?"
    return _TABLE.select(db, judged, stamp(before), limit)


def around(db: sqlite3.Connection, at: datetime, limit: int = 12) -> list[Item]:
    """Return items of the day before a time, decided or not, newest first."""
    lately = "created_at<=? AND created_at>? ORDER BY id DESC LIMIT ?"
    return _TABLE.select(db, lately, stamp(at), stamp(at - EXPIRY), limit)


def newest_fresh(db: sqlite3.Connection) -> tuple[int, datetime] | None:
    """Return the number of unjudged items and the time of the newest, or None."""
    row = db.execute(
        "SELECT count(*) AS n, max(created_at) AS at FROM scratch_buffer WHERE state='waiting' AND cell IS NULL"
    ).fetchone()
    return None if row["at"] is None else (int(row["n"]), parse(row["at"]))


def expire_soon(db: sqlite3.Connection, before: datetime) -> int:
    """Return the number of waiting items that expire before a time."""
    query = "SELECT count(*) FROM scratch_buffer WHERE state='waiting' AND expires_at<=?"
    return int(find_value(db, query, stamp(before)))


def relevances(db: sqlite3.Connection, turn_ids: Sequence[int]) -> dict[int, float]:
    """Return the exit gate's relevance of these turns, in [-1, 1]; unjudged ones are left out."""
    marks = ", ".join("?" * len(turn_ids))
    query = f"SELECT turn_id, relevance FROM scratch_buffer WHERE relevance IS NOT NULL AND turn_id IN ({marks})"  # noqa: S608
    rows = db.execute(query, list(turn_ids))
    return {int(row["turn_id"]): float(row["relevance"]) for row in rows}


def decide(db: sqlite3.Connection, item_id: int, decision: Decision, now: datetime) -> bool:
    """Decide a waiting item; return False if another process was first: then do nothing more."""
    return (
        change_rows(
            db,
            "UPDATE scratch_buffer SET state=?, reason=?, cell=?, relevance=?, novelty=?, activation=?, memory_id=?, "
            "decided_at=? WHERE id=? AND state='waiting'",
            decision.state,
            decision.reason,
            decision.cell,
            decision.relevance,
            decision.novelty,
            decision.activation,
            decision.memory_id,
            stamp(now),
            item_id,
        )
        == 1
    )


def record_look(
    db: sqlite3.Connection,
    item_id: int,
    decision: Decision,
) -> None:
    """Store the figures of an item that was judged and still waits, for inspecting the gate."""
    db.execute(
        "UPDATE scratch_buffer SET reason=?, cell=?, relevance=?, novelty=?, activation=? "
        "WHERE id=? AND state='waiting'",
        (decision.reason, decision.cell, decision.relevance, decision.novelty, decision.activation, item_id),
    )


def tie(db: sqlite3.Connection, item_id: int, memory_id: int) -> None:
    """Store which memory a decided item became or reinforced."""
    db.execute("UPDATE scratch_buffer SET memory_id=? WHERE id=?", (memory_id, item_id))


def drop_forgotten(db: sqlite3.Connection, item_id: int) -> None:
    """Drop an item whose decision cannot be carried out, in the same transaction."""
    db.execute("UPDATE scratch_buffer SET state='dropped', reason='it was forgotten' WHERE id=?", (item_id,))


def sweep(db: sqlite3.Connection, before: datetime) -> int:
    """Delete items decided before a time (not their turns); return their number."""
    return change_rows(db, "DELETE FROM scratch_buffer WHERE state<>'waiting' AND decided_at<?", stamp(before))


def find_newest_turn(db: sqlite3.Connection, turn_id: int) -> Turn | None:
    """Return the last edited version of an item's turn; None if it is deleted."""
    for _ in range(_MOST_EDITS):
        row = db.execute("SELECT replaced_by FROM turns WHERE id=?", (turn_id,)).fetchone()
        if row is None or row["replaced_by"] is None:
            break
        turn_id = row["replaced_by"]
    return turns.get(db, turn_id)


def plans(db: sqlite3.Connection, limit: int) -> list[Memory]:
    """Return the user's plans, newest first."""
    rows = db.execute(
        "SELECT id FROM memories WHERE status='active' AND valid_to IS NULL AND category='plan' "
        "ORDER BY id DESC LIMIT ?",
        (limit,),
    ).fetchall()
    return memories.of_ids(db, [row["id"] for row in rows])


def counts(db: sqlite3.Connection) -> dict[str, int]:
    """Return the number of items in each state."""
    rows = db.execute("SELECT state, count(*) AS n FROM scratch_buffer GROUP BY state")
    return {row["state"]: int(row["n"]) for row in rows}


def of_memory(db: sqlite3.Connection, memory_id: int, limit: int) -> list[Decision]:
    """Return the gate's decisions about a memory, newest first; they are stored for a month."""
    query = "SELECT * FROM scratch_buffer WHERE memory_id=? ORDER BY id DESC LIMIT ?"
    rows = db.execute(query, (memory_id, limit)).fetchall()
    return [from_row(Decision, row, memory_id=memory_id, at=moment(row["decided_at"])) for row in rows]
