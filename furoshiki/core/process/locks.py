"""Which long-running processes run, by the lock files that they hold."""

import os
from fnmatch import filter as matching
from pathlib import Path

from furoshiki.core.paths import host_of

# each long-running process holds one of these in run/ while it lives
LOCKS = {"mind": "mind.lock", "listener": "telegram-*.lock", "brain": "brain.lock"}


def lock_held(path: Path) -> bool:
    """Return whether a process holds this lock file. It is not taken: that would be a race."""
    try:
        return path.stat().st_ino in _list_locked()
    except OSError:
        return False


def locks_held(folder: Path) -> frozenset[str]:
    """Return the names of the held lock files in a folder; empty when the folder is missing."""
    try:
        locked = _list_locked()
        with os.scandir(folder) as entries:
            return frozenset(
                entry.name for entry in entries if entry.name.endswith(".lock") and entry.inode() in locked
            )
    except OSError:
        return frozenset()


def list_held_for(run: Path) -> frozenset[str]:
    """Return the held locks of a data directory's `run/`, and its host's for it.
    A host with a listener also counts as the mind."""
    host = host_of(run.parent)
    if host is None:
        return locks_held(run)
    of_all = {name for name in locks_held(host / "run") if any(matching([name], one) for one in LOCKS.values())}
    answers = {LOCKS["mind"]} if matching(of_all, LOCKS["listener"]) else set()
    return locks_held(run) | of_all | answers


def _list_locked() -> set[int]:
    """Return the inodes of all files locked by flock."""
    lines = Path("/proc/locks").read_text().splitlines()
    return {int(line.split()[5].rpartition(":")[2]) for line in lines if "FLOCK" in line and "->" not in line}
