"""The files below a folder in which processes are still at work: one that goes away meanwhile is not there."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


def below(folder: Path) -> list[Path]:
    """Every file, at any depth, in order. `Path.rglob` raises where a folder goes away while it looks into it."""
    found = (Path(place, name) for place, _, names in os.walk(folder) for name in names)
    return sorted(path for path in found if path.is_file())


def contents(folder: Path) -> Iterator[tuple[Path, bytes]]:
    """Every file with what is in it."""
    for path in below(folder):
        with contextlib.suppress(FileNotFoundError):
            yield path, path.read_bytes()
