"""Events of the safety ceilings, and the data from which coherence is computed."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.core.database.rows import find_value, from_row, insert, to_row
from furoshiki.core.timestamps import stamp
from furoshiki.memory.rules.ceilings import Verdict
from furoshiki.memory.rules.weights import CONTESTED_ABOVE
from furoshiki.memory.store.memories import OF_IDENTITY


@dataclass(frozen=True)
class Event:
    """A ceiling's verdict that limited a change, or would have (`enforced` is False)."""

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
    """Store a ceiling's verdict."""
    insert(db, "safety_events", to_row(verdict, at=at, memory_id=memory_id, detail=detail))


def newest(db: sqlite3.Connection, limit: int = 20, memory_id: int | None = None) -> list[Event]:
    """Return the latest events, newest first; of one memory if `memory_id` is given."""
    query = "SELECT * FROM safety_events WHERE :memory IS NULL OR memory_id=:memory ORDER BY id DESC LIMIT :limit"
    rows = db.execute(query, {"memory": memory_id, "limit": limit})
    return [from_row(Event, row) for row in rows]


def counts(db: sqlite3.Connection, since: datetime) -> dict[tuple[str, str, bool], int]:
    """Count events by ceiling (stage, name, whether enforced) since a time."""
    rows = db.execute(
        "SELECT stage, ceiling, enforced, count(*) AS n FROM safety_events WHERE at>=? "
        "GROUP BY stage, ceiling, enforced",
        (stamp(since),),
    )
    return {(row["stage"], row["ceiling"], bool(row["enforced"])): int(row["n"]) for row in rows}


def sum_centres(db: sqlite3.Connection) -> tuple[float, float]:
    """Return the sum of the centres of all active memories, and the disputed part of it.

    A memory is disputed by an active memory that contradicts it: in proportion to the link's
    confidence and to the other's relative weight. A contested memory (much for it and much against)
    is disputed by twice the smaller of both shares.
    """
    centres = db.execute(
        "SELECT coalesce(sum(alpha/(alpha+beta)), 0.0) FROM memories INDEXED BY memories_weighed WHERE status='active'"
    ).fetchone()
    query = (
        "WITH against AS ("
        "  SELECT from_id AS id, to_id AS other, confidence FROM memory_links WHERE relation='contradicts' "
        "  UNION ALL SELECT to_id, from_id, confidence FROM memory_links WHERE relation='contradicts'), "
        "dispute AS ("
        "  SELECT m.id, m.alpha/(m.alpha+m.beta) AS centre, "
        "    a.confidence * min(1.0, (o.alpha/(o.alpha+o.beta)) / (m.alpha/(m.alpha+m.beta))) AS much "
        "  FROM against a CROSS JOIN memories m ON m.id=a.id AND m.status='active' "
        "  CROSS JOIN memories o ON o.id=a.other AND o.status='active' "
        "  UNION ALL SELECT id, alpha/(alpha+beta), 2.0*min(alpha, beta)/(alpha+beta) FROM memories "
        "  INDEXED BY memories_weighed WHERE status='active' AND alpha>:contested AND beta>:contested) "
        "SELECT coalesce(sum(centre * much), 0.0) FROM "
        "(SELECT centre, min(1.0, max(much)) AS much FROM dispute GROUP BY id)"
    )
    return float(centres[0]), float(find_value(db, query, {"contested": CONTESTED_ABOVE}))


def values_and_tensions(db: sqlite3.Connection) -> tuple[float, float]:
    """Return the weight of the companion's values, and of its unresolved tensions with them.

    Values are immutable memories, narratives, and those of category value, identity or boundary. A
    tension counts until it is acknowledged or no longer active.
    """
    row = db.execute(
        "SELECT (SELECT coalesce(sum(alpha/(alpha+beta)), 0.0) FROM memories INDEXED BY memories_of_identity "  # noqa: S608
        f"WHERE status='active' AND ({OF_IDENTITY}) AND type!='tension' AND (immutable=1 OR type='narrative' "
        "OR category IN ('value', 'identity', 'boundary'))), "
        "(SELECT coalesce(sum(alpha/(alpha+beta)), 0.0) FROM memories INDEXED BY memories_tense "
        "WHERE status='active' AND type='tension' AND NOT coalesce(json_extract(metadata, '$.acknowledged'), 0))"
    ).fetchone()
    return float(row[0]), float(row[1])
