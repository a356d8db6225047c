"""A night of thinking: memories that rest on words, and a model whose answers go through the real validation."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest

from furoshiki.memory import weighing
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory, NewMemory
from furoshiki.memory.weighing import Cycle
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn
from furoshiki.models.llm.structured import ask_typed
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import World
from tests.support.world import FrozenClock, Script

SEA = (
    "They swim in the sea after hard days.",
    "They work at the harbour.",
    "The weeks at the harbour are hard when ships are late.",
    "They walked to the sea at night after the late ship.",
    "Their sister Anika plays chess.",
    "They like rain.",
)


@dataclass
class Night:
    """A companion that thinks. What a model says is text, as a model gives it."""

    world: World
    model: Script
    clock: FrozenClock

    @property
    def cycle(self) -> Cycle:
        return weighing.cycle(self.world, "night")

    def learns(self, *said: str, speaker: str = USER, type_: str = "semantic", **more: Any) -> list[int]:
        """Memories, each with a turn that says it; returns their ids."""
        found = []
        for text in said:
            with self.world.database.write() as db:
                turn = turns.add(
                    db,
                    NewTurn(
                        session_id=f"s{self.clock.at:%m%d}",
                        channel="telegram",
                        chat_id="7",
                        speaker=speaker,
                        kind="text",
                        text=text.replace("They ", "I ", 1),
                        at=self.clock.at,
                    ),
                )
                found.append(memories.add(db, NewMemory(type_, text, (turn,), **more), self.clock.at))
            self.clock.pass_(minutes=1)
        return found

    def weighs(self, memory_id: int, alpha: float, beta: float) -> None:
        with self.world.database.write() as db:
            db.execute("UPDATE memories SET alpha=?, beta=? WHERE id=?", (alpha, beta, memory_id))

    def says(self, *answers: object) -> None:
        """What the model will answer: values become JSON, text stays as it is."""
        self.model.lines = [one if isinstance(one, (str, BaseException)) else json.dumps(one) for one in answers]

    def all(self, type_: str | None = None, status: str | None = None) -> list[Memory]:
        with self.world.database.read() as db:
            found = memories.newest(db, 1000)[::-1]
        return [one for one in found if type_ in (None, one.type) and status in (None, one.status)]

    def get(self, memory_id: int) -> Memory:
        with self.world.database.read() as db:
            found = memories.get(db, memory_id)
        assert found is not None
        return found

    def rows(self, question: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
        with self.world.database.read() as db:
            return [dict(row) for row in db.execute(question, values)]

    @property
    def refused(self) -> list[tuple[str, str]]:
        return [(row["content"], row["reason"]) for row in self.rows("SELECT * FROM rejected_extractions")]

    @property
    def links(self) -> list[tuple[int, str, int]]:
        rows = self.rows("SELECT from_id, relation, to_id FROM memory_links ORDER BY id")
        return [(row["from_id"], row["relation"], row["to_id"]) for row in rows]

    @property
    def events(self) -> list[str]:
        return [row["kind"] for row in self.rows("SELECT kind FROM system_events")]

    @property
    def everything(self) -> dict[str, list[dict[str, Any]]]:
        """All that consolidation may touch."""
        tables = ("memories", "memory_links", "memory_sources", "consolidation_log", "rejected_extractions")
        return {table: self.rows(f"SELECT * FROM {table} ORDER BY 1") for table in tables}


@pytest.fixture
def night(world: World, model: Script, clock: FrozenClock) -> Night:
    async def ask(question: Question, on_text: Any = None) -> Answer:
        return await ask_typed(question, model)

    return Night(dataclasses.replace(world, ask=ask), model, clock)


def later(moment: datetime, **gone: float) -> datetime:
    return moment + timedelta(**gone)
