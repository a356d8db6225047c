"""How much of the disk a plugin's own storage takes."""

from __future__ import annotations

import os
from pathlib import Path

from furoshiki.plugins.sandbox.values import Limits

MB = 1 << 20
_BLOCK = 512


def over(folder: Path, limits: Limits) -> str | None:
    """What is too much of it, for people; None when it fits. Never follows a link, and stops once it knows."""
    held, files, waiting = 0, 0, [str(folder)]
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
    return None
