"""A memory with real SQLite, a small encoder, and memoryd either away or played by an exact scan."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from furoshiki.domain.conversation import NewTurn
from furoshiki.domain.remembering import KINDS, Kind
from furoshiki.storage import turns, vectors
from furoshiki.storage.store import Store
from furoshiki.storage.vectors import Embedded
from furoshiki.vectors import VectorsAway
from tests.encoders import WordEncoder

NOW = datetime(2026, 3, 14, 9, 26, tzinfo=UTC)


class Away:
    """memoryd is away."""

    def query(self, text: str, kinds: Sequence[Kind] = KINDS, k: int = 150) -> list[tuple[str, float]]:
        raise VectorsAway("not in this test")


@dataclass
class Near:
    """memoryd knows exactly this."""

    names: Sequence[str]
    asked: list[tuple[str, tuple[Kind, ...]]] = field(default_factory=list)

    def query(self, text: str, kinds: Sequence[Kind] = KINDS, k: int = 150) -> list[tuple[str, float]]:
        self.asked.append((text, tuple(kinds)))
        return [(name, 1 - rank / 100) for rank, name in enumerate(self.names)]


@dataclass
class Memory:
    """The part of a World that recall touches."""

    store: Store
    vectors: Away | Near = field(default_factory=Away)
    encoder: WordEncoder = field(default_factory=WordEncoder)

    def say(self, text: str, speaker: str = "user", days_ago: float = 0) -> int:
        """Store a turn."""
        at = NOW - timedelta(days=days_ago)
        with self.store.write() as db:
            return turns.add(db, NewTurn("s1", "console", "me", speaker, text, at))

    def embed(self) -> None:
        """Do what memoryd does with rows that wait."""
        with self.store.write() as db:
            vectors.model_is(db, self.encoder.id, NOW)
            for kind in KINDS:
                rows = vectors.waiting(db, kind, 10_000)
                matrix = self.encoder.encode([row.text for row in rows])
                made = [Embedded(row.id, vectors.pack(v), "") for row, v in zip(rows, matrix, strict=True)]
                vectors.embedded(db, kind, self.encoder.id, made)


@pytest.fixture
def memory(empty_database: Path, tmp_path: Path) -> Iterator[Memory]:
    path = tmp_path / "memory.sqlite"
    shutil.copyfile(empty_database, path)
    made = Memory(Store(path))
    yield made
    made.store.close()
