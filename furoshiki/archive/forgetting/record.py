"""The record of forgettings next to the backups, which still contain the words: fingerprints only.

A restore reads it, so that words forgotten after the backup stay away, even on another machine.
Each line of `forgotten.jsonl` is one forgetting: {"at", "place", "key", "rows": [[ref, made_at,
fingerprint]], "words": [[length, fingerprint]], "everything", "removed"}. Fingerprints are keyed,
but a reader of the file can test words against them, as they could read the backups next to it.
"""

import contextlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from furoshiki.core import json_values
from furoshiki.core.atomic_files import locked, sync_folder

FILE = "forgotten.jsonl"
_LOCK = ".forgotten.lock"


@dataclass(frozen=True)
class Forgetting:
    """One forgetting: ISO time; `place` (None: the owner's); hexadecimal key of its fingerprints.
    `rows` are turns and memories with their creation times; `words` are phrases with their number
    of stems. With `everything`, all was deleted and `rows` are samples; `removed`: the place itself
    was deleted."""

    at: str
    place: str | None
    key: str
    rows: tuple[tuple[str, str, str], ...] = ()
    words: tuple[tuple[int, str], ...] = ()
    everything: bool = False
    removed: bool = False

    def line(self) -> str:
        """Return the record as a line of the file."""
        return json.dumps(asdict(self)) + "\n"


def read(path: Path) -> list[Forgetting]:
    """Return all records in a file; empty without a file. Truncated lines are skipped."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return []
    found = []
    for line in lines:
        with contextlib.suppress(ValueError, TypeError, KeyError):
            found.append(of(json.loads(line)))
    return found


def of(one: dict[str, Any]) -> Forgetting:
    """Build a record from plain values. Raises TypeError, KeyError and ValueError."""
    rows = tuple((str(ref), str(at), str(mark)) for ref, at, mark, *_ in one["rows"])
    words = tuple((int(length), str(mark)) for length, mark, *_ in one["words"])
    return json_values.build(Forgetting, {**one, "rows": rows, "words": words})


def add(home: Path, fresh: Iterable[Forgetting]) -> None:
    """Append new records durably to the backups folder. Idempotent. Raises OSError."""
    folder = home / "backups"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    put(folder, fresh)


def put(folder: Path, fresh: Iterable[Forgetting]) -> None:
    """Append new records to the file in a folder, such as one with copies of backups."""
    path = folder / FILE
    with locked(folder / _LOCK):
        forgettings = set(read(path))
        lines = [forgetting.line() for forgetting in dict.fromkeys(fresh) if forgetting not in forgettings]
        if lines:
            _append(path, lines)


def _append(path: Path, lines: Sequence[str]) -> None:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "rb+") as file:
        end = file.seek(0, os.SEEK_END)
        if end:
            file.seek(end - 1)
            if file.read(1) != b"\n":  # an incomplete line after a power failure
                lines = ["\n", *lines]
        file.write("".join(lines).encode())
        file.flush()
        os.fsync(file.fileno())
    sync_folder(path.parent)
