"""Updates that a home could not store when they came: files in `.host/set_aside`, by id."""

import json
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from furoshiki.core import atomic_files, numbers
from furoshiki.core.network import keys
from furoshiki.core.paths import HOST

FOLDER = "set_aside"

log = logging.getLogger(__name__)


def keep(root: Path, home: str, updates: Sequence[Mapping[str, Any]]) -> None:
    """Store updates for a home, a file each, synced to disk on return; model keys are masked."""
    folder = _folder(root, home)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for update in updates:
        atomic_files.write_text(
            folder / f"{numbers.require_int(update['update_id']):020d}.json", json.dumps(keys.cover(update))
        )


def homes(root: Path) -> set[str]:
    """List the homes with set-aside updates."""
    folder = root / HOST / FOLDER
    return {path.name for path in folder.iterdir() if any(path.glob("*.json"))} if folder.is_dir() else set()


def list_waiting(root: Path, home: str) -> list[tuple[Path, dict[str, Any]]]:
    """Return a home's set-aside updates, oldest first; rename unreadable ones to `.damaged`."""
    folder = _folder(root, home)
    found = []
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        try:
            update = json.loads(path.read_text(encoding="utf-8"))
            numbers.require_int(update["update_id"])
        except (ValueError, TypeError, KeyError) as error:
            log.error("%s cannot be read (%s) and is put to one side", path, type(error).__name__)
            path.rename(path.with_suffix(".damaged"))
            continue
        found.append((path, update))
    return found


def remove_files(paths: Sequence[Path]) -> None:
    """Delete the files of updates that are in the inbox now."""
    for path in paths:
        path.unlink(missing_ok=True)


def leave(root: Path, home: str, to: Path) -> None:
    """Move the updates of a removed home to its last backup: no later home may get them."""
    folder = _folder(root, home)
    if folder.is_dir() and any(folder.iterdir()):
        folder.rename(to)
    elif folder.is_dir():
        folder.rmdir()


def _folder(root: Path, home: str) -> Path:
    return root / HOST / FOLDER / home
