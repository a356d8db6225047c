"""Processes on this machine, from /proc, without locks: taking one would race with starts."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Process:
    """A running process: start (seconds since boot), CPU seconds, resident bytes."""

    pid: int
    started: float
    cpu_s: float
    resident: int
    command: str

    @property
    def ours(self) -> bool:
        """Whether it is ours: the id may have been reused since."""
        return "furoshiki" in self.command


def process(pid: int, proc: Path = PROC) -> Process | None:
    """Return the process with this id; None if there is none, or only a zombie."""
    try:
        folder = proc / str(pid)
        fields = (folder / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        pages = int((folder / "statm").read_text(encoding="ascii").split()[1])
        command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
        if pid < 1 or fields[0] in "ZX":
            return None
        cpu = (int(fields[11]) + int(fields[12])) / _TICKS
        return Process(pid, int(fields[19]) / _TICKS, cpu, pages * _PAGE, command)
    except (OSError, ValueError, IndexError):
        return None


def holder(path: Path, proc: Path = PROC) -> int | None:
    """Return the id of the process that holds a lock file, 0 if unknown; None if nobody does."""
    try:
        inode = str(path.stat().st_ino)
        lines = (proc / "locks").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return None
    for line in lines:
        fields = line.split()
        if len(fields) > 5 and fields[1] == "FLOCK" and fields[5].rpartition(":")[2] == inode:
            return int(fields[4]) if fields[4].isdigit() else 0
    return None
