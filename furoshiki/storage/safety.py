"""What the safety ceilings held back or would have, and what the coherence of the whole is computed from."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.domain.ceilings import Verdict
from furoshiki.domain.when import parse, stamp
from furoshiki.storage.rows import dump, load


@dataclass(frozen=True)
class Event:
    """One time a ceiling would hold something back. `enforced` says whether it did."""

    at: datetime
    stage: str
    ceiling: str
    enforced: bool
    memory_id: int | None
    asked: float | None
    allowed: float | None
    detail: Mapping[str, Any]


def record(
    db: sqlite3.Connection, at: datetime, verdict: Verdict, memory_id: int | None, detail: Mapping[str, Any]
) -> None:
    """Write down what a ceiling said."""
    db.execute(
        "INSERT INTO safety_events (at, stage, ceiling, enforced, memory_id, asked, allowed, detail) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            stamp(at),
            verdict.stage,
            verdict.ceiling,
            int(verdict.enforced),
            memory_id,
            verdict.asked,
            verdict.allowed,
            dump(dict(detail)),
        ),
    )


def newest(db: sqlite3.Connection, limit: int = 20) -> list[Event]:
    """The latest events, newest first."""
    rows = db.execute("SELECT * FROM safety_events ORDER BY id DESC LIMIT ?", (limit,))
    return [
        Event(
            parse(row["at"]),
            row["stage"],
            row["ceiling"],
            bool(row["enforced"]),
            row["memory_id"],
            row["asked"],
            row["allowed"],
            load(row["detail"]) or {},
        )
        for row in rows
    ]


def counts(db: sqlite3.Connection, since: datetime) -> dict[tuple[str, str, bool], int]:
    """How often each ceiling (stage, name, whether enforced) held or would have held something back."""
    rows = db.execute(
        "SELECT stage, ceiling, enforced, count(*) AS n FROM safety_events WHERE at>=? "
        "GROUP BY stage, ceiling, enforced",
        (stamp(since),),
    )
    return {(row["stage"], row["ceiling"], bool(row["enforced"])): int(row["n"]) for row in rows}


def held(db: sqlite3.Connection) -> list[tuple[float, float]]:
    """The centre of every active memory with how disputed it is, in [0, 1].

    A memory is disputed as far as an active memory contradicts it: by the link's confidence, and by how heavy the
    other is beside it. One that is contested in itself (much for it and much against) is disputed by the smaller of
    both shares, twice.
    """
    rows = db.execute(
        "WITH weighed AS (SELECT id, alpha, beta, alpha/(alpha+beta) AS centre FROM memories WHERE status='active'), "
        "against AS ("
        "  SELECT l.from_id AS id, l.to_id AS other, l.confidence FROM memory_links l WHERE l.relation='contradicts' "
        "  UNION SELECT l.to_id, l.from_id, l.confidence FROM memory_links l WHERE l.relation='contradicts'), "
        "dispute AS (SELECT a.id, max(a.confidence * min(1.0, o.centre/w.centre)) AS much FROM against a "
        "  JOIN weighed w ON w.id=a.id JOIN weighed o ON o.id=a.other GROUP BY a.id) "
        "SELECT w.centre, max(coalesce(d.much, 0.0), CASE WHEN w.alpha>5 AND w.beta>5 "
        "  THEN 2.0*min(w.centre, 1.0-w.centre) ELSE 0.0 END) AS dispute "
        "FROM weighed w LEFT JOIN dispute d ON d.id=w.id"
    )
    return [(float(row["centre"]), min(1.0, float(row["dispute"]))) for row in rows]


def outcomes(db: sqlite3.Connection, since: datetime) -> tuple[float, float]:
    """The sums of good and of bad outcomes of what was done since then, both >= 0."""
    row = db.execute(
        "SELECT coalesce(sum(max(outcome, 0.0)), 0.0), coalesce(sum(max(-outcome, 0.0)), 0.0) FROM gut_log "
        "WHERE at>=? AND outcome IS NOT NULL",
        (stamp(since),),
    ).fetchone()
    return float(row[0]), float(row[1])


def values_and_tensions(db: sqlite3.Connection) -> tuple[float, float]:
    """The weight of what the companion stands for, and of its unresolved tensions with that.

    Values are immutable memories, narratives, and what has the category value, identity or boundary. A tension counts
    until it is acknowledged or no longer active.
    """
    row = db.execute(
        "SELECT "
        "coalesce(sum(CASE WHEN type='tension' THEN 0.0 WHEN immutable=1 OR type='narrative' "
        "  OR category IN ('value', 'identity', 'boundary') THEN alpha/(alpha+beta) ELSE 0.0 END), 0.0), "
        "coalesce(sum(CASE WHEN type='tension' AND NOT coalesce(json_extract(metadata, '$.acknowledged'), 0) "
        "  THEN alpha/(alpha+beta) ELSE 0.0 END), 0.0) "
        "FROM memories WHERE status='active'"
    ).fetchone()
    return float(row[0]), float(row[1])
