"""Decisions about unprompted messages: what was sent and why, what was held and by which gate.

A pass with the same result as the last updates its row. A message that the owner requested (a
reminder) has no `item_id`: no gate was checked.
"""

import sqlite3
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Literal

from furoshiki.core.database.rows import Table, change_rows, dump, find_values, from_row, insert, marks, to_row
from furoshiki.core.timestamps import stamp

Verdict = Literal["sent", "held", "dropped", "failed"]

_UNPROMPTED = "verdict='sent' AND item_id IS NOT NULL"


@dataclass(frozen=True)
class NewDecision:
    """A decision about a waiting item. `gate` is the one that held it; `gates` all findings."""

    kind: str
    priority: int
    verdict: Verdict
    reason: str
    item_id: int | None = None
    source: str | None = None
    gate: str | None = None
    gates: tuple[Mapping[str, Any], ...] = ()
    turn_id: int | None = None


@dataclass(frozen=True, kw_only=True)
class Decision(NewDecision):
    """A stored decision, reached `passes` times from `at` to `last_at`."""

    id: int
    at: datetime
    last_at: datetime
    passes: int
    outcome: str | None
    outcome_at: datetime | None


_TABLE = Table("outreach_decisions", partial(from_row, Decision))
get = _TABLE.get


def record(db: sqlite3.Connection, new: NewDecision, now: datetime) -> int:
    """Store a decision and return its id; an item held by the same gate again updates its row."""
    if new.verdict == "held":
        query = "SELECT id, verdict, gate FROM outreach_decisions WHERE item_id=? ORDER BY id DESC LIMIT 1"
        last = db.execute(query, (new.item_id,)).fetchone()
        if last is not None and (last["verdict"], last["gate"]) == (new.verdict, new.gate):
            db.execute(
                "UPDATE outreach_decisions SET passes=passes+1, last_at=?, priority=?, reason=?, gates=? WHERE id=?",
                (stamp(now), new.priority, new.reason, dump(list(new.gates)), last["id"]),
            )
            return int(last["id"])
    return insert(db, "outreach_decisions", to_row(new, at=now, last_at=now))


def record_words(db: sqlite3.Connection, decision_id: int, turn_id: int) -> None:
    """Store the turn that carried out a decision."""
    db.execute("UPDATE outreach_decisions SET turn_id=? WHERE id=?", (turn_id, decision_id))


def of_turn(db: sqlite3.Connection, turn_id: int) -> Decision | None:
    """Return the decision behind a turn; None for a turn that answered a message."""
    return _TABLE.first(db, "turn_id=? ORDER BY id DESC LIMIT 1", turn_id)


def undone(db: sqlite3.Connection, decision_id: int, reason: str, now: datetime) -> None:
    """Mark a decision as failed: its message was not sent."""
    query = "UPDATE outreach_decisions SET verdict='failed', gate='delivery', reason=?, last_at=? WHERE id=?"
    db.execute(query, (reason, stamp(now), decision_id))


def list_sent(db: sqlite3.Connection, since: datetime, limit: int = 200) -> list[Decision]:
    """Return unprompted messages since a time, newest first, without requested ones."""
    where = f"{_UNPROMPTED} AND at>=? ORDER BY at DESC, id DESC LIMIT ?"
    return _TABLE.select(db, where, stamp(since), limit)


def find_last_requested(db: sqlite3.Connection) -> datetime | None:
    """Return when the last message that the owner requested was sent, or None."""
    last = _TABLE.first(db, "verdict='sent' AND item_id IS NULL ORDER BY at DESC LIMIT 1")
    return None if last is None else last.at


def find_refusal(db: sqlite3.Connection, kinds: Collection[str], since: datetime) -> datetime | None:
    """Return when a matter of these kinds was last found out of place after a time, or None."""
    where = f"gate='polish' AND kind IN ({marks([*kinds])}) AND at>? ORDER BY at DESC LIMIT 1"
    last = _TABLE.first(db, where, *kinds, stamp(since))
    return None if last is None else last.at


def turns_of(db: sqlite3.Connection, item_id: int | None) -> frozenset[int]:
    """Return the turns that already said an item: if it waits again, the owner asked for it."""
    query = "SELECT turn_id FROM outreach_decisions WHERE item_id=? AND verdict='sent'"
    return frozenset(find_values(db, query, item_id))


def of_item(db: sqlite3.Connection, item_id: int) -> Decision | None:
    """Return the last decision about an item."""
    return _TABLE.first(db, "item_id=? ORDER BY id DESC LIMIT 1", item_id)


def newest(
    db: sqlite3.Connection,
    limit: int,
    verdict: Verdict | None = None,
    kind: str | None = None,
    before: tuple[str, int] | None = None,
) -> list[Decision]:
    """Return decisions of a verdict and a kind (or all), latest first, after `before`: the time and
    id of the last known one."""
    where = (
        "(?1 IS NULL OR verdict=?1) AND (?2 IS NULL OR kind=?2) AND (?3 IS NULL OR (last_at, id)<(?3, ?4)) "
        "ORDER BY last_at DESC, id DESC LIMIT ?5"
    )
    return _TABLE.select(db, where, verdict, kind, *(before or (None, None)), limit)


def kinds(db: sqlite3.Connection) -> list[str]:
    """Return all kinds with decisions, by name."""
    return find_values(db, "SELECT DISTINCT kind FROM outreach_decisions ORDER BY kind")


def list_unjudged(db: sqlite3.Connection) -> list[Decision]:
    """Return unprompted messages without an outcome, oldest first."""
    return _TABLE.select(db, f"{_UNPROMPTED} AND outcome IS NULL ORDER BY id")


def judge(db: sqlite3.Connection, decision_id: int, outcome: str, now: datetime) -> bool:
    """Store an outcome; return True when it is a change."""
    query = (
        "UPDATE outreach_decisions SET outcome=:outcome, outcome_at=:now WHERE id=:id AND verdict='sent' "
        "AND outcome IS NOT :outcome"
    )
    return change_rows(db, query, {"outcome": outcome, "now": stamp(now), "id": decision_id}) == 1
