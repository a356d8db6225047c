"""A memory with real SQLite, a small encoder, and memoryd either away or played by an exact scan."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.messages.values import NewTurn
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.store import token_vectors, vectors
from furoshiki.recall.retrieval.store.vectors import Embedded
from furoshiki.recall.retrieval.values import EVERYWHERE, KINDS, Kind, Scope
from tests.support.encoders import WordEncoder

NOW = datetime(2026, 3, 14, 9, 26, tzinfo=UTC)


class Away:
    """memoryd is away."""

    def recall(self, text: str, *, k: int, now: datetime, scope: Scope = EVERYWHERE) -> list[tuple[str, float]]:
        raise VectorsAway("not in this test")

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        raise VectorsAway("not in this test")


@dataclass
class Ranked:
    """memoryd ranks exactly so."""

    names: Sequence[str]
    asked: list[tuple[str, tuple[Kind, ...], datetime]] = field(default_factory=list)
    judges: Sequence[float] = ()

    def recall(self, text: str, *, k: int, now: datetime, scope: Scope = EVERYWHERE) -> list[tuple[str, float]]:
        self.asked.append((text, scope.kinds, now))
        return [(name, 1 - rank / 100) for rank, name in enumerate(self.names) if name not in scope.without]

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        return list(self.judges[: len(texts)])


@dataclass
class Memory:
    """The part of a World that recall touches."""

    database: Database
    vectors: Away | Ranked = field(default_factory=Away)
    encoder: WordEncoder = field(default_factory=WordEncoder)

    def say(self, text: str, speaker: str = "user", days_ago: float = 0, session: str = "s1") -> int:
        """Store a turn."""
        at = NOW - timedelta(days=days_ago)
        with self.database.write() as db:
            return turns.add(db, NewTurn(session, "console", "me", speaker, text, at))

    def learn(self, text: str, *turn_ids: int, **about: Any) -> int:
        """Store a fact."""
        with self.database.write() as db:
            return memories.add(db, NewMemory("semantic", text, turn_ids, **about), NOW)

    def embed(self) -> None:
        """Do what memoryd does with rows that wait."""
        with self.database.write() as db:
            vectors.model_is(db, self.encoder.id, NOW)
            for kind in KINDS:
                rows = vectors.list_waiting(db, kind, 10_000)
                made = []
                for row in rows:
                    vector, each = self.encoder.encode_tokens(row.text)
                    blob = (
                        token_vectors.pack_tokens(each, model=self.encoder.id) if kind in token_vectors.TABLES else None
                    )
                    made.append(Embedded(row.id, vectors.pack(vector), "", blob))
                vectors.keep_vectors(db, kind, self.encoder.id, made)


@pytest.fixture
def memory(empty_database: Path, tmp_path: Path) -> Iterator[Memory]:
    path = tmp_path / "memory.sqlite"
    shutil.copyfile(empty_database, path)
    made = Memory(Database(path))
    yield made
    made.database.close()
