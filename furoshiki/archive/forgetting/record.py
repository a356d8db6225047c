"""What was forgotten, on record beside the backups, which still hold it: fingerprints, no words.

A restore reads it, so that what was forgotten after a backup was made does not come back with it, also on a machine
that has nothing else. A line of `forgotten.jsonl` is one forgetting: {"at", "place", "key", "rows": [[ref, made_at,
fingerprint]], "words": [[length, fingerprint]], "everything", "removed"}. The fingerprints are keyed; anyone with
the file can try words against them, as anyone with the backups beside it can read them.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from furoshiki.core import stored
from furoshiki.core.atomic_files import locked, sync_folder

FILE = "forgotten.jsonl"
_LOCK = ".forgotten.lock"


@dataclass(frozen=True)
class Forgetting:
    """One forgetting: when (as an ISO time); in whose `place`, None for the owner's own; under which key its
    fingerprints are made, in hexadecimal. `rows` are turns and memories with when they were made; `words` are phrases
    by their number of stems. With `everything`, all that was there went, and `rows` are some of it; `removed` when the
    place itself went."""

    at: str
    place: str | None
    key: str
    rows: tuple[tuple[str, str, str], ...] = ()
    words: tuple[tuple[int, str], ...] = ()
    everything: bool = False
    removed: bool = False

    def line(self) -> str:
        """Format it as a line of the file."""
        return json.dumps(asdict(self)) + "\n"


def read(path: Path) -> list[Forgetting]:
    """Every forgetting on record in a file, none where there is no file. A line that was cut off is passed over."""
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
    """A forgetting out of plain values. Raises TypeError and KeyError for something else."""
    rows = tuple((str(ref), str(at), str(mark)) for ref, at, mark, *_ in one["rows"])
    words = tuple((int(length), str(mark)) for length, mark, *_ in one["words"])
    return stored.build(Forgetting, {**one, "rows": rows, "words": words})


def add(home: Path, fresh: Iterable[Forgetting]) -> None:
    """Put what is not there yet on record, so that it survives a power cut. May be done again."""
    folder = home / "backups"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    put(folder, fresh)


def put(folder: Path, fresh: Iterable[Forgetting]) -> None:
    """The same in any folder, as where copies of backups are kept."""
    path = folder / FILE
    with locked(folder / _LOCK):
        known = set(read(path))
        lines = [one.line() for one in dict.fromkeys(fresh) if one not in known]
        if lines:
            _append(path, lines)


def _append(path: Path, lines: Sequence[str]) -> None:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "rb+") as file:
        end = file.seek(0, os.SEEK_END)
        if end:
            file.seek(end - 1)
            if file.read(1) != b"\n":  # the power went within a line
                lines = ["\n", *lines]
        file.write("".join(lines).encode())
        file.flush()
        os.fsync(file.fileno())
    sync_folder(path.parent)
