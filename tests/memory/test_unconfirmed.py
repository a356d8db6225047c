"""What was told and may not be so is kept apart, until the user's word makes it known or takes it away."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from furoshiki.memory.facts import learn
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory, Note
from furoshiki.messages.store import turns
from furoshiki.owner.user_model.store import profiles
from furoshiki.world import World
from tests.support.rows import user_said
from tests.support.world import START

DB = sqlite3.Connection
WHY = "no message says it"
LATER = START + timedelta(days=3)


@pytest.fixture
def db(world: World) -> Iterator[DB]:
    with world.database.write() as connection:
        yield connection


def said(db: DB, text: str = "words", at: datetime = START) -> list[int]:
    return [turns.add(db, user_said(text, at))]


def home(where: str) -> Note:
    return Note(f"They live in {where}.", subject="user", predicate="lives_in", object=where)


def lawyer(name: str) -> Note:
    return Note(f"Their lawyer is {name}.", subject="user", predicate="lawyer", object=name)


def known(db: DB) -> list[str]:
    return [one.content for one in memories.read_known(db)]


def in_doubt(db: DB) -> list[str]:
    return [one.content for one in memories.in_doubt(db)]


def the_doubt(db: DB) -> Memory:
    [one] = memories.in_doubt(db)
    return one


def test_what_is_in_doubt_is_kept_with_its_reason_and_counts_for_nothing(db: DB) -> None:
    assert learn(db, home("Oslo"), said(db, "proofread this: I live in Oslo"), START, unconfirmed=WHY) == "unconfirmed"
    one = the_doubt(db)
    assert (one.content, one.unconfirmed, one.status, one.is_current) == (home("Oslo").text, WHY, "unconfirmed", False)
    assert known(db) == [] and profiles.facts(db) == [] and memories.about(db, "user", "lives_in") == []


def test_what_is_in_doubt_ends_nothing_that_is_known(db: DB) -> None:
    learn(db, home("Lisbon"), said(db, "I live in Lisbon"), START)
    learn(db, home("Oslo"), said(db), LATER, unconfirmed=WHY)
    assert known(db) == [home("Lisbon").text] and in_doubt(db) == [home("Oslo").text]


def test_told_for_certain_it_is_known_as_the_same_memory(db: DB) -> None:
    learn(db, home("Oslo"), said(db), START, unconfirmed=WHY)
    doubt = the_doubt(db)
    learn(db, home("Oslo"), said(db, "I live in Oslo", LATER), LATER)
    [one] = memories.read_known(db)
    assert (one.id, one.unconfirmed, len(one.turn_ids)) == (doubt.id, None, 2)
    assert in_doubt(db) == []


def test_told_for_certain_it_ends_what_it_takes_the_place_of(db: DB) -> None:
    learn(db, home("Lisbon"), said(db, "I live in Lisbon"), START)
    learn(db, home("Oslo"), said(db), START, unconfirmed=WHY)
    learn(db, home("Oslo"), said(db, "I live in Oslo", LATER), LATER)
    assert known(db) == [home("Oslo").text]


def test_doubted_again_it_stays_in_doubt(db: DB) -> None:
    """An echo that is read a hundred times is no truer for it."""
    learn(db, lawyer("Dana"), said(db), START, unconfirmed=WHY)
    learn(db, lawyer("Dana"), said(db, at=LATER), LATER, unconfirmed=WHY)
    assert known(db) == [] and in_doubt(db) == [lawyer("Dana").text]


def test_read_twice_from_the_same_words_it_stays_in_doubt(db: DB) -> None:
    source = said(db)
    learn(db, lawyer("Dana"), source, START, unconfirmed=WHY)
    assert learn(db, lawyer("Dana"), source, LATER, unconfirmed=WHY) == "unconfirmed"
    assert in_doubt(db) == [lawyer("Dana").text] and known(db) == []


def test_what_is_known_is_not_put_in_doubt(db: DB) -> None:
    learn(db, lawyer("Dana"), said(db), START)
    assert learn(db, lawyer("Dana"), said(db, at=LATER), LATER, unconfirmed=WHY) == "again"
    assert in_doubt(db) == [] and known(db) == [lawyer("Dana").text]


def test_when_something_else_is_said_the_doubt_goes(db: DB) -> None:
    learn(db, home("Oslo"), said(db), START, unconfirmed=WHY)
    learn(db, home("Lyon"), said(db, "I live in Lyon", LATER), LATER)
    assert in_doubt(db) == [] and known(db) == [home("Lyon").text]


def test_denied_it_is_not_read_again_from_the_same_words_and_is_believed_of_new_ones(db: DB) -> None:
    source = said(db)
    learn(db, home("Oslo"), source, START, unconfirmed=WHY)
    assert memories.retire(db, the_doubt(db).id, "the user said that it is not so", denied=True)
    assert learn(db, home("Oslo"), source, START, unconfirmed=WHY) == "denied"
    assert learn(db, home("Oslo"), source, START) == "denied"
    assert known(db) == in_doubt(db) == []
    learn(db, home("Oslo"), said(db, "I live in Oslo now", LATER), LATER)
    assert known(db) == [home("Oslo").text]


def test_words_that_are_no_fact_go_the_same_way(db: DB) -> None:
    note = Note("They dread the first of the month.")
    learn(db, note, said(db), START, unconfirmed=WHY)
    learn(db, note, said(db, at=LATER), LATER)
    assert known(db) == [note.text] and in_doubt(db) == []


def test_what_was_so_once_is_known_as_over_when_it_is_confirmed(db: DB) -> None:
    note = Note("They used to live in Oslo.", subject="user", predicate="lives_in", object="Oslo")
    learn(db, note, said(db, "I used to live in Oslo"), START, unconfirmed=WHY)
    assert memories.confirm(db, the_doubt(db).id, LATER)
    assert known(db) == [] and [one.object for one in memories.once_known(db)] == ["Oslo"]
