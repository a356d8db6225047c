"""When each backup was last read back, and what was found: `verified.json` beside the backups, which the doctor reads.

{"<file name>": {"at": ISO time, "sha256": of the file as it lies there, "ok": bool, "turns": how many it holds}}
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Collection
from dataclasses import asdict, dataclass
from pathlib import Path

from furoshiki.core import atomic_files, stored

FILE = "verified.json"


@dataclass(frozen=True)
class Verification:
    """One reading: `at` as an ISO time, the SHA-256 of the file, whether it is whole, how many turns it holds."""

    at: str
    sha256: str
    ok: bool
    turns: int


def load_all(folder: Path) -> dict[str, Verification]:
    """The last reading of each file; of those that were never read, and where the notes cannot be read, none."""
    known: dict[str, Verification] = {}
    with contextlib.suppress(OSError, ValueError, AttributeError):
        for name, one in json.loads((folder / FILE).read_text(encoding="utf-8")).items():
            with contextlib.suppress(TypeError):
                known[str(name)] = stored.build(Verification, one)
    return known


def keep(folder: Path, name: str, found: Verification) -> None:
    """Note a reading. The caller holds the lock of the backups."""
    _write(folder, {**load_all(folder), name: found})


def drop_all_but(folder: Path, names: Collection[str]) -> None:
    """Let the notes go of files that are gone. The caller holds the lock of the backups."""
    before = load_all(folder)
    if before.keys() - set(names):
        _write(folder, {name: one for name, one in before.items() if name in names})


def digest(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write(folder: Path, notes: dict[str, Verification]) -> None:
    text = json.dumps({name: asdict(notes[name]) for name in sorted(notes)}, indent=2)
    atomic_files.write_text(folder / FILE, text + "\n")
