"""A database as the first release left it, with rows in every table, by plain SQL.

Nothing here uses the storage modules: they are those of today, and an old database was not written by them.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from pathlib import Path
from typing import Any

from furoshiki.core.database.connection import connect
from furoshiki.core.paths import ROOT

FIRST = "0014"
TABLES = ROOT / "furoshiki" / "core" / "migrations" / "first_release.sql"

TURNS = 300
MEMORIES = 60
AT = "2026-02-{day:02d}T{hour:02d}:30:00.000000+00:00"

ALLOWED = {
    "source_tag": "user",
    "kind": "note",
    "type": "insight",
    "mode": "RESPOND",
    "path": "router",
    "action": "PLAN",
}
"""What a table takes in a column of this name, where it does not take anything."""

VECTOR = bytes(range(256)) * 3
"""384 float16 values, whatever they are."""


def at(number: int) -> str:
    """A moment that grows with the number."""
    return AT.format(day=1 + number // 24 % 28, hour=number % 24)


def build(path: Path) -> None:
    """Make one at `path`."""
    make(path)
    for rows in (_rows(), _lasting(), _felt(), _reached_out(), _cared(), _extended()):
        _insert(path, rows)
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        for table in tables(db):
            _fill(db, table)
    with contextlib.closing(connect(path, "rw")) as db:
        db.execute("DELETE FROM turns WHERE id=7")  # numbers have gaps, and are never used twice
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def make(path: Path) -> None:
    """Make an empty one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(connect(path, "rwc")) as db:
        db.executescript(TABLES.read_text(encoding="utf-8"))
        db.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
        db.execute("INSERT INTO alembic_version VALUES (?)", (FIRST,))
        db.commit()


def _insert(path: Path, tables: dict[str, list[dict[str, Any]]]) -> None:
    with contextlib.closing(connect(path, "rw")) as db:
        db.execute("BEGIN IMMEDIATE")
        for table, rows in tables.items():
            there = {column[1] for column in db.execute(f"PRAGMA table_info({table})")}
            for row in rows:
                held = {name: value for name, value in row.items() if name in there}
                names, marks = ", ".join(f'"{name}"' for name in held), ", ".join("?" * len(held))
                db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(held.values()))
        db.commit()


def _fill(db: sqlite3.Connection, table: str) -> None:
    """Put a row into an empty table: a value in each column that must have one."""
    if db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() is not None:
        return
    columns = db.execute(f"PRAGMA table_info({table})").fetchall()
    needed = {name: kind for _, name, kind, must, default, _ in columns if must and default is None}
    values = [_something(name, kind) for name, kind in needed.items()]
    db.execute(f"INSERT INTO {table} ({', '.join(needed)}) VALUES ({', '.join('?' * len(needed))})", values)


def _something(column: str, kind: str) -> object:
    """A value that a column takes: a moment, an empty list in JSON, or a number."""
    if column in ALLOWED:
        return ALLOWED[column]
    if kind != "TEXT":
        return 1
    return at(1) if column.endswith("at") else "[]"


def tables(db: sqlite3.Connection) -> dict[str, list[str]]:
    """Every table with its columns, full-text indexes and Alembic's own left out."""
    names = [
        row[0]
        for row in db.execute("SELECT name FROM sqlite_master WHERE type='table' ORDER BY name")
        if "_fts" not in row[0] and not row[0].startswith("sqlite_") and row[0] != "alembic_version"
    ]
    return {name: [f'"{row[1]}"' for row in db.execute(f"PRAGMA table_info({name})")] for name in names}


def digests(db: sqlite3.Connection, columns: dict[str, list[str]]) -> dict[str, tuple[int, dict[str, str]]]:
    """Of every table how many rows it has and a checksum of each of these columns."""
    found = {}
    for table, names in columns.items():
        rows = db.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY {', '.join(names)}").fetchall()
        sums = {}
        for number, name in enumerate(names):
            total = hashlib.sha256()
            for row in rows:
                total.update(repr(row[number]).encode())
            sums[name] = total.hexdigest()
        found[table] = (len(rows), sums)
    return found


def _rows() -> dict[str, list[dict[str, Any]]]:
    turns = [
        {
            "id": n,
            "session_id": f"s{n // 10}",
            "channel": "telegram",
            "chat_id": "7",
            "speaker": "user" if n % 2 else "companion",
            "kind": "text",
            "text": f"message {n} about {('Lisbon', 'rye bread', 'the boat')[n % 3]}",
            "at": at(n),
            "reply_to": n - 1 if n % 10 == 5 else None,
            "external_id": str(1000 + n),
            "turn_key": f"inbox:{n // 2}",
            "attachments": '{"kind":"photo"}' if n % 50 == 0 else None,
            "signals": '{"joy":0.4}' if n % 3 == 0 else None,
            "source": "import:diary" if n > 280 else "live",
            "import_id": f"D{n}" if n > 280 else None,
            "embedding": VECTOR if n % 4 else None,
            "embed_model": "minilm" if n % 4 else None,
            "content_hash": f"h{n}" if n % 4 else None,
            "index_state": ("pending", "indexed", "embedded", "empty")[n % 4],
        }
        for n in range(1, TURNS + 1)
    ]
    types = ("semantic", "preference", "episodic", "procedural", "reflection", "correction")
    memories = [
        {
            "id": n,
            "type": types[n % len(types)],
            "content": f"They said {n} of Lisbon." if n % 2 else f"They bake rye bread, {n}.",
            "subject": "user" if n % 2 else None,
            "predicate": "said" if n % 2 else None,
            "object": f"{n} of Lisbon" if n % 2 else None,
            "category": "places" if n % 2 else None,
            "valid_from": at(n),
            "valid_to": at(n + 30) if n % 7 == 0 else None,
            "event_time": at(n) if n % 5 == 0 else None,
            "created_at": at(n),
            "last_accessed_at": at(n + 40) if n % 3 == 0 else None,
            "hit_count": n % 9,
            "immutable": int(n == 1),
            "source_tag": "external_user",
            "source_confidence": 0.5 + n / 200,
            "status": "superseded" if n % 7 == 0 else "active",
            "metadata": json.dumps({"n": n}),
            "embedding": VECTOR,
            "embed_model": "minilm",
            "content_hash": f"m{n}",
            "index_state": "indexed",
        }
        for n in range(1, MEMORIES + 1)
    ]
    return {
        "turns": turns,
        "memories": memories,
        "memory_sources": [{"memory_id": n, "turn_id": 10 + n} for n in range(1, MEMORIES + 1)],
        "sessions": [
            {
                "session_id": f"s{n}",
                "started_at": at(n),
                "ended_at": at(n + 1),
                "topics": '["bread"]',
                "document": f"Session {n}: about Lisbon and bread.",
                "connection_quality": 0.5,
                "warmth": 0.6,
                "authentic": 4,
                "grounded": 5,
                "embedding": VECTOR,
                "embed_model": "minilm",
                "content_hash": f"s{n}",
                "index_state": "indexed",
            }
            for n in range(12)
        ],
        "inbox": [
            {
                "channel": "telegram",
                "external_id": str(n),
                "kind": "text",
                "sender": "7",
                "payload": "{}",
                "state": ("pending", "done")[n % 2],
                "enqueued_at": at(n),
            }
            for n in range(8)
        ],
        "outbox": [
            {
                "turn_id": 2,
                "turn_key": "inbox:1",
                "channel": "telegram",
                "chat_id": "7",
                "text": "hi",
                "created_at": at(3),
            }
        ],
        "turn_journal": [
            {"turn_key": "inbox:1", "envelope_ids": "[1]", "answer": "{}", "evidence": "[]", "written_at": at(1)}
        ],
        "skill_runs": [
            {
                "turn_key": "inbox:1",
                "digest": "d",
                "name": "recall",
                "args": "{}",
                "ok": 1,
                "result": "{}",
                "latency_ms": 1.5,
                "at": at(1),
            }
        ],
        "operations": [
            {"kind": "export", "title": "your export", "channel": "telegram", "chat_id": "7", "created_at": at(1)}
        ],
        "rejected_extractions": [
            {"kind": "fact", "content": "They own a yacht.", "cited": "[1]", "reason": "not said", "at": at(2)}
        ],
        "tasks": [{"list_id": "shopping", "title": "milk", "created_at": at(1), "changed_at": at(1)}],
        "mind_queue": [
            {
                "kind": "thought",
                "priority": 3,
                "summary": "ask about Anika",
                "dedupe_key": "a",
                "expires_at": at(9),
                "created_at": at(1),
            }
        ],
        "emotion_history": [{"at": at(1), "emotions": "{}", "needs": "{}", "mood": "calm", "cause": "tick"}],
        "user_needs_history": [
            {"at": at(1), "need": "rest", "level": 0.4, "confidence": 0.5, "evidence": "[]", "cause": "said"}
        ],
        "system_events": [{"kind": "restart", "payload": "{}", "created_at": at(1)}],
        "run_log": [{"script": "soul_engine", "started_at": at(1), "exit_code": 0, "cpu_s": 0.1}],
        "job_state": [{"name": "soul_engine", "due_at": at(2)}],
        "llm_calls": [
            {
                "at": at(1),
                "tier": "chat",
                "provider": "local",
                "model": "reflex",
                "purpose": "turn",
                "tokens_in": 1,
                "tokens_cached": 0,
                "tokens_cache_written": 0,
                "tokens_out": 1,
                "cost_usd": 0.0,
                "latency_s": 0.1,
            }
        ],
        "accounts": [{"channel": "telegram", "external_id": "7", "role": "owner", "chat_id": "7", "paired_at": at(1)}],
        "strangers": [{"channel": "telegram", "external_id": "9", "told_at": at(1)}],
        "kv": [{"key": "zone", "value": '"Europe/Lisbon"', "changed_at": at(1)}],
    }


def _lasting() -> dict[str, list[dict[str, Any]]]:
    """What lasts: expectations, concepts, links and what is kept of each night."""
    return {
        "anticipations": [
            {
                "entry_id": None,
                "text": "They may be tired after the crossing.",
                "reason": "they said that they sleep badly at sea",
                "cited": "[11]",
                "expected_at": at(40),
                "expires_at": at(60),
                "created_at": at(30),
            }
        ],
        "concepts": [{"id": n, "name": name, "created_at": at(n)} for n, name in enumerate(("lisbon", "rye bread"), 1)],
        "concept_links": [{"a_id": 1, "b_id": 2, "weight": 0.4, "last_reinforced_at": at(5)}],
        "memory_concepts": [{"memory_id": 3, "concept_id": 1}, {"memory_id": 4, "concept_id": 2}],
        "memory_co_access": [{"a_id": 3, "b_id": 4, "count": 2.0, "last_at": at(9)}],
        "memory_links": [{"from_id": 3, "to_id": 4, "relation": "informed_by", "confidence": 0.7, "created_at": at(8)}],
        "memory_tokens": [{"id": 3, "tokens": VECTOR}],
        "turn_tokens": [{"id": 13, "tokens": VECTOR}],
        "memory_multilingual": [{"id": 3, "english": 0, "whole": VECTOR}],
        "turn_multilingual": [{"id": 13, "english": 0, "whole": VECTOR}],
        "consolidation_log": [
            {"cycle": "night", "at": at(9), "operation": "decay", "memory_id": 3, "alpha_before": 1.0, "evidence": "{}"}
        ],
        "conversation_summaries": [
            {"channel": "telegram", "chat_id": "7", "text": "bread", "first_turn": 1, "last_turn": 9, "at": at(9)}
        ],
        "inner_monologue": [
            {"kind": "journal", "day": "2026-02-03", "at": at(50), "passages": "[]", "provider": "reflex"}
        ],
        "retrievals": [{"turn_key": "inbox:1", "item": "memory:3", "rank": 1, "injected": 1, "used": 0, "at": at(9)}],
        "safety_events": [{"at": at(9), "stage": "A", "ceiling": "change", "enforced": 1, "memory_id": 3}],
        "scratch_buffer": [
            {
                "turn_id": 20,
                "text": "the boat leaks",
                "source_tag": "external_user",
                "charge": 0.1,
                "created_at": at(9),
                "expires_at": at(30),
            }
        ],
        "self_questions": [
            {
                "id": n,
                "question": "Why did I give advice?",
                "stem": "why give advice",
                "source": "sessions:s1",
                "created_at": at(n),
            }
            for n in (1, 2)
        ],
        "self_question_times": [{"question_id": n, "at": at(n)} for n in (1, 2)],
        "tombstones": [{"digest": "ab" * 16, "kind": "memory", "forgotten_at": at(9)}],
    }


def _felt() -> dict[str, list[dict[str, Any]]]:
    """What it feels and makes of itself."""
    return {
        "behavioral_patterns": [{"id": n, "gist": f"I give advice, {n}.", "created_at": at(n)} for n in (1, 2)],
        "commitments": [
            {
                "id": 1,
                "pattern_id": 1,
                "text": "Ask before I advise.",
                "sign": "I ask whether they want advice.",
                "honoured": 2,
                "created_at": at(4),
                "changed_at": at(9),
            }
        ],
        "commitment_judgements": [
            {"commitment_id": 1, "session_id": "s1", "verdict": "honoured", "turn_ids": "[11]", "at": at(9)}
        ],
        "pattern_questions": [{"question_id": 1, "pattern_id": 1}],
        "design_docs": [
            {"source": "memory", "part": 1, "heading": "How I forget", "text": "What fades.", "made_at": at(1)}
        ],
        "emotional_weights": [
            {
                "id": n,
                "session_id": f"s{n}",
                "at": at(n),
                "feelings": '{"joy": 0.4}',
                "valence": 0.3,
                "intensity": 0.5,
                "connection_quality": 0.6,
                "warmth": 0.7,
                "turn_ids": "[11, 12]",
            }
            for n in (1, 2)
        ],
        "memory_accesses": [{"memory_id": n, "at": at(n + 40)} for n in (3, 4)],
        "personality_drift_log": [
            {
                "at": at(20),
                "state": "applied",
                "before": "I am new.",
                "text": "I ask more than I did.",
                "diff": "+ I ask more than I did.",
                "similarity": 0.8,
                "changed_share": 0.2,
                "themes": "[]",
                "reasons": '[{"kind": "note", "text": "s1", "cites": [], "turns": []}]',
                "provider": "reflex",
            }
        ],
        "style_dimensions": [
            {"name": "brevity", "value": 0.6, "baseline": 0.5, "observations": 9, "updated_at": at(9)}
        ],
        "style_preferences": [{"name": "no_emoji", "strength": 0.9, "turn_id": 11, "updated_at": at(9)}],
    }


def _reached_out() -> dict[str, list[dict[str, Any]]]:
    """What it wrote unasked."""
    return {
        "outreach_decisions": [
            {
                "at": at(n),
                "last_at": at(n + 1),
                "passes": n,
                "item_id": 1,
                "kind": "thought",
                "priority": 3,
                "verdict": "sent" if n == 1 else "held",
                "gate": None if n == 1 else "quiet",
                "reason": "every gate let it pass" if n == 1 else "quiet hours",
                "gates": "[]",
                "turn_id": 12 if n == 1 else None,
                "outcome": "welcomed" if n == 1 else None,
                "outcome_at": at(n + 2) if n == 1 else None,
            }
            for n in (1, 2)
        ],
        "outreach_kinds": [{"kind": "thought", "weight": 1.1, "answered": 1, "welcomed": 1, "changed_at": at(9)}],
    }


def _cared() -> dict[str, list[dict[str, Any]]]:
    """What it repaired, and asked in batches."""
    return {
        "repair_jobs": [
            {
                "signature": "a1b2",
                "source": "soul_engine",
                "kind": "OSError",
                "message": "no such file",
                "evidence": "[]",
                "times": 3,
                "first_at": at(1),
                "last_at": at(3),
                "created_at": at(3),
                "changed_at": at(3),
            }
        ],
        "llm_batches": [
            {
                "key": "k",
                "provider": "anthropic",
                "model": "a-model",
                "purpose": "journal",
                "external_id": "b1",
                "submitted_at": at(4),
            }
        ],
    }


def _extended() -> dict[str, list[dict[str, Any]]]:
    """Its plugins."""
    return {
        "plugins": [
            {
                "name": "weather",
                "version": "1.0.0",
                "state": "enabled",
                "origin": "shipped",
                "pins": "{}",
                "permissions": "{}",
                "installed_at": at(1),
                "changed_at": at(2),
            }
        ],
        "plugin_runs": [
            {"plugin": "weather", "hook": "cron", "status": "ok", "ms": 40.0, "cpu_ms": 30.0, "at": at(3)},
        ],
        "plugin_context": [{"plugin": "weather", "text": "Rain until noon.", "at": at(3), "until": at(6)}],
        "plugin_jobs": [
            {"wish": "tell me when the ferry goes", "source": "owner", "created_at": at(4), "changed_at": at(4)},
        ],
    }
