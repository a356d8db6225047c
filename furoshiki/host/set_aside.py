"""Updates that a home could not keep when they came: files beside the homes, in the order in which they were made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from furoshiki.core import atomic_files
from furoshiki.core.paths import HOST

FOLDER = "set_aside"


def keep(root: Path, home: str, updates: Sequence[Mapping[str, Any]]) -> None:
    """Keep updates for a home, each in a file that is on the disk when this returns."""
    folder = _folder(root, home)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for update in updates:
        atomic_files.write_text(folder / f"{int(update['update_id']):020d}.json", json.dumps(update))


def homes(root: Path) -> set[str]:
    """For whom something is kept."""
    folder = root / HOST / FOLDER
    return {path.name for path in folder.iterdir() if any(path.glob("*.json"))} if folder.is_dir() else set()


def waiting(root: Path, home: str) -> list[tuple[Path, dict[str, Any]]]:
    """What is kept for a home, oldest first."""
    folder = _folder(root, home)
    if not folder.is_dir():
        return []
    return [(path, json.loads(path.read_text(encoding="utf-8"))) for path in sorted(folder.glob("*.json"))]


def done(paths: Sequence[Path]) -> None:
    """These are in the inbox now."""
    for path in paths:
        path.unlink(missing_ok=True)


def _folder(root: Path, home: str) -> Path:
    return root / HOST / FOLDER / home
