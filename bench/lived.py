"""What years leave in a database beside what was said: memories, feelings, calls, runs and decisions of a heavy user.

fill(path, turns=100_000)   # as `bench.synthetic`, and then the rest in proportion
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench import synthetic
from furoshiki.core.database.connection import Database
from furoshiki.core.timestamps import stamp
from furoshiki.feelings.rules.emotions import NAMES
from furoshiki.feelings.rules.needs import NEEDS
from furoshiki.feelings.rules.user_needs import DIMENSIONS

Row = Mapping[str, Any]

CALLS_A_DAY, RUNS_A_DAY, DECISIONS_A_DAY, ROUTED_A_DAY = 220, 700, 60, 70
SCRIPTS = ("soul_engine", "outreach_pulse", "light_consolidation", "post_conversation", "persistent_tasks", "growth")
KINDS = ("question", "follow_up", "thought", "need", "growth")


def fill(path: Path, turns: int, model: str, seed: int = 3) -> None:
    """Create the database of a heavy user over four years, ending now."""
    synthetic.fill(path, turns, model)
    rng, now = random.Random(seed), datetime.now(UTC)
    database = Database(path)
    with database.write() as db:
        # the turns must end now
        [last] = db.execute("SELECT max(at) FROM turns").fetchone()
        shift = (now - datetime.fromisoformat(last)).total_seconds()
        db.execute(
            "UPDATE turns SET at=strftime('%Y-%m-%dT%H:%M:%S.000000+00:00', at, ?||' seconds'), "
            "turn_key='inbox:'||((id+1)/2)",
            (f"{shift:+.0f}",),
        )
        for table, rows in _tables(rng, now, turns):
            _insert(db, table, rows)
        db.execute("ANALYZE")
    database.checkpoint()
    database.close()


def _insert(db: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    made = list(rows)
    names = list(made[0])
    marks = ", ".join("?" * len(names))
    db.executemany(
        f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})",
        [tuple(row[name] for name in names) for row in made],
    )


def _tables(rng: random.Random, now: datetime, turns: int) -> Iterable[tuple[str, Iterable[Row]]]:
    words = synthetic.vocabulary(random.Random(1))

    def text(least: int = 5, most: int = 18) -> str:
        return " ".join(rng.choices(words, k=rng.randint(least, most)))

    def ago(**gone: float) -> str:
        return stamp(now - timedelta(**gone))

    memories = turns // 5
    yield (
        "memories",
        (
            {
                "id": number,
                "type": rng.choice(
                    ("semantic", "episodic", "narrative", "tension") if number % 50 == 0 else ("semantic",)
                ),
                "content": text(),
                "subject": "user",
                "predicate": rng.choice(("likes", "works_at", "visited", "plans", "owns")),
                "object": text(1, 3),
                "category": rng.choice(("preference", "plan", "employment", "relationship", "fact")),
                "created_at": ago(days=1400 * (1 - number / memories)),
                "hit_count": rng.randint(0, 30),
                "source_tag": "external_user",
                "source_confidence": 0.9,
                "status": "active" if number % 4 else rng.choice(("dormant", "superseded", "archived")),
                "index_state": "indexed",
                "embedding": bytes(768),
                "embed_model": "minilm",
                "content_hash": f"m{number}",
                "alpha": 1.0 + rng.random() * 5,
                "beta": 1.0 + rng.random() * 2,
            }
            for number in range(1, memories + 1)
        ),
    )
    yield "memory_sources", ({"memory_id": number, "turn_id": number * 5} for number in range(1, memories + 1))
    yield (
        "memory_links",
        (
            {
                "from_id": number,
                "to_id": rng.randint(1, memories),
                "relation": "informed_by",
                "confidence": 0.7,
                "created_at": ago(days=10),
            }
            for number in range(1, memories + 1, 2)
        ),
    )
    yield (
        "concepts",
        (
            {"id": number, "name": f"{rng.choice(words)} {number}", "created_at": ago(days=9)}
            for number in range(1, 3001)
        ),
    )
    yield (
        "memory_concepts",
        ({"memory_id": number, "concept_id": rng.randint(1, 3000)} for number in range(1, memories + 1)),
    )
    yield (
        "sessions",
        (
            {
                "session_id": f"s{number}",
                "started_at": ago(days=1400 * (1 - number / 5000)),
                "ended_at": ago(days=1400 * (1 - number / 5000), minutes=-20),
                "topics": json.dumps([text(1, 3)]),
                "document": text(60, 120),
                "connection_quality": 0.5,
                "warmth": 0.6,
                "authentic": 4,
                "grounded": 5,
                "index_state": "indexed",
            }
            for number in range(5000)
        ),
    )
    hours = [*(15 * 60 * step for step in range(7 * 96)), *(7 * 86400 + 3600 * step for step in range(393 * 24))]
    yield (
        "emotion_history",
        (
            {
                "at": ago(seconds=seconds),
                "emotions": json.dumps({name: round(rng.random(), 6) for name in NAMES}),
                "needs": json.dumps({name: round(rng.random(), 6) for name in NEEDS}),
                "mood": rng.choice(("content", "curious", "tender")),
                "cause": "tick",
            }
            for seconds in reversed(hours)
        ),
    )
    yield (
        "user_needs_history",
        (
            {
                "at": ago(hours=180 * 24 * (1 - number / 12000)),
                "need": rng.choice(DIMENSIONS),
                "level": rng.random(),
                "confidence": rng.random(),
                "evidence": "[1, 2]",
                "cause": "said",
            }
            for number in range(12000)
        ),
    )
    yield (
        "llm_calls",
        (
            {
                "at": ago(days=90 * (1 - number / (90 * CALLS_A_DAY))),
                "tier": "chat",
                "provider": "anthropic",
                "model": rng.choice(("large", "small")),
                "purpose": rng.choice(
                    ("turn", "inner_monologue.wandering", "consolidation.lines", "window", "outreach")
                ),
                "turn_key": None,
                "tokens_in": rng.randint(500, 6000),
                "tokens_cached": 400,
                "tokens_cache_written": 0,
                "tokens_out": rng.randint(10, 400),
                "cost_usd": rng.random() / 100,
                "latency_s": rng.random() * 4,
                "calls": 1,
            }
            for number in range(90 * CALLS_A_DAY)
        ),
    )
    yield (
        "llm_calls",
        (
            {
                "at": ago(days=day, seconds=purpose),
                "tier": "chat",
                "provider": "anthropic",
                "model": "large",
                "purpose": f"purpose.{purpose}",
                "tokens_in": 90000,
                "tokens_cached": 40000,
                "tokens_cache_written": 0,
                "tokens_out": 4000,
                "cost_usd": 0.1,
                "latency_s": 2.0,
                "calls": 20,
            }
            for day in range(1400, 90, -1)
            for purpose in range(8)
        ),
    )
    yield (
        "run_log",
        (
            {
                "script": rng.choice(SCRIPTS),
                "started_at": ago(days=30 * (1 - number / (30 * RUNS_A_DAY))),
                "finished_at": ago(days=30 * (1 - number / (30 * RUNS_A_DAY)), seconds=-1),
                "exit_code": 0 if number % 200 else 1,
                "cpu_s": rng.random(),
                "peak_mb": 60.0,
                "did_work": number % 2,
                "summary": text(4, 9),
            }
            for number in range(30 * RUNS_A_DAY)
        ),
    )
    born = stamp(now - timedelta(days=1400))
    kept = {"created_at": born, "starts": 90, "hours_up": 30000.0, "counted_to": born}
    yield "kv", ({"key": "manifest", "value": json.dumps(kept), "changed_at": born} for _ in range(1))
    gates = json.dumps(
        [
            {"gate": gate, "passed": True, "value": "2 h 5 min", "limit": "8 h 0 min", "until": None}
            for gate in ("nudges", "quiet", "recent", "cooldown", "cap", "mood", "room")
        ]
    )
    yield (
        "mind_queue",
        (
            {
                "id": number,
                "kind": rng.choice(KINDS),
                "priority": rng.randint(2, 5),
                "summary": text(),
                "dedupe_key": f"k{number}",
                "expires_at": ago(days=-5),
                "created_at": ago(days=3),
                "state": "pending" if number > 4980 else "sent",
            }
            for number in range(1, 5001)
        ),
    )
    yield (
        "outreach_decisions",
        (
            {
                "at": ago(days=90 * (1 - number / (90 * DECISIONS_A_DAY)), hours=1),
                "last_at": ago(days=90 * (1 - number / (90 * DECISIONS_A_DAY))),
                "passes": rng.randint(1, 12),
                "item_id": rng.randint(1, 5000),
                "kind": rng.choice(KINDS),
                "priority": 3,
                "verdict": "sent" if number % 20 == 0 else "held",
                "gate": None if number % 20 == 0 else rng.choice(("cooldown", "quiet", "recent")),
                "reason": "in the words of local:reflex",
                "gates": gates,
                "turn_id": number + 1 if number % 20 == 0 else None,
                "outcome": "answered" if number % 20 == 0 else None,
            }
            for number in range(90 * DECISIONS_A_DAY)
        ),
    )
    yield (
        "topics",
        (
            {
                "id": number,
                "channel": "telegram",
                "chat_id": "7",
                "name": text(1, 3),
                "centroid": bytes(768),
                "messages": 12,
                "salience": 0.4,
                "first_turn": 1 + number * 10 % (turns - 20),
                "last_turn": 10 + number * 10 % (turns - 20),
                "created_at": ago(days=3),
                "last_at": ago(days=2),
            }
            for number in range(1, 3001)
        ),
    )
    yield (
        "turn_topics",
        (
            {
                "turn_id": number,
                "topic_id": rng.randint(1, 3000),
                "boundary": int(number % 9 == 0),
                "kind": "cold",
                "similarity": 0.4,
                "at": ago(days=2),
            }
            for number in range(turns - 30000 if turns > 30000 else 1, turns, 2)
        ),
    )
    yield (
        "routing_decisions",
        (
            {
                "turn_key": f"inbox:{number}",
                "session_id": "s1",
                "channel": "telegram",
                "chat_id": "7",
                "topic_id": rng.randint(1, 3000),
                "source_tag": "user",
                "path": "unified",
                "mode": rng.choice(("RESPOND", "ACT", "CLARIFY", "ACKNOWLEDGE")),
                "scores": json.dumps({"RESPOND": 0.5, "ACT": 0.2, "CLARIFY": 0.1, "ACKNOWLEDGE": 0.1}),
                "signals": json.dumps({"question": 0.4}),
                "warmth": 0.5,
                "knowing": 0.5,
                "confidence": 0.6,
                "margin": 0.2,
                "ms": 2.0,
                "at": ago(days=180 * (1 - number / (180 * ROUTED_A_DAY))),
            }
            for number in range(180 * ROUTED_A_DAY)
        ),
    )
    yield (
        "attention_cycles",
        (
            {
                "cycle_key": f"c{number}",
                "winner": "mind_queue:4990",
                "reason": "it presses",
                "candidates": json.dumps([["mind_queue:4990", "schedule", 1.0, 0.5, 0.4, 0.1, 0.6, 0.5]]),
                "at": ago(days=30 * (1 - number / 3000)),
            }
            for number in range(3000)
        ),
    )
    yield (
        "inner_monologue",
        (
            {
                "kind": "journal",
                "day": ago(days=1400 * (1 - number / 6000))[:10],
                "item": str(number),
                "at": ago(days=1400 * (1 - number / 6000)),
                "passages": json.dumps([{"text": text(20, 40), "cites": []}]),
                "provider": "reflex",
            }
            for number in range(6000)
        ),
    )
    yield (
        "consolidation_log",
        (
            {
                "cycle": f"night{number // 50}",
                "at": ago(days=180 * (1 - number / 40000)),
                "operation": "decay",
                "memory_id": rng.randint(1, memories),
                "alpha_before": 1.0,
                "evidence": "{}",
            }
            for number in range(40000)
        ),
    )
    yield (
        "tasks",
        (
            {
                "list_id": rng.choice(("shopping", "home", "reminders")),
                "title": text(2, 5),
                "created_at": ago(days=3),
                "changed_at": ago(days=2),
                "state": "open" if number > 960 else "done",
            }
            for number in range(1000)
        ),
    )
    yield (
        "outbox",
        (
            {
                "turn_id": max(1, turns - number),
                "turn_key": f"inbox:{number}",
                "channel": "telegram",
                "chat_id": "7",
                "text": text(),
                "state": "sent",
                "created_at": ago(days=number / 60),
                "sent_at": ago(days=number / 60),
            }
            for number in range(5400)
        ),
    )
    yield (
        "self_questions",
        (
            {
                "kind": "question",
                "question": f"{text(5, 9)}?",
                "stem": f"stem {number}",
                "source": "sessions:s1",
                "created_at": ago(days=number / 3),
            }
            for number in range(3000)
        ),
    )
