"""Records whose only end is their age: which rows of which table may go, and their removal."""

import sqlite3
from collections.abc import Mapping
from datetime import datetime

from furoshiki.core.timestamps import stamp

BY_AGE: Mapping[str, tuple[str, str]] = {
    "retrievals": ("at", "1"),  # voices learn from the last night, promotions ask for months
    "safety_events": ("at", "1"),
    "outbox": ("coalesce(sent_at, created_at)", "state IN ('sent', 'failed')"),
    "skill_runs": ("at", "1"),
    "pictures": ("finished_at", "state IN ('sent', 'failed')"),
    "operations": ("finished_at", "state='archived'"),
    "rejected_extractions": ("at", "1"),
    "user_needs_history": ("at", "id NOT IN (SELECT max(id) FROM user_needs_history GROUP BY need, substr(at, 1, 10))"),
    "system_events": ("created_at", "applied_at IS NOT NULL"),
    "strangers": ("told_at", "1"),
    "outreach_decisions": ("last_at", "1"),
    "repair_jobs": ("changed_at", "state NOT IN ('queued', 'proposed')"),
    "llm_batches": ("submitted_at", "1"),
    "plugin_runs": ("at", "1"),
    "routing_decisions": ("at", "1"),
    "act_iterations": ("at", "1"),
    "persistent_tasks": ("changed_at", "state IN ('completed', 'failed', 'cancelled', 'expired')"),
    "attention_candidates": ("changed_at", "state != 'waiting'"),
    "attention_cycles": ("at", "1"),
    "second_thoughts": ("at", "1"),
    "gists": ("expires_at", "1"),
    "wanderings": ("at", "1"),
    "plugin_jobs": ("changed_at", "state NOT IN ('queued', 'written', 'proposed')"),
}
"""By table: the time that counts, and which rows may go by it. What is unread, unsent or newest of its kind stays."""

UNANSWERED = ("coalesce(finished_at, enqueued_at)", "state IN ('dead', 'failed')")
"""Rows of `inbox` that nobody could answer; what was answered goes sooner (`inbox.prune`)."""


def older(db: sqlite3.Connection, table: str, before: datetime, limit: int) -> int:
    """Drop at most so many rows of a table of `BY_AGE`, oldest first; returns how many."""
    return _drop(db, table, *BY_AGE[table], before, limit)


def remove_unanswered(db: sqlite3.Connection, before: datetime, limit: int) -> int:
    """Drop messages that were given up before a moment; returns how many."""
    return _drop(db, "inbox", *UNANSWERED, before, limit)


def _drop(db: sqlite3.Connection, table: str, time: str, which: str, before: datetime, limit: int) -> int:
    return db.execute(
        f"DELETE FROM {table} WHERE rowid IN "  # noqa: S608 - our own names
        f"(SELECT rowid FROM {table} WHERE {time}<? AND {which} ORDER BY rowid LIMIT ?)",
        (stamp(before), limit),
    ).rowcount
