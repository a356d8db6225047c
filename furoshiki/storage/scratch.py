"""What was said and waits to be judged: kept, added to what is known, or let go. Each item is decided once.

An item that expired without a decision stays on record as that, until it is swept away with the decided ones.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from furoshiki.domain.entering import EXPIRY
from furoshiki.domain.when import parse, stamp
from furoshiki.storage.rows import clean, dump, insert, load

State = Literal["waiting", "persisted", "reinforced", "skipped", "dropped", "expired"]


@dataclass(frozen=True)
class Item:
    """Something said that waits. `charge` lies in [0, 1]; `tags` are the signals of the message and its kind."""

    id: int
    turn_id: int | None
    text: str
    tags: Mapping[str, Any]
    source_tag: str
    charge: float
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True)
class Decision:
    """What became of an item, with the figures it rests on (None where there were none)."""

    state: State
    reason: str
    cell: str | None = None
    relevance: float | None = None
    novelty: float | None = None
    activation: float | None = None
    memory_id: int | None = None


def put(
    db: sqlite3.Connection,
    turn_id: int,
    text: str,
    tags: Mapping[str, Any],
    source_tag: str,
    charge: float,
    now: datetime,
) -> int | None:
    """Let a turn's words wait; None when they wait already or were decided."""
    row = {
        "turn_id": turn_id,
        "text": clean(text),
        "tags": dump(dict(tags)),
        "source_tag": source_tag,
        "charge": charge,
        "created_at": stamp(now),
        "expires_at": stamp(now + EXPIRY),
    }
    known = db.execute("SELECT 1 FROM scratch_buffer WHERE turn_id=?", (turn_id,)).fetchone()
    return None if known is not None else insert(db, "scratch_buffer", row)


def waiting(db: sqlite3.Connection, limit: int = 100) -> list[Item]:
    """What waits for its decision, oldest first."""
    rows = db.execute("SELECT * FROM scratch_buffer WHERE state='waiting' ORDER BY id LIMIT ?", (limit,)).fetchall()
    return [_item(row) for row in rows]


def unseen(db: sqlite3.Connection, after_id: int) -> int:
    """How many items wait that came after this one."""
    row = db.execute("SELECT count(*) FROM scratch_buffer WHERE state='waiting' AND id>?", (after_id,)).fetchone()
    return int(row[0])


def oldest(db: sqlite3.Connection) -> datetime | None:
    """Since when something waits, None when nothing does."""
    row = db.execute("SELECT min(created_at) AS at FROM scratch_buffer WHERE state='waiting'").fetchone()
    return None if row["at"] is None else parse(row["at"])


def newest(db: sqlite3.Connection) -> tuple[int, datetime] | None:
    """The newest item that waits and when it came, None when nothing does."""
    row = db.execute(
        "SELECT id, created_at FROM scratch_buffer WHERE state='waiting' ORDER BY id DESC LIMIT 1"
    ).fetchone()
    return None if row is None else (int(row["id"]), parse(row["created_at"]))


def next_expiry(db: sqlite3.Connection) -> datetime | None:
    """When the next waiting item expires, None when nothing waits."""
    row = db.execute("SELECT min(expires_at) AS at FROM scratch_buffer WHERE state='waiting'").fetchone()
    return None if row["at"] is None else parse(row["at"])


def decide(db: sqlite3.Connection, item_id: int, decision: Decision, now: datetime) -> bool:
    """Decide a waiting item; False when somebody else was quicker, and then nothing may follow from it."""
    done = db.execute(
        "UPDATE scratch_buffer SET state=?, reason=?, cell=?, relevance=?, novelty=?, activation=?, memory_id=?, "
        "decided_at=? WHERE id=? AND state='waiting'",
        (
            decision.state,
            decision.reason,
            decision.cell,
            decision.relevance,
            decision.novelty,
            decision.activation,
            decision.memory_id,
            stamp(now),
            item_id,
        ),
    )
    return done.rowcount == 1


def looked_at(
    db: sqlite3.Connection,
    item_id: int,
    decision: Decision,
) -> None:
    """An item was judged and waits on: its figures, for whoever looks at the gate."""
    db.execute(
        "UPDATE scratch_buffer SET reason=?, cell=?, relevance=?, novelty=?, activation=? "
        "WHERE id=? AND state='waiting'",
        (decision.reason, decision.cell, decision.relevance, decision.novelty, decision.activation, item_id),
    )


def sweep(db: sqlite3.Connection, before: datetime) -> int:
    """Take away what was decided before a moment; answers how many items. The turns they came from stay."""
    return db.execute("DELETE FROM scratch_buffer WHERE state<>'waiting' AND decided_at<?", (stamp(before),)).rowcount


def has_old_decisions(db: sqlite3.Connection, before: datetime) -> bool:
    """Whether there is anything to sweep away."""
    row = db.execute(
        "SELECT 1 FROM scratch_buffer WHERE state<>'waiting' AND decided_at<? LIMIT 1", (stamp(before),)
    ).fetchone()
    return row is not None


def counts(db: sqlite3.Connection) -> dict[str, int]:
    """How many items there are in each state."""
    rows = db.execute("SELECT state, count(*) AS n FROM scratch_buffer GROUP BY state")
    return {row["state"]: int(row["n"]) for row in rows}


def of_states(db: sqlite3.Connection, states: Sequence[State], limit: int = 100) -> list[dict[str, Any]]:
    """Decided items as they are kept, newest first: for tuning the gate and for whoever asks why."""
    marks = ", ".join("?" * len(states))
    rows = db.execute(
        f"SELECT * FROM scratch_buffer WHERE state IN ({marks}) ORDER BY id DESC LIMIT ?",  # noqa: S608
        (*states, limit),
    )
    return [dict(row) for row in rows]


def _item(row: sqlite3.Row) -> Item:
    return Item(
        id=row["id"],
        turn_id=row["turn_id"],
        text=row["text"],
        tags=load(row["tags"]) or {},
        source_tag=row["source_tag"],
        charge=row["charge"],
        created_at=parse(row["created_at"]),
        expires_at=parse(row["expires_at"]),
    )
