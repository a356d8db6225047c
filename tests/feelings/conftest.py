"""The two JSON files of a data directory, over a real database."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.feelings import heartbeat
from furoshiki.feelings.state_files import Heartbeat, StateFiles
from tests.support.laws import NOON, shipped


@dataclass
class Files:
    """State files with a clock that stands still and a count of how often they were rebuilt."""

    database: Database
    folder: Path
    at: datetime = NOON
    rebuilds: int = 0
    files: StateFiles = field(init=False)

    def __post_init__(self) -> None:
        self.files = StateFiles(self.folder, self._rebuild, lambda: self.at)

    @property
    def path(self) -> Path:
        return self.files.heartbeat_path

    @property
    def set_aside(self) -> list[Path]:
        return sorted(self.folder.glob("*.corrupt-*"))

    def _rebuild(self) -> Heartbeat:
        self.rebuilds += 1
        return heartbeat.rebuilt(self.database, shipped(), self.at)


@pytest.fixture
def state(database: Database) -> Iterator[Files]:
    """In memory where there is such a folder: thousands of writes would wait for the disk for minutes."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Files(database, Path(folder))
