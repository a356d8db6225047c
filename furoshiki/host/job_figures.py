"""How many jobs the brain has under way and how many wait for a process, told to the host's other processes in a file
of some bytes. It is written where it stands, without rename or fsync: after a restart it is worth nothing.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import NamedTuple

FILE = "brain.jobs"


class Jobs(NamedTuple):
    """Jobs that are being done, jobs for which there is a reason and no process yet, and how many ended."""

    running: int = 0
    waiting: int = 0
    done: int = 0
    failed: int = 0


class Board:
    """Where the brain shows them. A disk that takes nothing stops nobody."""

    def __init__(self, run: Path) -> None:
        self._path = run / FILE
        self._shown: Jobs | None = None

    def show(self, jobs: Jobs) -> None:
        """Write them down when they have changed."""
        if jobs != self._shown:
            self._shown = jobs
            with contextlib.suppress(OSError):
                handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
                try:
                    os.pwrite(handle, b"%10d %10d %10d %10d\n" % jobs, 0)
                finally:
                    os.close(handle)


def load_jobs(run: Path) -> Jobs:
    """What the brain showed last; nothing while none has run."""
    try:
        return Jobs(*map(int, (run / FILE).read_text(encoding="ascii").split()))
    except (OSError, ValueError, TypeError):
        return Jobs()
