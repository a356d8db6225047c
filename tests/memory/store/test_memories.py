"""Memories: each with the words it rests on, ended and not erased when they are over."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from typing import Any

import pytest

from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from tests.support.laws import NOON
from tests.support.rows import user_said

DB = sqlite3.Connection


def said(db: DB, text: str = "I live in Lisbon") -> int:
    return turns.add(db, user_said(text))


def keep(db: DB, content: str, *turn_ids: int, **more: Any) -> int:
    return memories.add(db, NewMemory("semantic", content, turn_ids, **more), NOON)


def test_no_source_no_memory(db: DB) -> None:
    with pytest.raises(ValueError, match="the words it rests on: 'They fly.'"):
        keep(db, "They fly.")
    assert memories.count(db) == 0


def test_a_source_that_was_never_said_is_none(db: DB) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        keep(db, "They fly.", 99)


def test_a_memory_names_its_sources_once_each(db: DB) -> None:
    first, second = said(db), said(db)
    found = memories.get(db, keep(db, "They live in Lisbon.", second, first, second))
    assert found is not None
    assert (found.content, found.turn_ids, found.status) == ("They live in Lisbon.", (first, second), "active")
    assert memories.get(db, 99) is None


def test_a_kind_nobody_knows_is_refused(db: DB) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        memories.add(db, NewMemory("rumour", "They fly.", (said(db),)), NOON)


def test_what_is_known_is_found_by_what_it_is_about(db: DB) -> None:
    row = keep(db, "They live in Lisbon.", said(db), subject="User", predicate="lives_in", object="Lisbon \ud800")
    [found] = memories.about(db, "user", "LIVES_IN")
    assert (found.id, found.object, found.valid_to) == (row, "Lisbon ?", None)
    assert memories.about(db, "user\ud800", "lives_in") == []
    assert memories.with_content(db, "They live in Lisbon.") == [memories.get(db, row)]
    assert memories.with_content(db, "They live in Lyon.") == []


def test_what_was_ever_held_is_found_by_its_predicates_whatever_became_of_it(db: DB) -> None:
    words = said(db)
    ids = [
        keep(db, f"{number}", words, subject="User", predicate=name)
        for number, name in enumerate(("Likes", "likes", "likes", "dislikes", "lives_in"))
    ]
    memories.close(db, ids[1], NOON)
    memories.withdraw(db, ids[2])
    found = memories.of_facts(db, "user", {"likes", "dislikes", "sings"})
    assert {name: [one.id for one in held] for name, held in found.items()} == {
        "likes": ids[:3],
        "dislikes": [ids[3]],
        "sings": [],
    }
    assert [one.is_current for one in found["likes"]] == [True, False, False]


def test_what_is_known_of_some_is_found_by_their_names(db: DB) -> None:
    words = said(db)
    sings = keep(db, "Elodie sings.", words, subject="\u00c9lodie", predicate="sings")
    rests = keep(db, "Momo sleeps.", words, subject="MOMO", predicate="is")
    over = keep(db, "Momo slept.", words, subject="Momo", predicate="was")
    keep(db, "Momo!", words, subject="Momo")
    memories.close(db, over, NOON)
    found = memories.of_subjects(db, ["momo", "\u00c9LODIE", "\u00e9lodie"])
    assert {name: [one.id for one in held] for name, held in found.items()} == {
        "momo": [rests],
        "\u00c9LODIE": [sings],
        "\u00e9lodie": [],
    }


def test_what_is_over_keeps_its_end_and_is_no_longer_held_true(db: DB) -> None:
    row = keep(db, "They live in Lisbon.", said(db), subject="user", predicate="lives_in")
    memories.close(db, row, NOON)
    memories.close(db, row, NOON + timedelta(days=1))
    found = memories.get(db, row)
    assert found is not None
    assert (found.status, found.valid_to) == ("superseded", NOON)
    assert (memories.about(db, "user", "lives_in"), memories.read_known(db), memories.count(db)) == ([], [], 1)
    assert memories.with_content(db, "They live in Lisbon.") == []


def test_said_again_it_has_one_more_source_and_is_hotter(db: DB) -> None:
    first, second = said(db), said(db)
    cold, hot = keep(db, "cold", first), keep(db, "hot", first)
    memories.reinforce(db, hot, [first, second], NOON)
    assert [(one.id, one.hit_count, one.turn_ids) for one in memories.read_known(db)] == [
        (hot, 1, (first, second)),
        (cold, 0, (first,)),
    ]
    memories.touch(db, [], NOON)
    memories.touch(db, [cold, hot], NOON)
    assert [one.hit_count for one in memories.read_known(db, 1)] == [2]
    assert [one.id for one in memories.newest(db, 1)] == [hot]


def test_a_thousand_memories_keep_their_sources_apart(db: DB) -> None:
    source = [said(db, str(number)) for number in range(3)]
    rows = [keep(db, f"fact {number}", source[number % 3]) for number in range(1001)]
    found = memories.newest(db, 2000)
    assert [(one.id, one.turn_ids) for one in reversed(found)] == [
        (row, (source[number % 3],)) for number, row in enumerate(rows)
    ]


def test_what_is_claimed_without_grounds_is_kept_where_it_can_be_looked_at(db: DB) -> None:
    memories.reject(db, "fact", "They fly. \ud800", [1, 2], "nobody said so", NOON)
    row = db.execute("SELECT kind, content, cited, reason FROM rejected_extractions").fetchone()
    assert tuple(row) == ("fact", "They fly. ?", "[1,2]", "nobody said so")
    assert memories.count(db) == 0


def test_a_cold_fact_is_known_no_more_until_it_is_warmed(db: DB) -> None:
    lisbon, rain = keep(db, "They live in Lisbon.", said(db)), keep(db, "They like rain.", said(db))
    db.execute("UPDATE memories SET cold_since='2026-03-01T00:00:00.000000+00:00' WHERE id=?", (lisbon,))
    assert [one.id for one in memories.read_known(db)] == [rain]
    assert memories.warm(db, [lisbon, rain]) == 1
    assert memories.warm(db, [lisbon, rain]) == 0
    assert {one.id for one in memories.read_known(db)} == {lisbon, rain}


def test_identity_is_everything_immutable_and_the_heaviest_of_the_rest(db: DB) -> None:
    own = {"source_tag": "internal_consolidation"}
    pinned = keep(db, "Never lie to them.", said(db), immutable=True)
    values = [keep(db, f"I value {number}.", said(db), category="value", **own) for number in range(5)]
    for weight, row in enumerate(values, 1):
        db.execute("UPDATE memories SET alpha=? WHERE id=?", (weight, row))
    keep(db, "They want to run a marathon.", said(db), category="goal")
    keep(db, "It rained.", said(db), **own)
    gone = keep(db, "I valued silence.", said(db), category="value", **own)
    memories.close(db, gone, NOON)
    assert [one.id for one in memories.of_identity(db, 3)] == [pinned, values[4], values[3], values[2]]
