"""Change marks by topic: a few figures each, from indexes and small tables."""

import sqlite3
from collections.abc import Mapping

_NEWEST = {
    "messages": ("turns", "inbox", "outbox"),
    "agenda": ("tasks", "mind_queue", "operations", "persistent_tasks", "persistent_task_cycles", "self_questions"),
    "memory": (
        "memories",
        "memory_links",
        "concepts",
        "consolidation_log",
        "inner_monologue",
        "personality_drift_log",
        "sessions",
    ),
    "jobs": ("run_log", "repair_jobs"),
    "costs": ("llm_calls",),
    "routing": ("routing_decisions", "attention_cycles", "second_thoughts", "wanderings"),
    "plugins": ("plugin_runs", "plugin_jobs"),
    "outreach": ("outreach_decisions",),
}
"""Tables whose newest row is checked."""

_BESIDES: Mapping[str, tuple[str, ...]] = {
    "messages": (
        "SELECT count(*), max(claimed_at) FROM inbox WHERE state IN ('pending', 'processing')",
        "SELECT count(*) FROM outbox WHERE state IN ('ready', 'sending')",
    ),
    "agenda": (
        "SELECT count(*), max(changed_at) FROM tasks",
        "SELECT count(*), sum(attempts) FROM mind_queue WHERE state='pending'",
        "SELECT count(*), max(changed_at) FROM persistent_tasks",
        "SELECT count(*), max(changed_at) FROM commitments",
        "SELECT count(*), count(finished_at), max(finished_at), max(read_at), max(harvested_at) FROM operations",
        "SELECT count(*), max(looked_at) FROM self_questions WHERE state IN ('open', 'user_required')",
    ),
    "memory": (
        "SELECT count(*) FROM memories",
        "SELECT count(*), sum(hit_count) FROM memories WHERE status='active'",
        "SELECT max(value) FROM kv WHERE key='hot_and_cold.at'",
        "SELECT count(*) FROM tombstones",
        "SELECT max(decided_at), max(filed_at) FROM personality_drift_log",
    ),
    "jobs": (
        "SELECT max(last_started_at), max(last_finished_at), sum(failures) FROM job_state",
        "SELECT max(changed_at) FROM repair_jobs",
        "SELECT max(finished_at), count(finished_at) FROM (SELECT finished_at FROM run_log ORDER BY id DESC LIMIT 32)",
    ),
    "plugins": ("SELECT count(*), max(changed_at) FROM plugins", "SELECT max(changed_at) FROM plugin_jobs"),
    "outreach": ("SELECT max(last_at) FROM outreach_decisions", "SELECT max(changed_at) FROM outreach_kinds"),
}
"""Queries for changes without a new row."""

TOPICS = tuple(_NEWEST)
"""The topics of live updates."""


def of(db: sqlite3.Connection) -> dict[str, object]:
    """Return the figures of each topic; different figures mean a change."""
    return {
        topic: (
            *(_one(db, f"SELECT max(rowid) FROM {table}") for table in tables),  # noqa: S608
            *(_one(db, question) for question in _BESIDES.get(topic, ())),
        )
        for topic, tables in _NEWEST.items()
    }


def _one(db: sqlite3.Connection, question: str) -> tuple[object, ...]:
    return tuple(db.execute(question).fetchone())
