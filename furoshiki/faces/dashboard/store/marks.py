"""Change marks by topic: a few figures each, from indexes and small tables."""

import sqlite3
from pathlib import Path

from furoshiki.core.database.rows import read_queries

# tables whose newest row is checked
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

# queries for changes without a new row
_BESIDES = read_queries(Path(__file__).with_name("marks.sql"))

TOPICS = tuple(_NEWEST)  # the topics of live updates


def of(db: sqlite3.Connection) -> dict[str, object]:
    """Return the figures of each topic; different figures mean a change."""
    return {
        topic: (
            *(_one(db, f"SELECT max(rowid) FROM {table}") for table in tables),  # noqa: S608
            *(_one(db, question) for question in _BESIDES.get(f"topic: {topic}", ())),
        )
        for topic, tables in _NEWEST.items()
    }


def _one(db: sqlite3.Connection, question: str) -> tuple[object, ...]:
    return tuple(db.execute(question).fetchone())
