"""The backups that a folder holds."""

from __future__ import annotations

from pathlib import Path

from furoshiki.maintenance import backup


def listed(folder: Path) -> list[Path]:
    """The backups there are, newest first."""
    return [path for _, path in sorted(backup.list_dated(folder), reverse=True)]
