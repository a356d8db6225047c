"""What a message costs, counted where milliseconds cannot be trusted: transactions, requests, texts that are encoded.

Who makes one of them more has a reason, and writes it here.
"""

from __future__ import annotations

import contextlib
import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.recall.retrieval.client import Vectors, VectorsAway
from furoshiki.recall.retrieval.memoryd.service import Service
from furoshiki.world import World
from tests.support.encoders import WordEncoder
from tests.support.world import Human, Script

SAID = "The ferry was late again and the baker had run out of rye, so I walked home along the river."
ANSWERED = "A late ferry and no rye is a poor start to a day. Was the river pretty at least?"


class Beside(Vectors):
    """memoryd in this process: its own code, asked without a socket."""

    def __init__(self, world: World) -> None:
        super().__init__(world.settings.data)
        self.encoder = WordEncoder()
        self.requests: Counter[str] = Counter()
        self.service = Service(
            world.settings.data, world.database, lambda: self.encoder, lambda: world.now, random.Random(3)
        )

    def _ask(self, request: dict[str, Any], seconds: float | None, *, spawn: bool = True) -> dict[str, Any]:
        self.requests[request["op"]] += 1
        answer = self.service.answer(request)
        if not answer["ok"]:
            raise VectorsAway(answer["error"])
        return answer


@pytest.fixture
def beside(human: Human) -> Iterator[Beside]:
    made = Beside(human.world)
    human.world = human.worker.world = replace(human.world, vectors=made)
    yield made
    made.service.close()


@pytest.fixture
def transactions(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many were committed, and how many snapshots were read."""
    counted: Counter[str] = Counter()
    for kind in ("write", "read"):
        monkeypatch.setattr(Database, kind, _counting(getattr(Database, kind), counted, kind))
    return counted


def _counting(ask: Any, counted: Counter[str], kind: str) -> Any:
    @contextlib.contextmanager
    def asked(database: Database, **how: bool) -> Iterator[sqlite3.Connection]:
        counted[kind] += 1
        with ask(database, **how) as db:
            yield db

    return asked


async def test_a_message_costs_so_much_and_no_more(
    human: Human, beside: Beside, model: Script, transactions: Counter[str]
) -> None:
    model.lines = ["Good morning.", ANSWERED]
    await human.says("Good morning to you, my dear companion!")
    beside.service.keeper.keep()
    beside.encoder.asked.clear()
    beside.requests.clear()
    human.writes(SAID)
    transactions.clear()

    assert await human.worker.step()
    await human.worker.quiet()  # some of it begins before the step has ended, by a hair
    assert transactions["write"] == 5, "claim, journal, commit, what follows; what was told is read, once"
    assert transactions["read"] <= 34
    assert beside.requests == {"embed": 1, "recall": 1, "nudge": 1}
    transactions.clear()
    beside.service.keeper.keep()
    assert transactions["write"] == 1, "both turns get their vectors"
    assert beside.encoder.asked == [SAID, f"companion: {ANSWERED}", f"user: {SAID}"]
