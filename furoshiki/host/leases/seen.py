"""What the other processes of a node know of its leases: two files in `.host/run` that the listener
writes.

`leases-<node>.json` lists the held leases and changes with them; the `.until` file says until when
they hold and is rewritten in place every few seconds, which spares a memory card.
"""

import json
import os
import time
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from furoshiki.core import atomic_files
from furoshiki.core.paths import HOST, stamp_of
from furoshiki.host.leases import node
from furoshiki.host.leases.values import Holding, Node

OLD_SECONDS = 86_400
"""Seconds after which the files of this machine's former node ids are deleted."""


@dataclass(frozen=True)
class State:
    """The state of a node: its homes and their fences, the refused ones and why, and why PostgreSQL
    cannot be asked (None: it answers)."""

    homes: Mapping[str, int] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    away: str | None = None


class Board:
    """The writing side of the files."""

    def __init__(self, root: Path, own: Node) -> None:
        self._path, self._until = _files(root, own)
        self._shown: dict[str, Any] = {}
        newest = self._path.parent.stat().st_mtime
        for left in self._path.parent.glob("leases-*.until"):
            if left != self._until and newest - left.stat().st_mtime > OLD_SECONDS:
                left.unlink(missing_ok=True)
                left.with_suffix(".json").unlink(missing_ok=True)

    def show(self, holding: Holding, state: State) -> None:
        """Write the state. If the disk fails, the other processes see the leases end, and wait."""
        found = {"homes": dict(holding.homes), "refused": dict(state.refused), "away": state.away}
        with suppress(OSError):
            if found != self._shown:
                atomic_files.write_text(self._path, json.dumps(found))
                self._shown = found
            line = f"{holding.soft:015.3f}"
            with open(os.open(self._until, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600), "wb", 0) as file:
                file.write(f"{line} {zlib.crc32(line.encode()):08x}\n".encode())


class Seen:
    """The reading side of the files."""

    def __init__(self, root: Path) -> None:
        self._path, self._until = _files(root, node.here(root))
        self._seen: object = None
        self._state = State(away="no listener of this node has taken leases yet")

    def homes(self) -> Mapping[str, int]:
        """Return the homes this node has now, with their fences."""
        return self.state().homes if boot_seconds() < self._good_until() else {}

    def state(self) -> State:
        """Return the state last written by the node's listener."""
        found = stamp_of(self._path)
        if found != self._seen and found is not None:
            with suppress(OSError, ValueError, KeyError, TypeError):
                read = json.loads(self._path.read_text(encoding="utf-8"))
                self._state = State(read["homes"], read["refused"], read["away"])
                self._seen = found
        return self._state

    def _good_until(self) -> float:
        with suppress(OSError, ValueError):
            line, _, check = self._until.read_text(encoding="ascii").strip().partition(" ")
            if int(check, 16) == zlib.crc32(line.encode()):
                return float(line)
        return 0.0


def _files(root: Path, own: Node) -> tuple[Path, Path]:
    path = root / HOST / "run" / f"leases-{own.id}.json"
    return path, path.with_suffix(".until")


def boot_seconds() -> float:
    """Return the seconds since this machine was booted."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)
