"""A companion's data directory, and one look of the doctor at it. The doctor's modules are found as it finds them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.path.append(str(SCRIPTS))

from doctor_checks.look import Look  # noqa: E402
from doctor_checks.notebook import Notebook  # noqa: E402
from doctor_checks.place import Place, found  # noqa: E402

NOON = datetime(2026, 5, 13, 12, tzinfo=UTC)

MakeLook = Callable[..., Look]


@pytest.fixture
def data(tmp_path: Path, migrated: Callable[[Path], Path]) -> Path:
    """The data directory of a companion that has not said anything yet."""
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    for name in ("memory", "run", "logs", "backups", "config"):
        (folder / name).mkdir(mode=0o700)
    migrated(folder / "memory" / "longmemory.sqlite")
    return folder


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout without anything in it."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    return folder


@pytest.fixture
def make_look(data: Path, checkout: Path) -> MakeLook:
    """One look at it; `settings` are in the environment, the rest goes into the Look."""

    def make(now: datetime = NOON, settings: dict[str, str] | None = None, **more: object) -> Look:
        place: Place = found(settings or {}, data, checkout)
        awake = 1_000_000.0 + (now - NOON).total_seconds()
        notebook = Notebook(data, others=[])
        return Look(place, notebook, now, awake, awake, "this start", **{"sound": True, **more})  # type: ignore[arg-type]

    return make


@pytest.fixture
def look(make_look: MakeLook) -> Look:
    """One look at noon."""
    return make_look()
