"""Every table says how long it keeps what is in it, and keeps to that."""

from __future__ import annotations

import base64
import json
import sqlite3
from datetime import timedelta

import pytest

from furoshiki.app.scheduler import run_ledger
from furoshiki.core.database import retention
from furoshiki.core.database.connection import Database
from furoshiki.core.database.retention import KEPT, span
from furoshiki.core.timestamps import stamp
from furoshiki.feelings.store import history
from furoshiki.memory import exit_gate
from furoshiki.messages.store import outbox
from furoshiki.messages.values import NewOutgoing
from furoshiki.mind.consolidation import log_retention
from furoshiki.mind.inner_life import soul_engine
from furoshiki.models.llm.store import costs
from furoshiki.world import World
from tests.support import filled
from tests.support.laws import NOON
from tests.support.world import FrozenClock

ROWS = {
    "retrievals": {"turn_key": "?", "item": "memory:1", "rank": 1, "injected": 1, "at": "?"},
    "safety_events": {"at": "?", "stage": "A", "ceiling": "growth", "enforced": 0},
    "outbox": {"channel": "c", "chat_id": "7", "text": "hi", "state": "sent", "created_at": "?", "sent_at": "?"},
    "pictures": {
        **{"turn_key": "?", "channel": "c", "chat_id": "7", "subject": "s", "caption": "", "state": "sent"},
        **{"created_at": "?", "finished_at": "?"},
    },
    "skill_runs": {
        **{"turn_key": "?", "digest": "d", "name": "n", "args": "{}", "ok": 1, "result": "{}"},
        **{"latency_ms": 1.0, "at": "?"},
    },
    "operations": {
        **{"kind": "export", "title": "t", "channel": "c", "chat_id": "7", "state": "archived"},
        **{"created_at": "?", "finished_at": "?"},
    },
    "rejected_extractions": {"kind": "fact", "content": "c", "cited": "[]", "reason": "r", "at": "?"},
    "system_events": {"kind": "k", "payload": "{}", "created_at": "?", "applied_at": "?"},
    "user_needs_history": {"at": "?", "need": "rest", "level": 0.5, "confidence": 0.5, "evidence": "[]", "cause": "c"},
    "outreach_decisions": {
        **{"at": "?", "last_at": "?", "kind": "k", "priority": 3, "verdict": "held", "reason": "r", "gates": "[]"},
    },
    "repair_jobs": {
        **{"signature": "?", "source": "s", "kind": "k", "message": "m", "evidence": "{}", "times": 3},
        **{"state": "closed", "first_at": "?", "last_at": "?", "created_at": "?", "changed_at": "?"},
    },
    "plugin_runs": {"plugin": "p", "hook": "cron", "status": "ok", "ms": 1.0, "cpu_ms": 1.0, "at": "?"},
    "plugin_jobs": {"wish": "w", "source": "s", "state": "rejected", "created_at": "?", "changed_at": "?"},
    "routing_decisions": {
        **{"turn_key": "?", "channel": "c", "chat_id": "7", "path": "unified", "mode": "RESPOND", "scores": "{}"},
        **{
            "signals": "{}",
            "warmth": 0.5,
            "confidence": 0.5,
            "margin": 0.2,
            "ms": 1.0,
            "at": "?",
        },
    },
    "act_iterations": {
        **{"loop_key": "?", "source_tag": "user", "number": 1, "actions": "[]", "succeeded": 1, "latency_ms": 1.0},
        **{"at": "?"},
    },
    "persistent_tasks": {
        **{"title": "t", "goal": "g", "source_tag": "user", "state": "completed", "expires_at": "?"},
        **{"created_at": "?", "changed_at": "?"},
    },
    "attention_candidates": {
        **{"source_tag": "user", "source_confidence": 1.0, "ref": "?", "text": "t", "novelty": 0.5, "relevance": 0.5},
        **{"charge": 0.5, "urgency": 0.5, "salience": 0.5, "state": "let_go", "created_at": "?", "changed_at": "?"},
    },
    "attention_cycles": {"cycle_key": "?", "reason": "r", "candidates": "[]", "at": "?"},
    "second_thoughts": {
        **{"turn_key": "?", "objective": 0.5, "knowing": 0.5, "confidence": 0.5, "threshold": 0.5, "maturity": 0.5},
        **{"triggers": "[]", "passes": "[]", "latency_ms": 1.0, "at": "?"},
    },
    "gists": {
        **{"source_tag": "drift", "kind": "reflection", "text": "t", "rests_on": "[]", "created_at": "?"},
        **{"expires_at": "?"},
    },
    "wanderings": {
        **{"seed_kind": "recent", "activated": "[]", "energy": 0.5, "action": "NOTHING", "action_scores": "{}"},
        **{"reason": "r", "at": "?"},
    },
    "llm_batches": {
        **{"key": "?", "provider": "p", "model": "m", "purpose": "p", "external_id": "e", "submitted_at": "?"},
    },
    "strangers": {"channel": "c", "external_id": "?", "told_at": "?"},
    "inbox": {
        **{"channel": "c", "external_id": "?", "kind": "text", "sender": "7", "payload": "{}", "state": "dead"},
        **{"enqueued_at": "?", "finished_at": "?"},
    },
}
"""A row of each table that may go when it is old; a time, or what must differ, is marked."""


def test_every_table_says_how_long_it_keeps_what_is_in_it(database: Database) -> None:
    with database.read() as db:
        assert set(KEPT) == filled.tables(db).keys()
    assert all(kept.why for kept in KEPT.values())


def test_the_numbers_are_those_that_are_kept_to(world: World) -> None:
    assert span("run_log") == run_ledger.KEPT
    assert span("scratch_buffer") == exit_gate.KEPT_DECISIONS
    assert world.laws.hourly == span("emotion_history")
    assert world.laws.history == span("inbox") == span("turn_journal")
    numbered = {name for name, kept in KEPT.items() if kept.days is not None}
    elsewhere = {"run_log", "scratch_buffer", "emotion_history", "inbox", "turn_journal"}
    parts = {name for name, _ in log_retention._PARTS}
    assert numbered - elsewhere - {"consolidation_log"} <= parts, "whatever has a number of days is let go by it"


def put(db: sqlite3.Connection, table: str, at: str) -> None:
    row = {name: at if value == "?" else value for name, value in ROWS[table].items()}
    marks = ", ".join("?" * len(row))
    db.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", list(row.values()))


def count(world: World, table: str) -> int:
    with world.database.read() as db:
        return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


@pytest.mark.parametrize("table", sorted({*retention.BY_AGE, "inbox"} - {"user_needs_history"}))
def test_what_is_old_goes_and_what_is_new_stays(world: World, table: str) -> None:
    with world.database.write() as db:
        for days in (400, 399, 398, 20, 0):
            put(db, table, stamp(world.now - timedelta(days=days)))
    soul_engine.tick(world)
    announced = 0 if table != "system_events" else count(world, table) - 2
    assert count(world, table) - announced == 2
    assert log_retention.prune(world) == {}, "once a day"


def test_of_old_readings_of_a_need_the_last_of_each_day_stays(world: World) -> None:
    midnight = world.now.replace(hour=0)
    times = [midnight - timedelta(days=days) + timedelta(hours=hour) for days in (900, 800, 20) for hour in (1, 2, 3)]
    with world.database.write() as db:
        for at in times:
            put(db, "user_needs_history", stamp(at))
    log_retention.prune(world)
    with world.database.read() as db:
        left = [row["at"] for row in db.execute("SELECT at FROM user_needs_history ORDER BY id")]
        assert list(history.last_user_needs(db)) == ["rest"]
    assert left == [stamp(times[at]) for at in (2, 5, 6, 7, 8)]


def test_what_was_not_sent_read_or_ended_stays_however_old(world: World) -> None:
    old = stamp(world.now - timedelta(days=900))
    with world.database.write() as db:
        for table in ("outbox", "system_events", "operations", "inbox"):
            put(db, table, old)
        db.execute("UPDATE outbox SET state='ready'")
        db.execute("UPDATE system_events SET applied_at=NULL")
        db.execute("UPDATE operations SET state='pending'")
        db.execute("UPDATE inbox SET state='pending'")
    log_retention.prune(world)
    assert [count(world, name) for name in ("outbox", "system_events", "operations", "inbox")] == [1, 1, 1, 1]


@pytest.mark.parametrize("arrived", [True, False])
def test_a_file_leaves_the_database_when_it_has_arrived_or_never_will(database: Database, arrived: bool) -> None:
    data = base64.b64encode(bytes(100_000)).decode()
    item = NewOutgoing("telegram", "7", "all", kind="document", extra={"filename": "all.jsonl", "data": data})
    with database.write() as db:
        [row] = outbox.put(db, [item], NOON, None, "operation:1")
        outbox.claim(db, row, NOON)
        [going] = outbox.of_turn(db, "operation:1")
        assert going.extra["data"] == data, "as long as it is on its way it is there"
        if arrived:
            outbox.mark_sent(db, row, "5", NOON)
        else:
            outbox.mark_failed(db, row, "blocked", NOON)
        [gone] = outbox.of_turn(db, "operation:1")
        assert gone.extra == {"filename": "all.jsonl"}
        assert db.execute("SELECT sum(length(extra)) FROM outbox").fetchone()[0] < 100


def called(db: sqlite3.Connection, at: str, model: str, usd: float, error: str | None = None) -> None:
    db.execute(
        "INSERT INTO llm_calls (at, tier, provider, model, purpose, turn_key, tokens_in, tokens_cached, "
        "tokens_cache_written, tokens_out, cost_usd, latency_s, error) VALUES (?, 'chat', 'a', ?, 'turn', ?, 100, 40, "
        "0, 10, ?, 1.0, ?)",
        (at, model, f"inbox:{at}", usd, error),
    )


def test_a_year_of_calls_is_summed_by_day_and_costs_what_it_cost(world: World, clock: FrozenClock) -> None:
    with world.database.write() as db:
        for hours in range(0, 200 * 24, 6):
            at = stamp(world.now - timedelta(hours=hours))
            called(db, at, ("small", "large")[hours // 6 % 2], 0.01, "timed out" if hours % 24 == 0 else None)
    since = world.now - timedelta(days=365)

    def told(by: str) -> list[dict[str, object]]:
        with world.database.read() as db:
            return sorted(costs.breakdown(db, since, by), key=lambda row: str(row[by]))

    before = {by: told(by) for by in ("day", "purpose", "model")}
    rows = count(world, "llm_calls")
    gone = 0
    while more := log_retention.prune(world):
        gone += more["llm_calls"]
    assert {by: told(by) for by in before} == before
    assert count(world, "llm_calls") == rows - gone < rows - 100
    clock.pass_(days=2)
    again = log_retention.prune(world)
    assert again["llm_calls"] < 10, "what is summed is not looked at again"
    assert {by: told(by) for by in before} == before


def test_a_call_of_today_is_by_itself(world: World) -> None:
    with world.database.write() as db:
        called(db, stamp(world.now), "small", 0.01)
        called(db, stamp(world.now), "small", 0.01)
    log_retention.prune(world)
    with world.database.read() as db:
        assert json.dumps(costs.breakdown(db, world.now - timedelta(days=1), "day")).count('"calls": 2') == 1
        assert costs.model_of(db, f"inbox:{stamp(world.now)}") == "a:small"
    assert count(world, "llm_calls") == 2
