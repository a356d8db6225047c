"""What most tests need: a migrated database of their own, copied from one that was made once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from furoshiki.storage import migrate
from furoshiki.storage.store import Store


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write what prompts render to as the new truth")


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database with nothing in it; copy it, do not open it."""
    path = tmp_path_factory.mktemp("template") / "longmemory.sqlite"
    migrate.ensure(path)
    store = Store(path)
    store.checkpoint()
    store.close()
    return path


@pytest.fixture
def store(empty_database: Path, tmp_path: Path) -> Iterator[Store]:
    """The database of one test, real and empty."""
    path = tmp_path / "memory" / "longmemory.sqlite"
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(empty_database, path)
    store = Store(path, busy_seconds=5.0)
    yield store
    store.close()
