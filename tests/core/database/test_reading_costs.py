"""What is asked for every message, or every few seconds, must not cost more the longer two have known each other.

Counted in steps of SQLite's machine, which depend on the plan and on nothing else: a question that reads every row of
a table takes several steps a row.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest

from furoshiki.app.jobs import JOBS, due
from furoshiki.core.timestamps import stamp
from furoshiki.feelings.store import history
from furoshiki.memory.store import accesses, memories, retrievals, scratch, weights
from furoshiki.messages.store import accounts, inbox, outbox, sessions, summaries, turn_journal, turns
from furoshiki.models.llm.store import costs
from furoshiki.owner.agenda.store import backlog, mind_queue, operations, tasks
from furoshiki.owner.routing.store import decisions
from tests.support.laws import NOON
from tests.support.routing import decided

pytestmark = pytest.mark.slow

ROWS = 3600
STEPS_AT_ONCE = 100
MOST_STEPS = ROWS
"""A scan takes two to ten steps for each row of the table, an answer by index some ten for each row it gives."""

IDLE = (
    "run_post_conversation",
    "flush_scratch",
    "outreach_pulse",
    "consolidate_light",
    "run_micro_contemplation",
    "wander",
)
"""Scripts that are looked at every few minutes, to see whether there is anything to do."""

Question = Callable[[sqlite3.Connection], object]


ASKED: dict[str, Question] = {
    "inbox.waits": inbox.waits,
    "inbox.count_pending": inbox.count_pending,
    "inbox.waiting_in_chat": lambda db: inbox.read_waiting(db, "telegram", "7", ROWS - 1),
    "outbox.ready": lambda db: outbox.ready(db, "telegram", NOON),
    "outbox.next_due": lambda db: outbox.next_due(db, "telegram"),
    "outbox.uncertain": lambda db: outbox.uncertain(db, "telegram"),
    "outbox.count_pending": outbox.count_pending,
    "outbox.of_turn": lambda db: outbox.of_turn(db, "inbox:5"),
    "journal.unfinished": lambda db: turn_journal.find_unfinished(db, ROWS),
    "turns.recent": lambda db: turns.recent(db, "telegram", "7", 40),
    "turns.last_session": turns.last_session,
    "turns.silent": lambda db: turns.silent(db, NOON),
    "turns.last_said": lambda db: turns.last_said(db, "user"),
    "turns.elsewhere": lambda db: turns.elsewhere(db, "telegram", "7", NOON - timedelta(hours=1)),
    "turns.gaps": turns.gaps,
    "turns.first_meeting": turns.is_first_meeting,
    "turns.by_external": lambda db: turns.by_external(db, "telegram", "7", "15"),
    "turns.of_key": lambda db: turns.of_key(db, "inbox:5"),
    "costs.spent_since": lambda db: costs.spent_since(db, NOON - timedelta(hours=1)),
    "turns.before": lambda db: turns.before(db, "telegram", "7", 2 * ROWS, 40),
    "turns.newest_id": turns.newest_id,
    "turns.beside": lambda db: turns.beside(db, ROWS),
    "sessions.to_read": lambda db: sessions.to_read(db, NOON, timedelta(minutes=20)),
    "sessions.latest": lambda db: sessions.latest(db, 5),
    "failures.of": lambda db: backlog.list_failures(db, ("reading_failed",), NOON - timedelta(days=7)),
    "mind_queue.of_memories": mind_queue.of_memories,
    "operations.unharvested": operations.list_unharvested,
    "turns.first_since": lambda db: turns.first_since(db, "telegram", "7", NOON - timedelta(days=1), 2),
    **{f"due of {name}": partial(due, JOBS[name].steps, now=NOON) for name in IDLE},
    "memories.known": lambda db: memories.read_known(db, 50),
    "memories.of_identity": memories.of_identity,
    "memories.goals": memories.goals,
    "memories.count_to": lambda db: memories.count_to(db, 300),
    "journal.newest": lambda db: turn_journal.newest(db, 3),
    "retrievals.recorded": lambda db: retrievals.is_recorded(db, "inbox:5"),
    "summaries.get": lambda db: summaries.get(db, "telegram", "7"),
    "scratch.relevances": lambda db: scratch.relevances(db, [5, 6, 7]),
    "accesses.partners": lambda db: accesses.partners(db, 5, 3),
    "operations.active": operations.active,
    "tasks.due": lambda db: tasks.due(db, NOON),
    "mind_queue.pending": lambda db: mind_queue.list_due(db, NOON),
    "feelings.last": history.last,
    "weights.of_cycle_and_memory": lambda db: weights.of_cycle_and_memory(db, "turn:inbox:5", 5),
    "weights.gains": lambda db: weights.gains(db, 5, "retrieved", "turn:inbox:6", 12),
    "weights.other_goals": lambda db: weights.other_goals(db, 5),
    "routing.of_turn": lambda db: decisions.of_turn(db, "inbox:5"),
    "accounts.paired": lambda db: accounts.find_account(db, "telegram", "7"),
}


@pytest.fixture(scope="module")
def old_friends(tmp_path_factory: pytest.TempPathFactory) -> sqlite3.Connection:
    """A database in which much has been said, long ago."""
    from furoshiki.core.database import migrate
    from furoshiki.core.database.connection import connect

    path = tmp_path_factory.mktemp("old") / "old.sqlite"
    migrate.ensure(path)
    db = connect(path, "rw")
    db.execute("BEGIN")
    for number in range(1, ROWS + 1):
        at = stamp(NOON - timedelta(days=500) + timedelta(minutes=20 * number))
        key = f"inbox:{number}"
        db.execute(
            "INSERT INTO inbox (channel, external_id, kind, sender, payload, state, enqueued_at) "
            "VALUES ('telegram', ?, 'text', '7', '{\"chat_id\": 7}', 'done', ?)",
            (key, at),
        )
        for speaker in ("user", "companion"):
            db.execute(
                "INSERT INTO turns (session_id, channel, chat_id, speaker, kind, text, at, external_id, turn_key) "
                "VALUES (?, 'telegram', '7', ?, 'text', 'said long ago', ?, ?, ?)",
                (f"s{number // 10}", speaker, at, str(2 * number + (speaker == "companion")), key),
            )
        decided(db, NOON - timedelta(days=500) + timedelta(minutes=20 * number), turn_key=key)
        db.execute(
            "INSERT INTO outbox (turn_key, channel, chat_id, part, kind, text, state, policy, external_id, created_at) "
            "VALUES (?, 'telegram', '7', 0, 'text', 'said long ago', 'sent', 'reply', ?, ?)",
            (key, str(2 * number + 1), at),
        )
        db.execute(
            "INSERT INTO turn_journal (turn_key, envelope_ids, answer, evidence, written_at, committed_at) "
            "VALUES (?, ?, '{}', '[]', ?, ?)",
            (key, f"[{number}]", at, at),
        )
        db.execute(
            "INSERT INTO llm_calls (at, tier, provider, model, purpose, turn_key, tokens_in, tokens_cached, "
            "tokens_cache_written, tokens_out, cost_usd, latency_s) "
            "VALUES (?, 'chat', 'a', 'b', 'turn', ?, 1, 0, 0, 1, 0.1, 1.0)",
            (at, key),
        )
        db.execute(
            "INSERT INTO memories (type, content, created_at, hit_count, source_tag, embedding, embed_model, "
            "index_state) VALUES ('semantic', 'said long ago', ?, ?, 'external_user', x'0000', 'm', 'indexed')",
            (at, number % 7),
        )
        db.execute(
            "INSERT INTO consolidation_log (cycle, at, operation, memory_id, alpha_before, beta_before, alpha_after, "
            "beta_after, evidence) VALUES (?, ?, 'retrieved', ?, 1, 4, 1.1, 4, '{}')",
            (f"turn:{key}", at, number),
        )
        db.execute(
            "INSERT INTO system_events (kind, payload, created_at, applied_at) VALUES ('session_closed', '{}', ?, ?)",
            (at, at),
        )
    for number in range(ROWS // 10 + 1):
        db.execute(
            "INSERT INTO sessions (session_id, started_at, ended_at, topics, document) VALUES (?, ?, ?, '[]', 'old')",
            (f"s{number}", stamp(NOON - timedelta(days=500)), stamp(NOON - timedelta(days=400))),
        )
    for number in range(ROWS):  # and then they brought along what they had said elsewhere
        at = stamp(NOON - timedelta(days=2000) + timedelta(minutes=20 * number))
        db.execute(
            "INSERT INTO turns (session_id, channel, chat_id, speaker, kind, text, at, source, import_id) "
            "VALUES (?, 'import', 'x', 'user', 'text', 'said elsewhere', ?, 'import:x', ?)",
            (f"x{number // 10}", at, f"D{number}"),
        )
    sessions.advance_mark(db, NOON)
    db.commit()
    return db


@pytest.mark.parametrize("name", ASKED)
def test_asking_costs_the_same_after_years(old_friends: sqlite3.Connection, name: str) -> None:
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += STEPS_AT_ONCE
        return 0

    old_friends.set_progress_handler(count, STEPS_AT_ONCE)
    try:
        ASKED[name](old_friends)
    finally:
        old_friends.set_progress_handler(None, 0)
    assert steps < MOST_STEPS, f"{steps} steps over {ROWS} rows"


def test_what_is_unread_is_found_behind_the_mark_and_the_mark_waits_for_it(old_friends: sqlite3.Connection) -> None:
    def say(session: str, at: timedelta) -> None:
        old_friends.execute(
            "INSERT INTO turns (session_id, channel, chat_id, speaker, kind, text, at) "
            "VALUES (?, 'telegram', '7', 'user', 'text', 'said now', ?)",
            (session, stamp(NOON + at)),
        )

    def unread(minutes: int) -> list[str]:
        return sessions.to_read(old_friends, NOON + timedelta(minutes=minutes), timedelta(minutes=20))

    old_friends.execute("SAVEPOINT trial")
    say("new", timedelta(0))
    sessions.advance_mark(old_friends, NOON)
    assert (unread(5), unread(30)) == ([], ["new"])
    say("newer", timedelta(minutes=40))
    for _ in range(3):
        sessions.advance_mark(old_friends, NOON)
    assert unread(90) == ["new", "newer"]
    old_friends.execute(
        "INSERT INTO sessions (session_id, started_at, ended_at, topics, document) VALUES ('newer', 'a', 'b', '[]', '')"
    )
    sessions.advance_mark(old_friends, NOON)
    assert unread(90) == ["new"], "the one before it still waits"
    old_friends.execute("ROLLBACK TO trial")
