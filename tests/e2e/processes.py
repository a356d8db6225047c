"""What the kernel knows about a process (Linux): its time, its memory, its writing."""

from __future__ import annotations

import os
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    """CPU time so far, user and system together, the process's own threads included and its children not."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def megabytes(pid: int) -> float:
    """Resident memory."""
    for line in Path(f"/proc/{pid}/status").read_text("utf-8", "replace").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def proportional_megabytes(pid: int) -> float:
    """Resident memory, what is shared with other processes in equal parts."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8", "replace").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0


def written_bytes(pid: int) -> int:
    """Bytes it has caused to be written to disk."""
    for line in Path(f"/proc/{pid}/io").read_text("utf-8").splitlines():
        if line.startswith("write_bytes:"):
            return int(line.split()[1])
    return 0


def command(pid: int) -> str:
    """Its command line; empty for one that is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
    except OSError:
        return ""
