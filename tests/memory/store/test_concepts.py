"""Concepts: each once, linked by the memories that hold them, fading when nobody speaks of them together."""

from __future__ import annotations

import sqlite3
from datetime import timedelta

import pytest

from furoshiki.memory.store import concepts, memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from tests.support.laws import NOON
from tests.support.rows import user_said

DB = sqlite3.Connection


def kept(db: DB, content: str) -> int:
    return memories.add(db, NewMemory("semantic", content, (turns.add(db, user_said(content)),)), NOON)


def names(db: DB, memory_id: int) -> list[str]:
    return [one.name for one in concepts.of_memories(db, [memory_id]).get(memory_id, [])]


def test_a_concept_is_counted_once_a_memory(db: DB) -> None:
    first, second = kept(db, "one"), kept(db, "two")
    assert len(concepts.see(db, first, ["garden", "rose", "garden"], NOON)) == 2
    assert concepts.see(db, first, ["garden", "rose"], NOON) == []
    concepts.see(db, second, ["garden"], NOON)
    seen = {one.name: one.seen for found in concepts.of_memories(db, [first, second]).values() for one in found}
    assert seen == {"garden": 2, "rose": 1}
    assert concepts.holders(db, concepts.of_memories(db, [second])[second][0].id, 5) == [second, first]


def test_company_is_closer_the_more_often_it_is_kept_and_fades(db: DB) -> None:
    for number in range(3):
        concepts.see(db, kept(db, f"memory {number}"), ["garden", "rose"] if number else ["garden", "spade"], NOON)
    garden = next(one for one in concepts.of_memories(db, [1])[1] if one.name == "garden")
    assert [(one.name, weight) for one, weight in concepts.neighbours(db, garden.id, NOON, 5)] == [
        ("rose", 2.0),
        ("spade", 1.0),
    ]
    later = NOON + timedelta(days=60)
    assert [weight for _, weight in concepts.neighbours(db, garden.id, later, 5)] == pytest.approx([1.0, 0.5])


def test_what_was_seen_again_does_not_make_its_old_company_closer(db: DB) -> None:
    row = kept(db, "one")
    concepts.see(db, row, ["garden", "rose"], NOON)
    concepts.see(db, row, ["garden", "rose"], NOON)
    concepts.see(db, row, ["spade"], NOON)
    [garden] = [one for one in concepts.of_memories(db, [row])[row] if one.name == "garden"]
    assert {one.name: weight for one, weight in concepts.neighbours(db, garden.id, NOON, 5)} == {
        "rose": 1.0,
        "spade": 1.0,
    }


def test_a_concept_nobody_holds_is_forgotten_with_its_links(db: DB) -> None:
    row, other = kept(db, "one"), kept(db, "two")
    concepts.see(db, row, ["hospital", "garden"], NOON)
    concepts.see(db, other, ["garden"], NOON)
    db.execute("DELETE FROM memories WHERE id=?", (row,))
    assert concepts.drop_unheld(db) == 1
    assert [tuple(r) for r in db.execute("SELECT name FROM concepts")] == [("garden",)]
    assert db.execute("SELECT count(*) FROM concept_links").fetchone()[0] == 0
    assert names(db, other) == ["garden"]


def test_how_often_a_concept_came_up_in_a_span_of_time(db: DB) -> None:
    concepts.see(db, kept(db, "one"), ["garden"], NOON)
    assert concepts.counts(db, NOON - timedelta(days=1), NOON) == {"garden": 1.0}
    assert concepts.counts(db, NOON, NOON + timedelta(days=1)) == {}
