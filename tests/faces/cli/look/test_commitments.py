"""`furoshiki commitments`: what was promised, why and how it went can be read, by people and by machines."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.mind.inner_life.store import commitments, patterns, self_questions
from tests.support.shell import Command

NOW = datetime.now(UTC)
THEN = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = timedelta(days=1)
SIGN = "Honoured when a question stands before advice."


@pytest.fixture
def database(data: Path) -> Database:
    return Database(data / "memory" / "longmemory.sqlite")


def promised(database: Database) -> None:
    """Two promises: one kept twice and broken once, one that became part of it."""
    with database.write() as db:
        for day in (0, 3, 7):
            self_questions.add(db, "Should I have asked before advising?", "sessions:1", THEN + day * DAY)
        self_questions.add(db, "Was I too long?", "sessions:1", THEN)
        for number, (gist, text) in enumerate((("asked", "Ask before giving advice"), ("long", "Keep it short")), 1):
            patterns.place(db, number, patterns.begin(db, gist, THEN))
            commitments.add(db, number, text, SIGN, THEN + 8 * DAY)
        for session, verdict in (("s1", "honoured"), ("s2", "broken"), ("s3", "honoured")):
            at = THEN + 9 * DAY if session != "s3" else NOW - 3 * DAY
            commitments.record(db, 1, session, "broken" if verdict == "broken" else "honoured", (1, 2), at)
        commitments.retire(db, 2, THEN + 20 * DAY)


def test_before_the_first_promise(command: Command, database: Database) -> None:
    assert command("commitments").out == "Nothing is promised at the moment.\n"
    assert command("commitments", "--all").out == "Nothing was ever promised.\n"
    assert command("commitments", "--json").json == []


def test_a_promise_with_its_reason_and_how_it_went(command: Command, database: Database) -> None:
    promised(database)
    assert command("commitments").out.splitlines() == [
        "# Ask before giving advice",
        "",
        "Promised on 10 March 2026: honoured 2 times, broken 1 time, last honoured 3 days ago.",
        SIGN,
        "",
        "I kept asking myself:",
        "",
        "- Should I have asked before advising? (2 March 2026, 5 March 2026, 9 March 2026)",
    ]


def test_with_all_also_what_became_part_of_it(command: Command, database: Database) -> None:
    promised(database)
    told = command("commitments", "--all").out
    assert "Promised on 10 March 2026, has become part of me since 22 March 2026: honoured 0 times" in told
    assert told.index("# Keep it short") < told.index("# Ask before giving advice"), "newest first"


def test_machines_get_every_verdict(command: Command, database: Database) -> None:
    promised(database)
    [one] = command("commitments", "--json").json
    assert (one["text"], one["state"], one["honoured"], one["broken"]) == ("Ask before giving advice", "active", 2, 1)
    assert one["questions"] == [
        {
            "question": "Should I have asked before advising?",
            "times": [(THEN + day * DAY).isoformat(timespec="microseconds") for day in (0, 3, 7)],
        }
    ]
    assert [(judged["session"], judged["verdict"], judged["turns"]) for judged in one["judgements"]] == [
        ("s1", "honoured", [1, 2]),
        ("s2", "broken", [1, 2]),
        ("s3", "honoured", [1, 2]),
    ]
