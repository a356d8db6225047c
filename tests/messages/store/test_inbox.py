"""The inbox: nothing is lost, nothing comes in twice, and what kills its reader three times is given up."""

from __future__ import annotations

import sqlite3
from datetime import timedelta

import pytest

from furoshiki.messages.events import Message
from furoshiki.messages.store import inbox
from tests.support.laws import NOON
from tests.support.rows import arrived

DB = sqlite3.Connection
HOUR = timedelta(hours=1)


def order(db: DB) -> list[str]:
    taken = []
    while (envelope := inbox.claim(db, NOON)) is not None:
        taken.append(envelope.external_id)
    return taken


def test_urgent_before_normal_before_background_and_then_as_they_came(db: DB) -> None:
    inbox.store(
        db,
        [
            arrived("a", priority="background"),
            arrived("b"),
            arrived("c", priority="urgent"),
            arrived("d"),
            arrived("e", priority="urgent"),
        ],
        NOON,
    )
    assert order(db) == ["c", "e", "b", "d", "a"]


def test_what_arrives_twice_is_kept_once(db: DB) -> None:
    assert len(inbox.store(db, [arrived("a"), arrived("b"), arrived("a")], NOON)) == 2
    assert len(inbox.store(db, [arrived("a"), arrived("a", channel="console")], NOON + HOUR)) == 1
    assert inbox.count_pending(db) == 3


def test_what_has_no_place_is_an_error_and_not_forgotten(db: DB) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        inbox.store(db, [arrived("a", priority="pressing")], NOON)


def test_the_words_come_out_as_they_went_in(db: DB) -> None:
    text = "línea\n👩‍👩‍👧 مرحبا \u0000 “x” \\u0041"
    inbox.store(db, [arrived("a", event=Message(chat_id=7, text=text))], NOON)
    envelope = inbox.claim(db, NOON)
    assert envelope is not None
    assert (envelope.text, envelope.chat_id, envelope.enqueued_at) == (text, "7", NOON)


def test_a_lone_surrogate_is_no_reason_to_lose_a_message(db: DB) -> None:
    inbox.store(db, [arrived("a\ud800", event=Message(text="hi \ud83d"), sender="\ud800")], NOON)
    envelope = inbox.claim(db, NOON)
    assert envelope is not None
    assert (envelope.external_id, envelope.text, envelope.sender) == ("a?", "hi ?", "?")


def test_one_that_was_taken_is_not_taken_again(db: DB) -> None:
    [row] = inbox.store(db, [arrived("a")], NOON)
    assert inbox.waits(db)
    assert inbox.claim_id(db, row, NOON) is not None
    assert not inbox.waits(db)
    assert (inbox.claim_id(db, row, NOON), inbox.claim(db, NOON)) == (None, None)
    assert inbox.count_pending(db) == 1


def test_later_words_of_the_same_chat_can_join(db: DB) -> None:
    ids = inbox.store(db, [arrived("a"), arrived("b"), arrived("c", "8"), arrived("d", channel="console")], NOON)
    ids += inbox.store(db, [arrived("e")], NOON)
    inbox.claim_id(db, ids[0], NOON)
    found = inbox.read_waiting(db, "telegram", "7", ids[0])
    assert [envelope.external_id for envelope in found] == ["b", "e"]


def test_what_is_answered_is_done(db: DB) -> None:
    ids = inbox.store(db, [arrived("a"), arrived("b")], NOON)
    for row in ids:
        inbox.claim_id(db, row, NOON)
    inbox.finish(db, ids, NOON)
    assert [inbox.outcome(db, row)[0] for row in ids] == ["done", "done"]
    assert inbox.count_pending(db) == 0


def test_only_what_this_turn_holds_can_be_finished_by_it(db: DB) -> None:
    ids = inbox.store(db, [arrived("a"), arrived("b")], NOON)
    inbox.claim_id(db, ids[0], NOON)
    with pytest.raises(RuntimeError, match="were not all being processed"):
        inbox.finish(db, ids, NOON)


def test_an_orderly_stop_costs_no_attempt(db: DB) -> None:
    [row] = inbox.store(db, [arrived("a")], NOON)
    inbox.claim(db, NOON)
    inbox.release(db, [row])
    envelope = inbox.claim(db, NOON)
    assert envelope is not None
    assert envelope.attempts == 0


def test_after_a_crash_it_waits_again_and_the_third_time_it_is_dead(db: DB) -> None:
    [row] = inbox.store(db, [arrived("a")], NOON)
    for attempt in (1, 2):
        inbox.claim(db, NOON)
        assert inbox.recover(db, NOON) == []
        assert db.execute("SELECT attempts FROM inbox").fetchone()[0] == attempt
    inbox.claim(db, NOON)
    [dead] = inbox.recover(db, NOON)
    assert (dead.id, dead.text) == (row, "hello")
    assert inbox.outcome(db, row) == ("dead", "the process died each time while answering this", "a")
    assert inbox.recover(db, NOON) == []
    assert inbox.claim(db, NOON) is None


def test_a_crash_costs_those_that_only_waited_nothing(db: DB) -> None:
    inbox.store(db, [arrived("a"), arrived("b")], NOON)
    inbox.claim(db, NOON)
    inbox.recover(db, NOON)
    assert [row[0] for row in db.execute("SELECT attempts FROM inbox ORDER BY id")] == [1, 0]


def test_a_turn_that_breaks_three_times_is_dead_with_its_reason(db: DB) -> None:
    [row, other] = inbox.store(db, [arrived("a"), arrived("b")], NOON)
    for expected in ([], [], [row]):
        inbox.claim_id(db, row, NOON)
        assert [one.id for one in inbox.record_failure(db, [row], "KeyError: 'x\ud800'", NOON)] == expected
    assert inbox.outcome(db, row) == ("dead", "KeyError: 'x?'", "a")
    assert inbox.outcome(db, other)[0] == "pending"


def test_an_envelope_may_become_another_kind(db: DB) -> None:
    [row] = inbox.store(db, [arrived("a", kind="edit")], NOON)
    inbox.become(db, row, "text")
    envelope = inbox.claim(db, NOON)
    assert envelope is not None
    assert envelope.kind == "text"


def test_one_that_is_gone_is_dead(db: DB) -> None:
    assert inbox.outcome(db, 99) == ("dead", "it is not there any more", None)


def test_what_is_done_is_let_go_and_its_id_is_not_used_again(db: DB) -> None:
    [row] = inbox.store(db, [arrived("a")], NOON)
    inbox.claim(db, NOON)
    inbox.finish(db, [row], NOON)
    assert inbox.prune(db, NOON) == 0
    assert inbox.prune(db, NOON + HOUR) == 1
    assert inbox.store(db, [arrived("b")], NOON) == [row + 1]
