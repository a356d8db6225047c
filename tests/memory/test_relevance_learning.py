"""What was of use changes how memories compete, through the same gates as every parameter."""

from __future__ import annotations

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.memory import relevance_learning
from furoshiki.memory.relevance_learning import Outcome
from furoshiki.memory.store import safety, weights
from furoshiki.memory.weighing import Cycle
from tests.support.laws import NOON


def _batch(count: int) -> list[Outcome]:
    """Things that were used because they belonged together, though others were nearer in meaning."""
    used = Outcome({"semantic": 0.5, "co_access": 0.9}, True)
    close = Outcome({"semantic": 0.8, "co_access": 0.62}, False)
    far = Outcome({"semantic": 0.9, "co_access": 0.1}, False)
    return [used, used, close, close, far, far] * count


def test_at_first_relevance_is_that_of_a_cold_start(database: Database) -> None:
    with database.read() as db:
        assert relevance_learning.relevance_of(db).mean["semantic"] == pytest.approx(12 / 17)


def test_what_is_learnt_stays_and_is_logged(database: Database) -> None:
    with database.write() as db:
        assert relevance_learning.learn(db, NOON, _batch(20))
    with database.read() as db:
        assert relevance_learning.relevance_of(db).mean["co_access"] > 1 / 17
        [row] = weights.of_cycle(db, "relevance:2026-03-03T12:00:00.000000+00:00")
        assert row.operation == "parameter"
        assert row.evidence["after"]["co_access"] > 0


def test_where_nothing_can_be_learnt_nothing_changes(database: Database) -> None:
    with database.write() as db:
        assert not relevance_learning.learn(db, NOON, [])
        assert not relevance_learning.learn(db, NOON, [Outcome({"semantic": 0.4}, True)] * 50)
        assert safety.newest(db) == []


def test_an_enforced_gate_keeps_what_does_not_rank_better(database: Database) -> None:
    strict = Cycle("tuning:1", NOON, frozenset("AB"))
    with database.write() as db:
        assert not relevance_learning.learn(db, NOON, _batch(20), strict)
        assert relevance_learning.relevance_of(db).mean["semantic"] == pytest.approx(12 / 17)
        assert [event.enforced for event in safety.newest(db)][:1] == [True]


def test_an_open_gate_lets_pass_what_ranks_better(database: Database) -> None:
    # So near to each other that even one step turns the order of many pairs.
    used = Outcome({"semantic": 0.500, "co_access": 0.60}, True)
    other = Outcome({"semantic": 0.509, "co_access": 0.50}, False)
    with database.write() as db:
        assert relevance_learning.learn(
            db, NOON, [used, used, other, other] * 40, Cycle("tuning:1", NOON, frozenset("AB"))
        )
        assert safety.newest(db) == []
