"""The command line, called in this process where that is quick and as a real program where it matters."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from furoshiki.faces.cli.main import main
from furoshiki.recall.retrieval.client import Vectors, VectorsAway
from tests.support.forked_program import ran

OURS = ("FUROSHIKI_", "TELEGRAM_", "ANTHROPIC_", "OPENAI_", "COLUMNS", "NO_COLOR")


@dataclass
class Ended:
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Command = Callable[..., Ended]


@pytest.fixture
def data(tmp_path: Path, migrated: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory with a migrated, empty database, and an environment that names nothing else."""
    for name in list(os.environ):
        if name.startswith(OURS):
            monkeypatch.delenv(name)
    monkeypatch.setenv("FUROSHIKI_DATA", str(tmp_path))
    migrated(tmp_path / "memory" / "longmemory.sqlite")
    return tmp_path


@pytest.fixture
def command(data: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a command in this process."""

    def run(*args: str) -> Ended:
        try:
            status = main(args)
        except SystemExit as left:
            status = int(left.code or 0)
        out, err = capsys.readouterr()
        return Ended(status, out, err)

    return run


@pytest.fixture
def program(data: Path) -> Iterator[Command]:
    """Run a command as the real program; memoryd, should it have been started, is ended afterwards."""
    environ = {**os.environ, "FUROSHIKI_MEMORYD_IDLE_MINUTES": "0.2"}

    def run(*args: str, typed: str = "", **more: str) -> Ended:
        done = ran(args, {**environ, **more}, typed)
        return Ended(done.returncode, done.stdout, done.stderr)

    yield run
    with contextlib.suppress(VectorsAway):  # it may never have been needed
        Vectors(data).stop()
