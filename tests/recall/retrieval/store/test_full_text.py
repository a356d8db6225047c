"""Full text: what is found, in what order, at what price."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from furoshiki.core.database.connection import Database
from furoshiki.language.tables.function_words import query_words
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import sessions, turns
from furoshiki.messages.store.sessions import SessionDocument
from furoshiki.messages.values import NewTurn
from furoshiki.recall.retrieval.store import full_text

AT = datetime(2026, 3, 14, tzinfo=UTC)


def say(db: sqlite3.Connection, text: str, speaker: str = "user", **more: str) -> int:
    return turns.add(db, NewTurn("s1", "console", "me", speaker, text, AT, **more))  # type: ignore[arg-type]


def found(database: Database, query: str) -> list[int]:
    with database.read() as db:
        return full_text.full_text(db, "turn", query_words(query), 10)


def test_stems_case_and_accents_do_not_matter(database: Database) -> None:
    with database.write() as db:
        wanted = say(db, "We were Paddling past the CAFÉ")
        say(db, "nothing of the kind")
    assert found(database, "paddles") == found(database, "cafe") == [wanted]


def test_the_speakers_name_is_searched_too(database: Database) -> None:
    with database.write() as db:
        say(db, "I sold the boat", "Noor")
        wanted = say(db, "I sold the boat", "Ines")
    assert found(database, "what did Ines sell?")[0] == wanted


def test_rarer_words_and_shorter_turns_come_first_and_the_newest_of_equals(database: Database) -> None:
    with database.write() as db:
        for _ in range(5):
            say(db, "the boat again")
        first = say(db, "the zeppelin")
        second = say(db, "the zeppelin")
    assert found(database, "boat zeppelin")[:2] == [second, first]


def test_no_words_no_answers(database: Database) -> None:
    with database.write() as db:
        say(db, "the boat")
    assert found(database, "") == found(database, "submarine") == []


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(st.text(max_size=80))
def test_no_query_is_a_syntax_error(database: Database, query: str) -> None:
    assert found(database, query) == []


def test_frequent_words_are_left_out_when_there_are_rarer_ones(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full_text, "ROWS_SCORED", 20)
    with database.write() as db:
        wanted = say(db, "harbour at night")
        for i in range(60):
            say(db, f"night number {i}")
    assert found(database, "harbour night") == [wanted]


def test_a_word_that_is_in_too_much_is_looked_up_in_the_newest(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full_text, "ROWS_SCORED", 20)
    with database.write() as db:
        ids = [say(db, f"night number {i}") for i in range(60)]
    assert set(found(database, "night")) <= set(ids[-20:])
    assert len(found(database, "night")) == 10


def test_the_whole_of_what_was_found(database: Database) -> None:
    with database.write() as db:
        said = say(db, "I drink rooibos", source="import:tea", import_id="D1:1")
        db.execute("UPDATE turns SET session_id='import:tea/S1' WHERE id=?", (said,))
        also = say(db, "as I said")
        memory = memories.add(db, NewMemory("preference", "drinks rooibos", (said, also)), AT)
        session = sessions.add(db, SessionDocument("import:tea/S1", AT, AT, (), "tea", None, None))
    with database.read() as db:
        everything = full_text.whole(db, [f"turn:{said}", f"memory:{memory}", f"session:{session}", "turn:999"])
    turn, fact, document = everything.values()
    assert (turn.text, turn.speaker, turn.session, turn.import_ids) == ("I drink rooibos", "user", "S1", ("D1:1",))
    assert (fact.text, fact.turn_ids, fact.import_ids) == ("drinks rooibos", (said, also), ("D1:1", None))
    assert fact.session == "S1"
    assert (document.text, document.turn_ids, document.session) == ("tea", (said,), "S1")


def test_what_was_replaced_is_found_no_more_and_what_is_over_says_so(database: Database) -> None:
    with database.write() as db:
        old = say(db, "I live in Porto")
        new = turns.replace(db, old, NewTurn("s1", "console", "me", "user", "I live in Lisbon", AT))
        fact = memories.add(db, NewMemory("semantic", "lives in Porto", (old,)), AT)
        memories.close(db, fact, AT)
    with database.read() as db:
        found = full_text.whole(db, [f"turn:{old}", f"turn:{new}", f"memory:{fact}"])
    assert list(found) == [f"turn:{new}", f"memory:{fact}"]
    assert not found[f"turn:{new}"].past
    assert found[f"memory:{fact}"].past
    assert found[f"memory:{fact}"].valid_to == AT


@pytest.mark.slow
def test_more_ids_than_sqlite_takes_at_once(database: Database) -> None:
    with database.write() as db:
        ids = [say(db, "x") for _ in range(1100)]
    with database.read() as db:
        assert len(full_text.whole(db, [f"turn:{row_id}" for row_id in ids])) == 1100
