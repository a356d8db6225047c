"""The last verification of each backup: `verified.json` next to the backups, for the doctor.

{"<file name>": {"at": ISO time, "sha256": of the stored file, "ok": bool, "turns": number of
turns}}
"""

import contextlib
import json
from collections.abc import Collection
from dataclasses import asdict, dataclass
from pathlib import Path

from furoshiki.core import atomic_files, json_values

FILE = "verified.json"


@dataclass(frozen=True)
class Verification:
    """A verification: ISO time, SHA-256 of the file, whether it is intact, number of turns."""

    at: str
    sha256: str
    ok: bool
    turns: int


def load_all(folder: Path) -> dict[str, Verification]:
    """Return the last verification of each file; unreadable and missing ones are left out."""
    known: dict[str, Verification] = {}
    with contextlib.suppress(OSError, ValueError, AttributeError):
        for name, one in json.loads((folder / FILE).read_text(encoding="utf-8")).items():
            with contextlib.suppress(TypeError):
                known[str(name)] = json_values.build(Verification, one)
    return known


def keep(folder: Path, name: str, verification: Verification) -> None:
    """Record a verification. The caller holds the backups' lock."""
    _write(folder, {**load_all(folder), name: verification})


def drop_all_but(folder: Path, names: Collection[str]) -> None:
    """Delete the verifications of other files. The caller holds the backups' lock."""
    before = load_all(folder)
    if before.keys() - set(names):
        _write(folder, {name: one for name, one in before.items() if name in names})


def _write(folder: Path, notes: dict[str, Verification]) -> None:
    text = json.dumps({name: asdict(notes[name]) for name in sorted(notes)}, indent=2)
    atomic_files.write_text(folder / FILE, text + "\n")
