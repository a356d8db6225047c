"""Links between memories: made once, the surest word kept, gone with what they joined."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.memory.store import links, memories
from furoshiki.memory.values import NewMemory

NOW = datetime(2026, 3, 24, 15, 0, tzinfo=UTC)


@pytest.fixture
def db(database: Database) -> Iterator[sqlite3.Connection]:
    with database.write() as db:
        db.execute(
            "INSERT INTO turns (session_id, channel, chat_id, speaker, kind, text, at) "
            "VALUES ('s', 'console', '1', 'user', 'text', 'rain again', '2026-03-24T15:00:00.000000+00:00')"
        )
        for number in range(3):
            memories.add(db, NewMemory("semantic", f"They said {number}.", (1,)), NOW)
        yield db


def test_a_link_is_made_once_and_keeps_the_higher_confidence(db: sqlite3.Connection) -> None:
    assert links.link(db, 1, 2, "because", 0.6, NOW)
    assert not links.link(db, 1, 2, "because", 0.9, NOW)
    assert not links.link(db, 1, 2, "because", 0.1, NOW)
    (only,) = links.links_of(db, 1)
    assert (only.from_id, only.to_id, only.relation, only.confidence, only.created_at) == (1, 2, "because", 0.9, NOW)


def test_when_a_memory_was_last_replaced_is_known_from_both_sides(db: sqlite3.Connection) -> None:
    links.link(db, 1, 2, "updated_by", 1.0, NOW)
    links.link(db, 2, 3, "updated_by", 1.0, NOW + timedelta(days=1))
    links.link(db, 1, 3, "because", 1.0, NOW + timedelta(days=2))
    assert links.read_replacement_times(db, [1, 2]) == {1: NOW, 2: NOW + timedelta(days=1)}
    assert links.read_replacement_times(db, [3]) == {3: NOW + timedelta(days=1)}


def test_a_link_has_a_direction(db: sqlite3.Connection) -> None:
    links.link(db, 3, 1, "supersedes", 1.0, NOW)
    links.link(db, 3, 2, "supersedes", 1.0, NOW)
    links.link(db, 3, 2, "informed_by", 1.0, NOW)
    assert links.list_targets(db, 3, "supersedes") == [1, 2]
    assert links.list_targets(db, 1, "supersedes") == []
    assert links.list_sources(db, 1, "supersedes") == [3]
    assert [one.relation for one in links.links_of(db, 2)] == ["supersedes", "informed_by"]


def test_a_link_goes_with_what_it_joined(db: sqlite3.Connection) -> None:
    links.link(db, 3, 1, "informed_by", 1.0, NOW)
    db.execute("DELETE FROM memories WHERE id=1")
    assert links.links_of(db, 3) == []


@pytest.mark.parametrize(
    ("from_id", "to_id", "relation", "confidence"),
    [(1, 1, "because", 1.0), (1, 2, "likes", 1.0), (1, 2, "because", 1.5), (1, 2, "because", -0.1)],
)
def test_what_is_no_link_is_refused(
    db: sqlite3.Connection, from_id: int, to_id: int, relation: links.Relation, confidence: float
) -> None:
    with pytest.raises(ValueError, match="no link"):
        links.link(db, from_id, to_id, relation, confidence, NOW)
    assert links.links_of(db, 1) == []
