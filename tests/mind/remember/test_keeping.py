"""What was learned is kept once, strengthened when said again, and ended when it changes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import timedelta

import pytest

from furoshiki.domain import user_needs
from furoshiki.domain.user_needs import UserNeed
from furoshiki.mind.remember.keeping import keep, record_needs
from furoshiki.mind.turn.values import Note
from furoshiki.storage import feelings, memories, turns
from furoshiki.world import World
from tests.mind.conftest import START
from tests.storage.rows import user_said

DB = sqlite3.Connection


@pytest.fixture
def db(world: World) -> Iterator[DB]:
    with world.store.write() as connection:
        yield connection


def said(db: DB, text: str = "words") -> list[int]:
    return [turns.add(db, user_said(text))]


def home(where: str | None, text: str | None = None) -> Note:
    return Note(text or f"They live in {where}.", subject="user", predicate="lives_in", object=where)


def likes(what: str | None, text: str | None = None) -> Note:
    return Note(text or f"They like {what}.", subject="user", predicate="likes", object=what)


def test_something_new_is_kept_with_its_source(db: DB) -> None:
    source = said(db)
    assert keep(db, home("Lisbon"), source, START, confidence=0.9) == "new"
    [found] = memories.known(db)
    assert (found.content, found.turn_ids, found.valid_from) == ("They live in Lisbon.", tuple(source), START)


def test_said_again_it_has_two_sources_and_no_double(db: DB) -> None:
    keep(db, home("Lisbon"), said(db), START)
    assert keep(db, home("lisbon."), said(db), START) == "again"
    [found] = memories.known(db)
    assert (len(found.turn_ids), found.hit_count) == (2, 1)


def test_a_change_ends_what_was_true_before_with_its_date(db: DB) -> None:
    keep(db, home("Lisbon"), said(db), START)
    later = START + timedelta(days=30)
    assert keep(db, home("Lyon"), said(db), later) == "changed"
    new, old = memories.newest(db)
    assert (old.object, old.status, old.valid_to) == ("Lisbon", "superseded", later)
    assert (new.object, new.status, new.valid_to) == ("Lyon", "active", None)
    assert keep(db, home("Lisbon"), said(db), later) == "changed"
    assert [one.object for one in memories.known(db)] == ["Lisbon"]


def test_one_may_like_many_things(db: DB) -> None:
    for what in ("tea", "C++", "C#"):
        assert keep(db, likes(what), said(db), START) == "new"
    assert len(memories.known(db)) == 3


def test_notes_without_an_object_are_told_apart_by_their_words(db: DB) -> None:
    assert keep(db, likes(None, "They like it when it rains."), said(db), START) == "new"
    assert keep(db, likes(None, "They like to be asked."), said(db), START) == "new"
    assert keep(db, likes(None, "They like to be asked."), said(db), START) == "again"
    assert memories.count(db) == 2


def test_plain_notes_are_the_same_when_their_words_are(db: DB) -> None:
    assert keep(db, Note("They sing."), said(db), START) == "new"
    assert keep(db, Note("They sing."), said(db), START) == "again"
    assert memories.count(db) == 1


def test_a_note_without_a_source_is_refused(db: DB) -> None:
    with pytest.raises(ValueError, match="the words it rests on"):
        keep(db, Note("They fly."), [], START)


def test_only_needs_that_changed_become_history(world: World) -> None:
    before = user_needs.unknown(START, world.laws.user_needs)
    record_needs(world, before, before, "reading")
    record_needs(world, before, {**before, "space": UserNeed(0.7, 0.5, START, (1,))}, "reading")
    with world.store.read() as db:
        found = feelings.last_user_needs(db)
        assert db.execute("SELECT count(*) FROM user_needs_history").fetchone()[0] == 1
    assert (found["space"]["level"], found["space"]["evidence"]) == (0.7, [1])
