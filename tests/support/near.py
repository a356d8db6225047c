"""A stand-in for memoryd as far as the exit gate needs it: words in common make texts near."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from furoshiki.memory.store import memories
from furoshiki.recall.embeddings.encoder import Encoder
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.world import World
from tests.support.encoders import WordEncoder
from tests.support.world import NoVectors


class Near(NoVectors):
    """memoryd as far as the gate needs it: words in common make texts near."""

    def __init__(self, world: World, encoder: Encoder | None = None) -> None:
        self._encoder = encoder or WordEncoder()
        self._database = world.database
        self.away = False
        self.cosines: dict[str, float] = {}

    def embed(self, texts: Sequence[str], *_: Any, **__: Any) -> list[list[float]]:
        if self.away:
            raise VectorsAway("not now")
        return [list(map(float, row)) for row in self._encoder.encode(list(texts))]

    def query(self, text: str, *_: Any, k: int = 4, **__: Any) -> list[tuple[str, float]]:
        if self.away:
            raise VectorsAway("not now")
        with self._database.read() as db:
            held = memories.newest(db, 50)
        own = self._encoder.encode([text])[0]
        found = [(f"memory:{one.id}", float(own @ self._encoder.encode([one.content])[0])) for one in held]
        return sorted(found, key=lambda pair: -pair[1])[:k]

    def nudge(self) -> None:
        pass
