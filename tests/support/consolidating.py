"""A memory that lies there for days: facts and moments with ages, weights and vectors of the words they hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest

from furoshiki.core import refs
from furoshiki.memory import weighing
from furoshiki.memory.rules.weights import Weight
from furoshiki.memory.store import memories, retrievals
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.memory.values import Memory, NewMemory
from furoshiki.memory.weighing import Cycle
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.store.vectors import Embedded
from furoshiki.world import World
from tests.support.encoders import WordEncoder
from tests.support.world import FrozenClock, Script

EVERYTHING = (
    "SELECT id, type, content, status, alpha, beta, access_count, hit_count, last_accessed_at, cold_since, valid_to "
    "FROM memories ORDER BY id",
    "SELECT memory_id, turn_id FROM memory_sources ORDER BY memory_id, turn_id",
    "SELECT from_id, to_id, relation, confidence FROM memory_links ORDER BY from_id, to_id, relation",
    "SELECT a_id, b_id, count FROM memory_co_access ORDER BY a_id, b_id",
    "SELECT memory_id, at FROM memory_accesses ORDER BY memory_id, at",
    "SELECT memory_id, concept_id FROM memory_concepts ORDER BY memory_id, concept_id",
    "SELECT name, seen FROM concepts ORDER BY name",
    "SELECT a_id, b_id, weight FROM concept_links ORDER BY a_id, b_id",
    "SELECT kind, summary, state FROM mind_queue ORDER BY id",
    "SELECT operation, memory_id, alpha_after, beta_after FROM consolidation_log "
    "WHERE operation NOT LIKE 'step %' ORDER BY id",
)
"""What consolidation may change, without the moments at which it did."""


@dataclass
class Night:
    """A companion at rest. `clock` passes when a test says so."""

    world: World
    clock: FrozenClock
    model: Script
    encoder: WordEncoder = field(default_factory=WordEncoder)

    @property
    def cycle(self) -> Cycle:
        return weighing.cycle(self.world, "deep")

    def keep(self, content: str, type_: str = "semantic", *, days_ago: float = 0, **more: Any) -> int:
        """A memory with the turn that it rests on; columns that only time changes are set as given."""
        at = self.clock.at - timedelta(days=days_ago)
        columns = {name: more.pop(name) for name in list(more) if name in _BY_TIME}
        with self.world.database.write() as db:
            turn = turns.add(db, NewTurn("s1", "console", "me", USER, content, at))
            row = memories.add(db, NewMemory(type_, content, (turn,), **more), at)
            for name, value in columns.items():
                db.execute(f"UPDATE memories SET {name}=? WHERE id=?", (value, row))
        return row

    def embed(self) -> None:
        """What memoryd does with rows that wait."""
        with self.world.database.write() as db:
            vectors.model_is(db, self.encoder.id, self.clock.at)
            rows = vectors.list_waiting(db, "memory", 10_000)
            matrix = self.encoder.encode([row.text for row in rows])
            made = [Embedded(row.id, vectors.pack(v), "") for row, v in zip(rows, matrix, strict=True)]
            vectors.keep_vectors(db, "memory", self.encoder.id, made)

    def used(self, memory_id: int, at: datetime, number: int = 1) -> None:
        """An answer was made of a memory, on so many days before and at a moment."""
        with self.world.database.write() as db:
            for day in range(number):
                shown = Retrieval(refs.name("memory", memory_id), 1, True, True)
                retrievals.record(db, f"{memory_id} {at} {day}", [shown], at - timedelta(days=day))

    def get(self, memory_id: int) -> Memory:
        with self.world.database.read() as db:
            found = memories.get(db, memory_id)
        assert found is not None
        return found

    def weight(self, memory_id: int) -> Weight:
        found = self.get(memory_id)
        return Weight(found.alpha, found.beta)

    def ask(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        with self.world.database.read() as db:
            return [tuple(row) for row in db.execute(question, values)]

    def do(self, statement: str, *values: object) -> None:
        with self.world.database.write() as db:
            db.execute(statement, values)

    def everything(self) -> list[list[tuple[Any, ...]]]:
        """All that consolidation may change."""
        return [self.ask(question) for question in EVERYTHING]


_BY_TIME = ("alpha", "beta", "access_count", "hit_count", "utility", "last_accessed_at", "status", "cold_since")


@pytest.fixture
def night(world: World, clock: FrozenClock, model: Script) -> Night:
    return Night(world, clock, model)


def days(number: float) -> timedelta:
    return timedelta(days=number)


def ids(rows: Sequence[Memory]) -> list[int]:
    return [one.id for one in rows]


def iso(at: datetime) -> str:
    return at.isoformat(timespec="microseconds")
