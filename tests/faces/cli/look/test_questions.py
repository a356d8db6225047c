"""`furoshiki questions`: what the companion asks itself can be read, by people and by machines."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.owner.agenda.store import mind_queue
from tests.support.shell import Command


@pytest.fixture
def database(data: Path) -> Database:
    return Database(data / "memory" / "longmemory.sqlite")


def test_before_the_first_question(command: Command, database: Database) -> None:
    assert command("questions").out == "No question is open.\n"
    assert command("questions", "--all").out == "No question has come up yet.\n"
    assert command("questions", "--json").json == []


def test_what_is_open_and_with_all_what_was_answered(command: Command, database: Database) -> None:
    now = datetime.now(UTC)
    with database.write() as db:
        for text in ("Where do they work?", "Would they like a call?", "where does she work"):
            self_questions.add(db, text, "sessions:s1", now)
        self_questions.to_user(db, 2, now)
        turn = turns.add(db, NewTurn("s", "console", "console", USER, "I work at the harbour", now))
        held = memories.add(db, NewMemory("reflection", "They work at the harbour.", (turn,)), now)
        self_questions.answer(db, 1, "They work at the harbour.", held, now)
    assert command("questions").out == "for you to answer\t1 time\tjust now\tWould they like a call?\n"
    assert command("questions", "--all").out.splitlines() == [
        "for you to answer\t1 time\tjust now\tWould they like a call?",
        "answered\t1 time\tjust now\tWhere do they work? — They work at the harbour. [memory:1]",
    ]
    waiting, answered = command("questions", "--all", "--json").json
    assert (waiting["state"], waiting["triage"], waiting["source"]) == ("user_required", "user", "sessions:s1")
    assert (answered["memory_id"], answered["asked"], answered["answer"]) == (1, 1, "They work at the harbour.")
    assert "stem" not in answered


def test_what_was_done_about_a_question_so_far(command: Command, database: Database) -> None:
    now = datetime.now(UTC)
    with database.write() as db:
        for text in ("Why do I ask so much?", "Would they like a call?"):
            self_questions.add(db, text, "sessions:s1", now)
        self_questions.record_lookup(db, 1, now)
        self_questions.to_user(db, 2, now)
        for waiting in mind_queue.list_pending(db):
            mind_queue.mark_said(db, waiting.id)
    assert [line.split("\t")[0] for line in command("questions").out.splitlines()] == [
        "open, looked into 1 time",
        "asked you",
    ]
    assert [one["asked_you"] for one in command("questions", "--json").json] == [False, True]
