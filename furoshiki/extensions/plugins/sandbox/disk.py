"""How much of the disk a plugin's own storage takes."""

import contextlib
import os
import stat
from pathlib import Path

from furoshiki.extensions.plugins.sandbox.values import Limits

MB = 1 << 20
_BLOCK = 512


def over(folder: Path, limits: Limits, pid: int | None = None) -> str | None:
    """What is too much of it, for people; None when it fits. Never follows a link, and stops once it knows.

    What the process `pid` holds open and has deleted counts as well.
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
        except FileNotFoundError:  # it went away meanwhile
            continue
        except OSError:  # closed to us, or nested deeper than a path can be long
            return "its data/ holds what cannot be looked at"
    return None


def _unseen(pid: int) -> int:
    """Bytes on the disk of the files that a process holds and that have no name any more."""
    found = 0
    with contextlib.suppress(OSError), os.scandir(f"/proc/{pid}/fd") as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                about = entry.stat()
                found += about.st_blocks * _BLOCK if stat.S_ISREG(about.st_mode) and not about.st_nlink else 0
    return found
