"""The checks' own queries on a simulated life's database, independent of the gates."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.core import refs
from furoshiki.core.database.rows import load
from furoshiki.core.timestamps import parse, stamp

_CLOSED = {
    "tasks": "SELECT state, changed_at FROM tasks WHERE id=? AND state!='open'",
    "memories": "SELECT status, valid_to FROM memories WHERE id=? AND status='superseded'",
    "anticipations": "SELECT state, judged_at FROM anticipations WHERE id=? AND state!='open'",
    "self_questions": "SELECT state, answered_at FROM self_questions WHERE id=? AND state IN ('answered', 'expired')",
}
"""For each table behind thoughts: the state and time of closed rows."""


@dataclass(frozen=True)
class Reason:
    """The decision behind a message: kind, own priority, source, consulted gates, and whether it
    was requested again (the button "Later")."""

    item_id: int | None
    kind: str
    priority: int
    source: str | None
    why: str
    wanted: bool


def reason(db: sqlite3.Connection, turn_id: int | None) -> Reason | None:
    """Return why a turn was said, or None."""
    row = db.execute(
        "SELECT d.item_id, d.kind, coalesce(q.priority, d.priority) AS priority, d.source, d.reason "
        "FROM outreach_decisions AS d LEFT JOIN mind_queue AS q ON q.id=d.item_id "
        "WHERE d.turn_id=? AND d.verdict='sent'",
        (turn_id,),
    ).fetchone()
    if row is None:
        return None
    wanted = db.execute(
        "SELECT 1 FROM inbox WHERE kind='callback' AND json_extract(payload, '$.data') IN "
        "(SELECT 'outreach.later:' || id FROM outreach_decisions WHERE item_id=?) LIMIT 1",
        (row["item_id"],),
    ).fetchone()
    return Reason(row["item_id"], row["kind"], row["priority"], row["source"], row["reason"], wanted is not None)


def times_said(db: sqlite3.Connection, kind: str, source: str | None) -> int:
    """Count the messages of a kind about one source."""
    row = db.execute(
        "SELECT count(*) FROM outreach_decisions WHERE kind=? AND source=? AND verdict='sent'", (kind, source)
    ).fetchone()
    return int(row[0])


def closed(db: sqlite3.Connection, source: str, before: datetime) -> str | None:
    """Return the state in which a thing was closed before a moment, or None."""
    thing = refs.Ref.parse(source)
    if thing is None or thing.kind not in _CLOSED or thing.row is None:
        return None
    row = db.execute(_CLOSED[thing.kind], (thing.row,)).fetchone()
    if row is None or (row[1] is not None and parse(row[1]) >= before):
        return None
    return str(row[0])


def feelings(db: sqlite3.Connection, at: datetime) -> tuple[Mapping[str, float], Mapping[str, float]] | None:
    """Return emotions and needs as last recorded."""
    row = db.execute(
        "SELECT emotions, needs FROM emotion_history WHERE at<=? ORDER BY at DESC, id DESC LIMIT 1", (stamp(at),)
    ).fetchone()
    return None if row is None else (load(row["emotions"]), load(row["needs"]))


def needed(db: sqlite3.Connection, need: str, at: datetime) -> tuple[float, float, datetime] | None:
    """Return the person's apparent need as last recorded: level, confidence, time."""
    row = db.execute(
        "SELECT level, confidence, at FROM user_needs_history WHERE need=? AND at<=? ORDER BY at DESC, id DESC LIMIT 1",
        (need, stamp(at)),
    ).fetchone()
    return None if row is None else (float(row[0]), float(row[1]), parse(row[2]))


def arrived(db: sqlite3.Connection, inbox_id: int) -> tuple[str, str | None]:
    """Return an inbox row's state and error."""
    row = db.execute("SELECT state, error FROM inbox WHERE id=?", (inbox_id,)).fetchone()
    return ("gone", None) if row is None else (row["state"], row["error"])


def calls(db: sqlite3.Connection) -> list[dict[str, Any]]:
    """Return model calls and their cost, by day and purpose."""
    rows = db.execute(
        "SELECT substr(at, 1, 10) AS day, purpose, sum(calls) AS calls, sum(cost_usd) AS usd, "
        "sum(tokens_in + tokens_out) AS tokens, sum(error IS NOT NULL) AS failed "
        "FROM llm_calls GROUP BY day, purpose ORDER BY day, purpose"
    )
    return [dict(row) for row in rows]


def decisions(db: sqlite3.Connection) -> list[dict[str, Any]]:
    """Count the decisions about writing first, by verdict, gate and kind."""
    rows = db.execute(
        "SELECT verdict, gate, kind, count(*) AS things, sum(passes) AS passes FROM outreach_decisions "
        "GROUP BY verdict, gate, kind ORDER BY verdict, gate, kind"
    )
    return [dict(row) for row in rows]
