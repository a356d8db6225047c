"""Cleanup of processes that a server started: their process groups, and their end."""

import contextlib
import os
import signal
from collections.abc import Iterable
from pathlib import Path


def groups_below(pid: int) -> set[int]:
    """Return the process groups of all descendants of a process, without its own."""
    found = set()
    for child in _below(pid):
        with contextlib.suppress(ProcessLookupError):
            found.add(os.getpgid(child))
    with contextlib.suppress(ProcessLookupError):
        found.discard(os.getpgid(pid))
    return found


def kill(groups: Iterable[int]) -> None:
    """Kill these process groups at once."""
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


def _below(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                found += [int(child), *_below(int(child))]
    return found
