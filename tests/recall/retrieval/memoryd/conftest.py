"""A memoryd in this process: real SQLite, real Chroma, a small encoder, and a clock that stands still."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.messages.store import turns
from furoshiki.messages.values import NewTurn
from furoshiki.recall.retrieval.memoryd.index import LAST_WORDS
from furoshiki.recall.retrieval.memoryd.service import Service
from tests.support.chroma_server import chroma_server, way
from tests.support.encoders import WordEncoder
from tests.support.memoryd_process import home, models

NOW = datetime(2026, 3, 14, 9, 26, tzinfo=UTC)


class Memoryd:
    """A service over a data directory; `restarted` is the same directory in the next process."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.now = NOW
        self.encoder = WordEncoder()
        self.database = Database(data / "memory" / "longmemory.sqlite")
        self.service = self._service()

    def _service(self) -> Service:
        return Service(self.data, self.database, lambda: self.encoder, lambda: self.now, random.Random(4))

    @property
    def chroma(self) -> Path:
        """The index's folder."""
        return self.data / "memory" / "chroma"

    @property
    def set_aside(self) -> list[Path]:
        """Indexes that were not trusted any more."""
        return sorted(self.chroma.parent.glob("chroma.corrupt-*"))

    def say(self, *texts: str) -> list[int]:
        """Store turns of the user."""
        with self.database.write() as db:
            return [turns.add(db, NewTurn("s1", "console", "me", "user", text, NOW)) for text in texts]

    def ask(self, op: str, **more: Any) -> dict[str, Any]:
        """One request and its answer, which must be a good one."""
        answer = self.service.answer({"op": op, **more})
        assert answer["ok"], answer
        return answer

    def near(self, text: str, k: int = 3) -> list[str]:
        """The ids nearest to a text."""
        return [name for name, _ in self.ask("query", text=text, k=k)["found"]]

    def keep(self) -> None:
        """One round of the keeper, as if somebody had asked for the index."""
        self.service.keeper.wake(index=True, at_once=True)
        self.service.keeper.keep()

    def restart(self, killed: bool = False) -> None:
        """The next process; `killed` leaves no time to tidy up."""
        if killed:
            self.service.index.close()
        else:
            self.service.close()
        self.service = self._service()

    def crash(self) -> None:
        """Its process is ended by the kernel for what it did; `faulthandler` has a last word. Then the next one."""
        with (self.data / "run" / LAST_WORDS).open("a") as last_words:
            last_words.write(
                "Fatal Python error: Segmentation fault\n\nCurrent thread 0x00007f (most recent call first):\n"
            )
        self.restart(killed=True)

    def states(self) -> set[str]:
        """The index states of all turns."""
        with self.database.read() as db:
            return {row[0] for row in db.execute("SELECT DISTINCT index_state FROM turns")}


@pytest.fixture
def memoryd(tmp_path: Path, migrated: Callable[[Path], Path]) -> Iterator[Memoryd]:
    migrated(tmp_path / "memory" / "longmemory.sqlite")
    (tmp_path / "run").mkdir()
    made = Memoryd(tmp_path)
    yield made
    made.service.close()


@pytest.fixture
def later(memoryd: Memoryd) -> Callable[..., None]:
    def move(**span: float) -> None:
        memoryd.now += timedelta(**span)

    return move


__all__ = ["chroma_server", "home", "models", "way"]
