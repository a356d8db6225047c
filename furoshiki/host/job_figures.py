"""How many jobs the brain runs and how many wait, shared with the host's other processes through a
file of a few bytes. It is written in place, without rename or fsync: after a restart it is
worthless."""

import contextlib
import os
from pathlib import Path
from typing import NamedTuple

FILE = "brain.jobs"


class Jobs(NamedTuple):
    """Counts of jobs: running, waiting for a process, ended (`done`), and failed among these."""

    running: int = 0
    waiting: int = 0
    done: int = 0
    failed: int = 0


class Board:
    """The brain's side: writes the counts. A full or broken disk is ignored."""

    def __init__(self, run: Path) -> None:
        self._path = run / FILE
        self._shown: Jobs | None = None

    def show(self, jobs: Jobs) -> None:
        """Write the counts when they have changed."""
        if jobs != self._shown:
            self._shown = jobs
            with contextlib.suppress(OSError):
                handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
                try:
                    os.pwrite(handle, b"%10d %10d %10d %10d\n" % jobs, 0)
                finally:
                    os.close(handle)


def load_jobs(run: Path) -> Jobs:
    """Return the counts last written; zeros when there are none."""
    try:
        return Jobs(*map(int, (run / FILE).read_text(encoding="ascii").split()))
    except (OSError, ValueError, TypeError):
        return Jobs()
