"""Marks of what was forgotten: they recognise it, they say nothing of it, and new words are not old ones."""

from __future__ import annotations

import hashlib
import sqlite3
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from furoshiki.core.database import kv
from furoshiki.memory.store import tombstones
from tests.support.laws import NOON


def test_what_was_buried_is_known_again_and_nothing_else(db: sqlite3.Connection) -> None:
    tombstones.bury(db, "memory", "They live in Lyon.", NOON)
    assert tombstones.is_buried(db, "memory", "They live in Lyon.")
    assert not tombstones.is_buried(db, "memory", "They live in Paris.")
    assert not tombstones.is_buried(db, "turn", "They live in Lyon.")


def test_nothing_is_buried_before_anything_was(db: sqlite3.Connection) -> None:
    assert not tombstones.is_buried(db, "turn", "hello")
    assert kv.get(db, tombstones.KEY) is None, "asking writes nothing"


def test_a_turn_is_known_by_who_said_what_that_day(db: sqlite3.Connection) -> None:
    tombstones.bury(db, "turn", tombstones.turn("user", NOON, "It is  Zephyrine"), NOON + timedelta(days=9))
    later = NOON + timedelta(seconds=40)
    assert tombstones.is_buried(db, "turn", tombstones.turn("user", later, "it is Zephyrine"))
    assert not tombstones.is_buried(db, "turn", tombstones.turn("Ines", NOON, "It is Zephyrine"))
    tomorrow = NOON + timedelta(days=1)
    assert not tombstones.is_buried(db, "turn", tombstones.turn("user", tomorrow, "It is Zephyrine"))


def test_a_long_turn_is_known_under_any_name_of_its_speaker(db: sqlite3.Connection) -> None:
    words = "My sister is called Zephyrine, and she sails."
    tombstones.bury(db, "turn", tombstones.turn("user", NOON, words), NOON)
    assert tombstones.is_buried(db, "turn", tombstones.turn("Ines Duarte", NOON, words))
    assert not tombstones.is_buried(db, "turn", tombstones.turn("Ines Duarte", NOON, words.replace("sails", "swims")))


def test_a_fact_is_known_in_other_words(db: sqlite3.Connection) -> None:
    tombstones.bury(db, "memory", tombstones.fact("user", "lives_in", "Lyon", "They live in Lyon."), NOON)
    assert tombstones.is_buried(db, "memory", tombstones.fact("User", "lives_in", "lyon", "Their home is in Lyon."))
    assert tombstones.is_buried(db, "memory", tombstones.fact(None, None, None, "they live in  Lyon."))
    assert not tombstones.is_buried(db, "memory", tombstones.fact("user", "lives_in", "Bern", "Their home is in Bern."))


def test_what_is_said_after_forgetting_is_new(db: sqlite3.Connection) -> None:
    tombstones.bury(db, "memory", "They live in Lyon.", NOON)
    assert tombstones.is_buried(db, "memory", "They live in Lyon.", said_at=NOON - timedelta(days=1))
    assert not tombstones.is_buried(db, "memory", "They live in Lyon.", said_at=NOON + timedelta(minutes=1))


def test_a_mark_holds_no_content_and_cannot_be_guessed_without_the_key(db: sqlite3.Connection) -> None:
    tombstones.bury(db, "turn", "Lyon", NOON)
    [row] = db.execute("SELECT * FROM tombstones").fetchall()
    assert "lyon" not in " ".join(map(str, tuple(row))).casefold()
    plain = {hashlib.sha256(guess.encode()).hexdigest() for guess in ("Lyon", "lyon", "turn\x1flyon")}
    assert row["digest"] not in plain
    digest = row["digest"]
    kv.drop(db, tombstones.KEY)
    tombstones.bury(db, "turn", "Lyon", NOON)
    assert digest not in {row[0] for row in db.execute("SELECT digest FROM tombstones WHERE digest != ?", (digest,))}


def test_burying_twice_leaves_one_mark(db: sqlite3.Connection) -> None:
    tombstones.bury(db, "turn", "x", NOON)
    tombstones.bury(db, "turn", "x", NOON + timedelta(days=1))
    assert tombstones.count(db) == 1
    assert tombstones.is_buried(db, "turn", "x", said_at=NOON + timedelta(hours=5)), "the newer moment counts"


@given(st.text(max_size=60), st.sampled_from(["  ", "\n", "\t "]))
def test_spacing_and_case_never_matter(text: str, space: str) -> None:
    assert tombstones.normal(text) == tombstones.normal(space.join(text.split()))
