"""The command line's fixtures, in a folder of homes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.chroma_server import chroma_server, way
from tests.support.shell import command, data

__all__ = ["chroma_server", "command", "data", "way"]


@pytest.fixture
def root(tmp_path_factory: pytest.TempPathFactory, data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of homes that is not there yet, beside an ordinary data directory."""
    made = tmp_path_factory.mktemp("machine") / "homes"
    monkeypatch.setenv("FUROSHIKI_HOMES", str(made))
    return made
