"""News about the companion itself: kept commitments, changes of its self-description, insights."""

import sqlite3
from datetime import datetime

from furoshiki.core.database.rows import load
from furoshiki.core.timestamps import stamp
from furoshiki.owner.agenda.rules import mind_queue
from furoshiki.owner.agenda.rules.mind_queue import Thought


def news(db: sqlite3.Connection, since: datetime) -> list[Thought]:
    """Return news since a time, newest of each kind first."""
    at = {"at": stamp(since)}
    query = "SELECT id, text FROM commitments WHERE changed_at>:at AND state='retired' ORDER BY id DESC"
    commitments = db.execute(query, at)
    thoughts = [mind_queue.of_commitment(row["id"], row["text"]) for row in commitments]
    changes = db.execute(
        "SELECT id, reasons FROM personality_drift_log WHERE state IN ('applied', 'accepted') AND changed_share>0 "
        "AND coalesce(decided_at, at)>:at ORDER BY id DESC",
        at,
    )
    thoughts += [mind_queue.of_change(row["id"], _first(row["reasons"])) for row in changes]
    insights = db.execute(
        "SELECT id, content FROM memories WHERE id IN (SELECT memory_id FROM consolidation_log "
        "WHERE operation='insight' AND at>:at) AND type='reflection' AND status='active' AND created_at>:at "
        "ORDER BY id DESC",
        at,
    )
    return thoughts + [mind_queue.of_insight(row["id"], row["content"]) for row in insights]


def _first(reasons: str) -> str:
    """Return the main reason of a change (a shift before a new sentence), or ""."""
    reasons_shown = [one for one in load(reasons) or () if one.get("kind") in ("shift", "sentence") and one.get("text")]
    reasons_shown.sort(key=lambda one: one["kind"] != "shift")
    return str(reasons_shown[0]["text"]) if reasons_shown else ""
