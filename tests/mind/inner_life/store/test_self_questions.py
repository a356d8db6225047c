"""Self-questions on record: the layers against repetition that live in the database, and what an answer closes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import timedelta

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.owner.user_model.store import anticipations
from furoshiki.recall.retrieval.store import vectors
from tests.support.laws import NOON
from tests.support.rows import waits

DAY = timedelta(days=1)
SEA = "Why do they go to the sea after hard days?"
CALL = "Would they like a call on their birthday?"


@pytest.fixture
def db(database: Database) -> Iterator[sqlite3.Connection]:
    with database.write() as connection:
        vectors.model_is(connection, "words.1", NOON)
        yield connection


def add(db: sqlite3.Connection, text: str, vector: tuple[float, ...] | None = None, days: int = 0) -> int | None:
    return self_questions.add(db, text, "sessions:s1", NOON + days * DAY, vector=vector)


def learned(db: sqlite3.Connection, text: str) -> int:
    turn = turns.add(db, NewTurn("s1", "console", "me", USER, text, NOON))
    return memories.add(db, NewMemory("reflection", text, (turn,), category="self"), NOON)


def answered(db: sqlite3.Connection, question: int, text: str = "They swim.") -> tuple[int, ...]:
    return self_questions.answer(db, question, text, learned(db, text), NOON + DAY)


def state(db: sqlite3.Connection, question: int | None) -> str:
    assert question is not None
    found = self_questions.get(db, question)
    assert found is not None
    return found.state


def queue(db: sqlite3.Connection) -> list[tuple[str, str]]:
    return [(row["summary"], row["state"]) for row in db.execute("SELECT summary, state FROM mind_queue ORDER BY id")]


def test_a_question_that_waits_is_not_kept_twice_and_counts_its_times(db: sqlite3.Connection) -> None:
    first = add(db, SEA)
    assert first is not None
    assert add(db, "why does she go to the sea after a hard day", days=1) is None
    [one] = self_questions.list_pending(db)
    assert (one.id, one.question, one.asked, one.state, one.tried) == (first, SEA, 2, "open", 0)


@pytest.mark.parametrize("nothing", ["", "  ", "is it?", "?!"])
def test_what_asks_nothing_is_no_question(db: sqlite3.Connection, nothing: str) -> None:
    assert add(db, nothing) is None


def test_what_was_answered_is_not_asked_again_in_the_same_words(db: sqlite3.Connection) -> None:
    first = add(db, SEA)
    assert first is not None
    answered(db, first)
    assert add(db, SEA.upper().capitalize(), days=20) is None
    assert self_questions.list_pending(db) == []


@pytest.mark.parametrize(("other", "kept"), [((0.71, 0.7042), False), ((0.69, 0.7238), True), ((0.0, 1.0), True)])
def test_what_was_answered_is_known_again_in_other_words(
    db: sqlite3.Connection, other: tuple[float, ...], kept: bool
) -> None:
    """At a cosine distance below 0.30 of an answered question: a cosine above 0.70."""
    first = add(db, SEA, (1.0, 0.0))
    assert first is not None
    assert add(db, "Does the water calm them?", (1.0, 0.0)) is not None, "a pending one blocks by its stem alone"
    answered(db, first)
    assert (add(db, "Is swimming how they rest?", other) is not None) is kept


def test_vectors_of_another_encoder_say_nothing(db: sqlite3.Connection) -> None:
    first = add(db, SEA, (1.0, 0.0))
    assert first is not None
    answered(db, first)
    vectors.model_is(db, "words.2", NOON)
    assert add(db, "Is swimming how they rest?", (1.0, 0.0)) is not None


def test_an_answer_closes_its_siblings_notes_and_guesses(db: sqlite3.Connection) -> None:
    first, near = add(db, SEA, (1.0, 0.0)), add(db, "Is swimming how they rest?", (0.9, 0.43))
    far = add(db, CALL, (0.0, 1.0))
    assert first is not None and near is not None and far is not None
    assert self_questions.to_user(db, near, NOON)
    assert self_questions.to_user(db, far, NOON)
    mind_queue.add(db, "thought", "They go to the sea after hard days", "t1", NOON)
    mind_queue.add(db, "thought", "They work at the harbour", "t2", NOON)
    entry = db.execute(
        "INSERT INTO inner_monologue (kind, day, item, at, passages, provider, seen_turn, state) "
        "VALUES ('journal', '2026-03-24', '', '2026-03-24', '[]', 'local', 0, 'kept')"
    ).lastrowid
    assert entry is not None
    for text in ("They go to the sea after hard days", "They may need an umbrella"):
        anticipations.add(db, entry, text, "said so", (), NOON, NOON + 5 * DAY, NOON)
    assert answered(db, first) == (near,)
    assert [state(db, one) for one in (first, near, far)] == ["answered", "merged", "user_required"]
    assert queue(db) == [
        ("Is swimming how they rest?", "dropped"),
        (CALL, "pending"),
        ("They go to the sea after hard days", "dropped"),
        ("They work at the harbour", "pending"),
    ]
    assert [one.text for one in anticipations.open_(db, NOON)] == ["They may need an umbrella"]


def test_only_a_pending_question_can_be_answered(db: sqlite3.Connection) -> None:
    first = add(db, SEA)
    assert first is not None
    answered(db, first)
    with pytest.raises(LookupError, match="not pending"):
        answered(db, first, "They sail.")


def test_an_answer_goes_with_its_memory(db: sqlite3.Connection) -> None:
    first = add(db, SEA)
    assert first is not None
    answered(db, first)
    db.execute("DELETE FROM memories")
    assert self_questions.every(db) == []


def test_duplicates_that_slipped_in_are_merged_into_what_the_user_will_be_asked(db: sqlite3.Connection) -> None:
    first, other = add(db, CALL), add(db, SEA)
    assert first is not None
    db.execute(
        "INSERT INTO self_questions (question, stem, source, created_at) SELECT question, stem, source, created_at "
        "FROM self_questions WHERE id=?",
        (first,),
    )
    later = int(db.execute("SELECT max(id) FROM self_questions").fetchone()[0])
    assert self_questions.to_user(db, later, NOON)
    assert self_questions.merge_duplicates(db) == 1
    assert [state(db, one) for one in (first, other, later)] == ["merged", "open", "user_required"]
    assert self_questions.merge_duplicates(db) == 0
    assert queue(db) == [(CALL, "pending")]


def test_the_same_words_are_put_to_the_user_once_ever(db: sqlite3.Connection) -> None:
    first = add(db, CALL)
    assert first is not None
    assert self_questions.to_user(db, first, NOON)
    assert not self_questions.to_user(db, first, NOON), "it is not open any more"
    assert mind_queue.expire(db, NOON + 7 * DAY) == 1
    assert self_questions.let_go(db, NOON + 7 * DAY) == 1
    again = add(db, CALL, days=8)
    assert again is not None
    assert not self_questions.to_user(db, again, NOON + 8 * DAY)
    assert [state(db, one) for one in (first, again)] == ["expired", "expired"]
    assert queue(db) == [(CALL, "expired")]


def test_what_the_user_was_asked_is_not_even_kept_again(db: sqlite3.Connection) -> None:
    first = add(db, CALL)
    assert first is not None
    self_questions.to_user(db, first, NOON)
    db.execute("UPDATE mind_queue SET state='sent'")
    assert self_questions.let_go(db, NOON + 8 * DAY) == 0, "it was asked, and may be answered yet"
    db.execute("UPDATE self_questions SET state='expired'")
    assert add(db, CALL, days=9) is None


def test_nothing_is_said_whose_question_is_closed(db: sqlite3.Connection) -> None:
    """Fifth layer: whatever closes it, and even when the note itself was missed."""
    first, other = add(db, CALL), add(db, SEA)
    assert first is not None and other is not None
    for one in (first, other):
        self_questions.to_user(db, one, NOON)
    mind_queue.add(db, "follow_up", "ask about the letter", "f1", NOON, source="sessions:s1")
    db.execute("UPDATE self_questions SET state='answered' WHERE id=?", (first,))
    assert waits(db, NOON) == [SEA, "ask about the letter"]
    assert mind_queue.expire_closed(db) == 1
    assert queue(db) == [(CALL, "expired"), (SEA, "pending"), ("ask about the letter", "pending")]
    db.execute("DELETE FROM self_questions")
    assert mind_queue.expire_closed(db) == 1, "nor when it is forgotten"


def test_a_question_nobody_can_answer_is_let_go_after_a_month(db: sqlite3.Connection) -> None:
    first = add(db, SEA)
    assert self_questions.let_go(db, NOON + 29 * DAY) == 0
    assert self_questions.let_go(db, NOON + 30 * DAY) == 1
    assert state(db, first) == "expired"


def test_who_waits_for_the_user_is_looked_into_only_when_something_was_learned(db: sqlite3.Connection) -> None:
    first = add(db, CALL)
    assert first is not None
    assert [one.id for one in self_questions.to_answer(db, NOON, 5)] == [first]
    self_questions.record_lookup(db, first, NOON)
    self_questions.to_user(db, first, NOON)
    assert self_questions.to_answer(db, NOON + DAY, 5) == []
    made = learned(db, "They like calls.")
    db.execute("UPDATE memories SET created_at=? WHERE id=?", ("2999-01-01T00:00:00.000000+00:00", made))
    assert [one.id for one in self_questions.to_answer(db, NOON + DAY, 5)] == [first]
    assert self_questions.to_answer(db, NOON - DAY, 5) == [], "it was looked at since"


def test_what_memory_could_not_say_three_times_waits_until_something_is_learned(db: sqlite3.Connection) -> None:
    one = add(db, SEA)
    assert one is not None
    for night in range(3):
        assert [due.id for due in self_questions.to_answer(db, NOON + night * DAY, 5)] == [one]
        self_questions.record_lookup(db, one, NOON + night * DAY)
    assert self_questions.to_answer(db, NOON + 9 * DAY, 5) == []
    turn = turns.add(db, NewTurn("s2", "console", "me", USER, "I like the sea", NOON))
    memories.add(db, NewMemory("semantic", "They like the sea.", (turn,)), NOON + 4 * DAY)
    assert [due.id for due in self_questions.to_answer(db, NOON + 9 * DAY, 5)] == [one]
