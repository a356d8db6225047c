"""What was said, verbatim: found by conversation, by session, by the channel's number, in its newest wording."""

from __future__ import annotations

import sqlite3
from datetime import timedelta

import pytest

from furoshiki.messages.store import outbox, sessions, turns
from furoshiki.messages.store.sessions import SessionDocument
from tests.support.laws import NOON
from tests.support.rows import companion_said, user_said, words

DB = sqlite3.Connection
MINUTE = timedelta(minutes=1)


def texts(found: list[turns.Turn]) -> list[str]:
    return [turn.text for turn in found]


def index_state(db: DB, turn_id: int) -> str:
    return str(db.execute("SELECT index_state FROM turns WHERE id=?", (turn_id,)).fetchone()[0])


def test_words_are_kept_as_they_were_said(db: DB) -> None:
    text = "línea\n\n👩‍👩‍👧 مرحبا\t“x” "
    row = turns.add(db, user_said(text, signals={"joy": 0.5}, attachments={"name": "a.pdf"}))
    found = turns.get(db, row)
    assert found is not None
    assert (found.text, found.at, found.speaker, found.reply_to) == (text, NOON, "user", None)
    assert (turns.get(db, 99), turns.count(db)) == (None, 1)


@pytest.mark.parametrize("text", ["\x00", "\ud800", "a\x00b\udfff"])
def test_what_no_database_can_hold_does_not_stop_the_rest(db: DB, text: str) -> None:
    found = turns.get(db, turns.add(db, user_said(text)))
    assert found is not None
    assert found.text == text.replace("\x00", "").encode("utf-8", "replace").decode()


@pytest.mark.parametrize(
    ("text", "kind", "state"),
    [("hi", "text", "pending"), (" ", "text", "empty"), ("/help", "command", "empty"), ("👍", "reaction", "empty")],
)
def test_only_what_says_something_is_to_be_found(db: DB, text: str, kind: str, state: str) -> None:
    assert index_state(db, turns.add(db, user_said(text, kind=kind))) == state


def test_the_newest_of_a_conversation_oldest_first(db: DB) -> None:
    for text in ("one", "two", "three"):
        turns.add(db, user_said(text))
    turns.add(db, user_said("elsewhere", chat_id="8"))
    turns.add(db, user_said("/help", kind="command"))
    turns.add(db, companion_said("", kind="silence"))
    turns.add(db, user_said("old", source="import", import_id="1"))
    assert texts(turns.recent(db, "telegram", "7", 2)) == ["two", "three"]
    assert texts(turns.of_session(db, "s1")) == ["one", "two", "three", "elsewhere", "old"]


def test_an_edit_takes_the_place_of_the_old_words_and_they_stay_readable(db: DB) -> None:
    old = turns.add(db, user_said("I live in Lyn", external_id="101", turn_key="t1"))
    reply = turns.add(db, companion_said("Lyn?", turn_key="t1"))
    new = turns.replace(db, old, user_said("I live in Lyon", external_id="101", turn_key="t2"))
    found = turns.by_external(db, "telegram", "7", "101")
    assert found is not None
    assert found.id == new
    assert texts(turns.recent(db, "telegram", "7", 9)) == ["Lyn?", "I live in Lyon"]
    assert texts(turns.of_key(db, "t1")) == ["I live in Lyn", "Lyn?"]
    turns.set_aside(db, "t1", new)
    assert [index_state(db, row) for row in (old, reply, new)] == ["replaced", "replaced", "pending"]
    assert texts(turns.of_session(db, "s1")) == ["I live in Lyon"]


def test_every_part_of_a_reply_leads_to_it(db: DB) -> None:
    turn = turns.add(db, companion_said("one two"))
    for row, number in zip(outbox.put(db, [words("one"), words("two")], NOON, turn, "t1"), ("101", "102"), strict=True):
        outbox.mark_sent(db, row, number, NOON)
    for number in ("101", "102"):
        found = turns.by_external(db, "telegram", "7", number)
        assert found is not None
        assert found.id == turn
    assert turns.by_external(db, "console", "7", "101") is None


def test_the_last_words_of_each(db: DB) -> None:
    assert (turns.last_said(db, "user"), turns.last_session(db), turns.is_first_meeting(db)) == (None, None, True)
    turns.add(db, user_said("hi", NOON, session_id="s1"))
    assert turns.is_first_meeting(db) is True
    turns.add(db, companion_said("hello", NOON + MINUTE, session_id="s2"))
    turns.add(db, user_said("old", NOON + 2 * MINUTE, session_id="s3", source="import", import_id="1"))
    last = turns.last_said(db, "user")
    assert last is not None
    assert (last.text, turns.last_session(db), turns.is_first_meeting(db)) == ("hi", ("s2", NOON + MINUTE), False)


def test_other_conversations_are_told_by_their_newest_words(db: DB) -> None:
    turns.add(db, user_said("here"))
    turns.add(db, user_said("long ago", NOON - 60 * MINUTE, channel="web", chat_id="w"))
    turns.add(db, user_said("first there", channel="console", chat_id="c"))
    turns.add(db, user_said("then there", channel="console", chat_id="c"))
    turns.add(db, companion_said("answered", channel="console", chat_id="c"))
    turns.add(db, companion_said("", channel="console", chat_id="c", kind="silence"))
    assert texts(turns.elsewhere(db, "telegram", "7", NOON - MINUTE)) == ["then there", "answered"]


def test_many_by_their_ids(db: DB) -> None:
    ids = [turns.add(db, user_said(text)) for text in ("one", "two", "three")]
    assert texts(turns.many(db, [ids[2], ids[0], 99])) == ["one", "three"]
    assert turns.many(db, []) == []


def test_the_pauses_of_the_user(db: DB) -> None:
    for minute in (0, 1, 5):
        turns.add(db, user_said("hi", NOON + minute * MINUTE))
        turns.add(db, companion_said("mhm", NOON + minute * MINUTE))
    assert turns.gaps(db) == [240.0, 60.0]
    assert turns.gaps(db, 1) == [240.0]


def document(session_id: str, ended: timedelta = timedelta(0)) -> SessionDocument:
    return SessionDocument(session_id, NOON, NOON + ended, ("rain",), f"about {session_id}", 0.5, None)


def test_a_session_has_one_document(db: DB) -> None:
    assert sessions.add(db, document("s1"), authentic=4) is not None
    assert sessions.add(db, document("s1")) is None
    sessions.add(db, document("s2", MINUTE))
    assert sessions.latest(db) == [document("s2", MINUTE), document("s1")]
    assert sessions.latest(db, 1) == [document("s2", MINUTE)]


def test_sessions_that_are_over_and_unwritten(db: DB) -> None:
    for number, minute in (("s1", -60), ("s2", -40), ("s2", -30), ("s3", -5)):
        turns.add(db, user_said("hi", NOON + minute * MINUTE, session_id=number))
    turns.add(db, user_said("old", NOON - 90 * MINUTE, session_id="s0", source="import", import_id="1"))
    assert sessions.unwritten(db, NOON - 20 * MINUTE) == ["s1", "s2"]
    sessions.add(db, document("s1"))
    assert sessions.unwritten(db, NOON - 30 * MINUTE) == ["s2"]
    assert sessions.unwritten(db, NOON - 31 * MINUTE) == []
