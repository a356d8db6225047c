"""Disk usage of a plugin's data folder."""

import contextlib
import os
import stat
from pathlib import Path

from furoshiki.extensions.plugins.sandbox.values import Limits

MB = 1 << 20
_BLOCK = 512


def over(folder: Path, limits: Limits, pid: int | None = None) -> str | None:
    """Return what exceeds the limits, in words, or None. Follows no links and stops early.

    Deleted files that process `pid` still has open count too.
    """
    held, files, waiting = _unseen(pid) if pid else 0, 0, [str(folder)]
    if held > limits.data_mb * MB:
        return f"it holds more than {limits.data_mb} MB of deleted files"
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    about = entry.stat(follow_symlinks=False)
                    held, files = held + about.st_blocks * _BLOCK, files + 1
                    if held > limits.data_mb * MB:
                        return f"its data/ holds more than {limits.data_mb} MB"
                    if files > limits.data_files:
                        return f"its data/ holds more than {limits.data_files:,} files"
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except FileNotFoundError:  # deleted meanwhile
            continue
        except OSError:  # not readable, or the path is too long
            return "its data/ holds what cannot be looked at"
    return None


def _unseen(pid: int) -> int:
    """Return the disk usage in bytes of deleted files that a process has open."""
    found = 0
    with contextlib.suppress(OSError), os.scandir(f"/proc/{pid}/fd") as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                about = entry.stat()
                found += about.st_blocks * _BLOCK if stat.S_ISREG(about.st_mode) and not about.st_nlink else 0
    return found
