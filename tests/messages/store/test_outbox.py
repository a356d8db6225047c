"""The outbox: in order, each once, and never forgotten."""

from __future__ import annotations

import sqlite3
from datetime import timedelta

import pytest

from furoshiki.messages.events import Message
from furoshiki.messages.store import inbox, outbox, turns
from tests.support.laws import NOON
from tests.support.rows import arrived, companion_said, words

DB = sqlite3.Connection
MINUTE = timedelta(minutes=1)


def put(db: DB, *texts: str, chat_id: str = "7", turn_key: str = "t1") -> list[int]:
    return outbox.put(db, [words(text, chat_id) for text in texts], NOON, None, turn_key)


def ready(db: DB, at: timedelta = timedelta(0)) -> list[str]:
    return [row.text for row in outbox.ready(db, "telegram", NOON + at)]


def test_what_goes_in_comes_out(db: DB) -> None:
    item = words("hi \ud800", part=2, entities=({"type": "bold"},), reply_to="5", extra={"buttons": []})
    [row] = outbox.put(db, [item], NOON, None, "t1")
    [found] = outbox.of_turn(db, "t1")
    assert (found.id, found.text, found.part, found.entities) == (row, "hi ?", 2, ({"type": "bold"},))
    assert (found.reply_to, found.extra, found.policy, found.created_at) == ("5", {"buttons": []}, "reply", NOON)


def test_one_message_of_each_chat_in_its_order(db: DB) -> None:
    first, second = put(db, "one", "two")
    put(db, "elsewhere", chat_id="8")
    assert ready(db) == ["one", "elsewhere"]
    outbox.claim(db, first, NOON)
    assert ready(db) == ["elsewhere"]
    outbox.mark_sent(db, first, "101", NOON)
    assert ready(db) == ["two", "elsewhere"]
    outbox.claim(db, second, NOON)
    outbox.mark_failed(db, second, "blocked", NOON)
    assert ready(db) == ["elsewhere"]
    assert outbox.count_pending(db) == 1


def test_nobody_overtakes_a_message_that_is_being_tried_again(db: DB) -> None:
    first, _ = put(db, "one", "two")
    outbox.claim(db, first, NOON)
    outbox.retry(db, first, NOON + MINUTE, "429")
    assert ready(db) == []
    assert outbox.next_due(db, "telegram") == NOON + MINUTE
    assert ready(db, MINUTE) == ["one"]
    [row, _] = outbox.read_waiting(db, "telegram")
    assert (row.attempts, row.not_before) == (1, NOON + MINUTE)


def test_nothing_waits_for_a_time(db: DB) -> None:
    put(db, "one")
    assert outbox.next_due(db, "telegram") is None


def test_it_is_claimed_once(db: DB) -> None:
    [row] = put(db, "one")
    assert outbox.claim(db, row, NOON) is True
    assert outbox.claim(db, row, NOON) is False


def test_what_was_begun_and_not_ended_is_uncertain_and_holds_its_chat(db: DB) -> None:
    first, _ = put(db, "one", "two")
    outbox.claim(db, first, NOON)
    assert [row.text for row in outbox.uncertain(db, "telegram")] == ["one"]
    assert ready(db) == []
    assert outbox.uncertain(db, "console") == []


def test_what_arrived_names_the_turn_it_belongs_to(db: DB) -> None:
    turn = turns.add(db, companion_said("one two"))
    first, second = outbox.put(db, [words("one"), words("two")], NOON, turn, "t1")
    outbox.mark_sent(db, first, "101", NOON)
    outbox.mark_sent(db, second, "102", NOON)
    found = [turns.by_external(db, "telegram", "7", external_id) for external_id in ("101", "102", "103")]
    assert [one and one.id for one in found] == [turn, turn, None]
    assert found[0] is not None
    assert found[0].external_id == "101"


def test_a_reaction_arrives_without_a_number(db: DB) -> None:
    [row] = put(db, "👍")
    outbox.mark_sent(db, row, None, NOON)
    assert outbox.count_pending(db) == 0


def test_a_turn_whose_words_nobody_has_seen_can_be_taken_back(db: DB) -> None:
    put(db, "one", "two")
    other = put(db, "other", turn_key="t2")
    assert outbox.withdraw(db, "t1", NOON) is True
    assert [row.id for row in outbox.read_waiting(db, "telegram")] == other


def test_words_that_are_on_their_way_cannot_be_taken_back(db: DB) -> None:
    first, _ = put(db, "one", "two")
    outbox.claim(db, first, NOON)
    assert outbox.withdraw(db, "t1", NOON) is False
    outbox.mark_sent(db, first, "101", NOON)
    assert outbox.withdraw(db, "t1", NOON) is False
    assert ready(db) == ["two"]
    assert outbox.withdraw(db, "nobody", NOON) is False


def test_a_long_message_becomes_several_and_keeps_its_place(db: DB) -> None:
    turn = turns.add(db, companion_said("long"))
    [row, after] = outbox.put(db, [words("long", reply_to="5"), words("after")], NOON, turn, "t1")
    rest = [{"text": "second", "entities": [], "extra": {"links": 1}}, {"text": "third", "entities": []}]
    outbox.reshape(db, row, "text", "first", [{"type": "bold"}], {"rest": rest})
    said, numbers = [], iter(("101", "102", "103", "104"))
    while found := outbox.ready(db, "telegram", NOON):
        outbox.claim(db, found[0].id, NOON)
        said.append((found[0].text, found[0].part, found[0].reply_to, found[0].attempts))
        outbox.part_sent(db, found[0].id, next(numbers), NOON)
    assert said == [("first", 0, "5", 0), ("second", 1, None, 0), ("third", 2, None, 0), ("after", 0, None, 0)]
    sent = {one.text: one.external_id for one in outbox.of_turn(db, "t1")}
    assert sent == {"first": "101", "second": "102", "third": "103", "after": "104"}
    assert outbox.withdraw(db, "t1", NOON) is False
    assert [turns.by_external(db, "telegram", "7", number) is not None for number in ("102", "103", "104")] == [
        True
    ] * 3
    assert after > row


def test_what_is_sent_keeps_its_shape(db: DB) -> None:
    [row] = put(db, "one")
    outbox.claim(db, row, NOON)
    outbox.mark_sent(db, row, "101", NOON)
    outbox.reshape(db, row, "text", "other", [], {})
    assert [one.text for one in outbox.of_turn(db, "t1")] == ["one"]


def test_the_numbers_of_a_chat_are_known_from_both_sides(db: DB) -> None:
    assert outbox.last_message_id(db, "telegram", "7") == 0
    first, _ = put(db, "one", "two")
    outbox.mark_sent(db, first, "101", NOON)
    inbox.store(db, [arrived("102"), arrived("103", "8"), arrived("x", event=Message(chat_id="7"))], NOON)
    assert outbox.last_message_id(db, "telegram", "7") == 101
    assert outbox.read_message_ids(db, "telegram", "7", above=100) == {101, 102}
    assert outbox.read_message_ids(db, "telegram", "7", above=101) == {102}
    turns.add(db, companion_said("imported", external_id="140"))
    assert outbox.last_message_id(db, "telegram", "7") == 140


@pytest.mark.parametrize("policy", ["sometimes", "REPLY"])
def test_a_policy_nobody_knows_is_refused(db: DB, policy: str) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        outbox.put(db, [words("one", policy=policy)], NOON, None, None)
