"""memoryd as a process of its own, over a folder."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import pytest

from furoshiki.app.memoryd import main
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import HOST
from furoshiki.messages.store import turns
from furoshiki.messages.values import NewTurn
from furoshiki.recall.embeddings.models import prepare
from furoshiki.recall.retrieval.client import Vectors, VectorsAway
from furoshiki.recall.retrieval.store import vectors
from tests.e2e.program import Process
from tests.support.deaths import Forked

T = TypeVar("T")


PATIENCE_SECONDS = 120.0


def warm() -> None:
    """Load what a memoryd loads on its way."""
    for name in ("chromadb", "onnxruntime", "tokenizers"):
        importlib.import_module(name)


def memoryd() -> None:
    """`python -m furoshiki.app.memoryd`, from its first line on."""
    raise SystemExit(main())


def started(environ: dict[str, str], log: Path) -> Forked:
    """A memoryd that is forked from a warm process."""
    return Forked(memoryd, (), environ, log, ready=warm)


def eventually(ask: Callable[[], T], good: Callable[[T], bool] = lambda _answer: True) -> T:
    """Ask until there is a good answer."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            answer = ask()
            if good(answer):
                return answer
        except VectorsAway as away:
            answer = away  # type: ignore[assignment]
        assert time.monotonic() < give_up, answer
        time.sleep(0.05)


class Home:
    """A data directory whose memoryd processes are ours to start and to end."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.more: dict[str, str] = {}
        self.processes: list[Process] = []
        self.vectors = Vectors(data, self.start)
        self.database = Database(data / "memory" / "longmemory.sqlite")

    def start(self) -> None:
        self.processes.append(started(self.environ(), self.data / "memoryd.log"))

    def start_cold(self) -> None:
        """Start one that has an interpreter of its own, and so has loaded nothing before."""
        command = [sys.executable, "-m", "furoshiki.app.memoryd"]
        self.processes.append(subprocess.Popen(command, env=self.environ(), stderr=subprocess.DEVNULL))

    def environ(self) -> dict[str, str]:
        """What one is started with."""
        settings = {"FUROSHIKI_DATA": str(self.data), "FUROSHIKI_EMBEDDER": "minilm-int8", "OPENBLAS_NUM_THREADS": "1"}
        return {**os.environ, **settings, "FUROSHIKI_CHROMA_FROM": "0", **self.more}

    def say(self, text: str) -> int:
        with self.database.write() as db:
            return turns.add(db, NewTurn("s1", "console", "me", "user", text, datetime(2026, 3, 14, tzinfo=UTC)))

    def status(self) -> dict[str, object]:
        return self.vectors.status(seconds=5.0)


class Shared:
    """The memoryd of a folder of homes; its processes are ours to start and to end."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.processes: list[Process] = []

    def start(self) -> None:
        environ = {**os.environ, "FUROSHIKI_DATA": str(self.root / HOST), "OPENBLAS_NUM_THREADS": "1"}
        self.processes.append(started(environ, self.root.with_name(f"{self.root.name}-memoryd.log")))

    def of(self, name: str) -> Vectors:
        return Vectors(self.root / name, self.start)


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("memoryd-models")
    prepare("minilm-int8", folder)
    return folder


@pytest.fixture
def home(tmp_path: Path, models: Path, migrated: Callable[[Path], Path]) -> Iterator[Home]:
    migrated(tmp_path / "memory" / "longmemory.sqlite")
    (tmp_path / "models").symlink_to(models)
    made = Home(tmp_path)
    yield made
    for process in made.processes:
        process.kill()
        process.wait(10)


def whole(status: dict[str, object]) -> bool:
    """Whether the index has everything."""
    return status["index"] == "ready" and not status["pending"]


def waiting(database: Database) -> int:
    """How many rows have no vector in the index yet."""
    with database.read() as db:
        return vectors.without_vector(db)
