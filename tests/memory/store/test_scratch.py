"""The scratch buffer: each turn waits once, each item is decided once, and old decisions are swept away."""

from __future__ import annotations

from datetime import timedelta

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.memory.store import scratch
from furoshiki.memory.store.scratch import EXPIRY, Decision
from furoshiki.messages.store import turns
from tests.support.laws import NOON
from tests.support.rows import user_said


@pytest.fixture
def item(database: Database) -> int:
    with database.write() as db:
        turn_id = turns.add(db, user_said("I planted roses"))
        found = scratch.put(db, turn_id, "I planted roses", {"kind": "said"}, "external_user", 0.4, NOON)
        assert found is not None
        assert scratch.put(db, turn_id, "I planted roses", {}, "external_user", 0.4, NOON) is None
    return found


def test_what_waits_can_be_read_and_expires_after_a_day(database: Database, item: int) -> None:
    with database.read() as db:
        [found] = scratch.fresh(db, 10)
        assert (found.id, found.text, found.charge, found.tags) == (item, "I planted roses", 0.4, {"kind": "said"})
        assert found.expires_at - found.created_at == EXPIRY == timedelta(hours=24)
        assert scratch.expire_soon(db, NOON + timedelta(hours=23)) == 0
        assert scratch.expire_soon(db, NOON + timedelta(hours=24)) == 1
        assert scratch.newest_fresh(db) == (1, NOON)


def test_an_item_is_decided_once(database: Database, item: int) -> None:
    with database.write() as db:
        assert scratch.decide(db, item, Decision("dropped", "it says nothing"), NOON)
        assert not scratch.decide(db, item, Decision("persisted", "too late"), NOON)
        assert scratch.counts(db) == {"dropped": 1}
        assert db.execute("SELECT reason FROM scratch_buffer").fetchone()[0] == "it says nothing"


def test_what_was_looked_at_waits_on_and_is_fresh_no_more(database: Database, item: int) -> None:
    with database.write() as db:
        scratch.record_look(db, item, Decision("waiting", "the matrix", "peripheral, novel", 0.4, 0.2, -3.0))
        assert scratch.fresh(db, 10) == []
        assert scratch.counts(db) == {"waiting": 1}
        assert [one.id for one in scratch.read_expiring(db, NOON + EXPIRY, 10)] == [item]
        assert scratch.read_expiring(db, NOON, 10) == []


def test_old_decisions_are_swept_and_what_waits_is_not(database: Database, item: int) -> None:
    with database.write() as db:
        assert scratch.sweep(db, NOON + timedelta(days=40)) == 0
        scratch.decide(db, item, Decision("expired", "nothing followed"), NOON)
        assert scratch.sweep(db, NOON) == 0
        assert scratch.sweep(db, NOON + timedelta(seconds=1)) == 1
        assert turns.count(db) == 1


def test_a_forgotten_turn_waits_for_nothing(database: Database, item: int) -> None:
    with database.write() as db:
        db.execute("DELETE FROM turns")
        assert scratch.counts(db) == {}
        assert not scratch.decide(db, item, Decision("persisted", "core"), NOON)
