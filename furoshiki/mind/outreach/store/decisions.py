"""Every decision about writing first: what went out and why, what was held and by which gate.

A pass that comes to the same as the one before adds to its row instead of a new one. What was said because the owner
asked for it (a reminder at its time) has no `item_id`: no gate was asked.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast

from furoshiki.core.database.rows import dump, from_row, insert, to_row
from furoshiki.core.timestamps import stamp

Verdict = Literal["sent", "held", "dropped", "failed"]


@dataclass(frozen=True)
class NewDecision:
    """What was decided about one thing that waited. `gate` is the one that held it; `gates` what each gate saw."""

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
    """A decision on record: from `at` to `last_at` it was come to `passes` times."""

    id: int
    at: datetime
    last_at: datetime
    passes: int
    outcome: str | None
    outcome_at: datetime | None


def record(db: sqlite3.Connection, new: NewDecision, now: datetime) -> int:
    """Keep a decision; one that is held by the same gate as before is the same. Returns its id."""
    if new.verdict == "held":
        last = db.execute(
            "SELECT id, verdict, gate FROM outreach_decisions WHERE item_id=? ORDER BY id DESC LIMIT 1", (new.item_id,)
        ).fetchone()
        if last is not None and (last["verdict"], last["gate"]) == (new.verdict, new.gate):
            db.execute(
                "UPDATE outreach_decisions SET passes=passes+1, last_at=?, priority=?, reason=?, gates=? WHERE id=?",
                (stamp(now), new.priority, new.reason, dump(list(new.gates)), last["id"]),
            )
            return int(last["id"])
    return cast(int, insert(db, "outreach_decisions", to_row(new, at=now, last_at=now)))


def record_words(db: sqlite3.Connection, decision_id: int, turn_id: int) -> None:
    """The words by which a decision was carried out."""
    db.execute("UPDATE outreach_decisions SET turn_id=? WHERE id=?", (turn_id, decision_id))


def of_turn(db: sqlite3.Connection, turn_id: int) -> Decision | None:
    """The decision by which a turn was said; None for one that answered somebody."""
    row = db.execute("SELECT * FROM outreach_decisions WHERE turn_id=? ORDER BY id DESC LIMIT 1", (turn_id,)).fetchone()
    return None if row is None else from_row(Decision, row)


def undone(db: sqlite3.Connection, decision_id: int, reason: str, now: datetime) -> None:
    """What was to be said did not go out after all."""
    db.execute(
        "UPDATE outreach_decisions SET verdict='failed', gate='delivery', reason=?, last_at=? WHERE id=?",
        (reason, stamp(now), decision_id),
    )


def get(db: sqlite3.Connection, decision_id: int) -> Decision | None:
    """One decision by its id."""
    row = db.execute("SELECT * FROM outreach_decisions WHERE id=?", (decision_id,)).fetchone()
    return None if row is None else from_row(Decision, row)


def list_sent(db: sqlite3.Connection, since: datetime, limit: int = 200) -> list[Decision]:
    """What was said of its own accord since a moment, newest first; what was asked for is left out."""
    rows = db.execute(
        "SELECT * FROM outreach_decisions WHERE verdict='sent' AND item_id IS NOT NULL AND at>=? "
        "ORDER BY at DESC, id DESC LIMIT ?",
        (stamp(since), limit),
    )
    return [from_row(Decision, row) for row in rows]


def turns_of(db: sqlite3.Connection, item_id: int | None) -> frozenset[int]:
    """The turns in which a thing that waits was said before: then the owner has asked to hear it again."""
    rows = db.execute("SELECT turn_id FROM outreach_decisions WHERE item_id=? AND verdict='sent'", (item_id,))
    return frozenset(row["turn_id"] for row in rows)


def of_item(db: sqlite3.Connection, item_id: int) -> Decision | None:
    """What was decided last about something that was on its mind."""
    row = db.execute("SELECT * FROM outreach_decisions WHERE item_id=? ORDER BY id DESC LIMIT 1", (item_id,)).fetchone()
    return None if row is None else from_row(Decision, row)


def newest(
    db: sqlite3.Connection,
    limit: int,
    verdict: Verdict | None = None,
    kind: str | None = None,
    before: tuple[str, int] | None = None,
) -> list[Decision]:
    """Decisions of a verdict and a kind, or of all, those that were come to last first; from after `before`, the time
    and the id of the last one that is known."""
    rows = db.execute(
        "SELECT * FROM outreach_decisions WHERE (?1 IS NULL OR verdict=?1) AND (?2 IS NULL OR kind=?2) "
        "AND (?3 IS NULL OR (last_at, id)<(?3, ?4)) ORDER BY last_at DESC, id DESC LIMIT ?5",
        (verdict, kind, *(before or (None, None)), limit),
    )
    return [from_row(Decision, row) for row in rows]


def kinds(db: sqlite3.Connection) -> list[str]:
    """Every kind that anything was decided about, by name."""
    return [row["kind"] for row in db.execute("SELECT DISTINCT kind FROM outreach_decisions ORDER BY kind")]


def list_unjudged(db: sqlite3.Connection) -> list[Decision]:
    """What was said of its own accord and nobody knows yet how it was received, oldest first."""
    rows = db.execute(
        "SELECT * FROM outreach_decisions WHERE verdict='sent' AND item_id IS NOT NULL AND outcome IS NULL ORDER BY id"
    )
    return [from_row(Decision, row) for row in rows]


def judge(db: sqlite3.Connection, decision_id: int, outcome: str, now: datetime) -> bool:
    """How it was received; True when that is a change."""
    done = db.execute(
        "UPDATE outreach_decisions SET outcome=:outcome, outcome_at=:now WHERE id=:id AND verdict='sent' "
        "AND outcome IS NOT :outcome",
        {"outcome": outcome, "now": stamp(now), "id": decision_id},
    )
    return done.rowcount == 1
