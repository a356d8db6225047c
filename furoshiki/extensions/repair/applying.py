"""A script of a plugin changed: what it was is kept first, and at every moment it is the old file or the new one.

What was judged is what is written, though a plugin may change its own folder meanwhile (`core/confined.py`).
"""

from __future__ import annotations

import contextlib
import difflib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from furoshiki.core import atomic_files, confined
from furoshiki.core.process import trees
from furoshiki.core.process.crash_points import point
from furoshiki.extensions.repair.rules import protected


@dataclass(frozen=True)
class Change:
    """A file below the data directory, as it was and as it is to be."""

    file: str
    before: str
    after: str

    @property
    def diff(self) -> str:
        """The same as a unified diff."""
        old, new = self.before.splitlines(), self.after.splitlines()
        return "\n".join(difflib.unified_diff(old, new, f"a/{self.file}", f"b/{self.file}", lineterm=""))


def keep(data: Path, job_id: int, change: Change) -> None:
    """Keep what the file was and what it is to be, before anything is changed."""
    folder = _locate_backup(data, job_id)
    atomic_files.write_text(folder / "before", change.before)
    atomic_files.write_text(folder / "after", change.after)
    point("repair.kept")


def find_change(data: Path, job_id: int, file: str) -> Change | None:
    """The change a job is about; None when it was not kept."""
    folder = _locate_backup(data, job_id)
    try:
        return Change(file, _text(folder / "before"), _text(folder / "after"))
    except (OSError, UnicodeDecodeError):
        return None


def let_go(data: Path, known: Iterable[int]) -> None:
    """Remove what was kept for jobs that nobody knows any more."""
    names = {f"job{one}" for one in known}
    with contextlib.suppress(FileNotFoundError):
        for folder in _locate_backups(data).iterdir():
            if folder.name not in names:
                trees.remove(folder)


def text_of(data: Path, file: str) -> str | None:
    """What stands in a script; None when it is gone, no text, or may not be written by automation."""
    judged = protected.judge(data / file, data)
    try:
        return None if judged.refused else _text(judged.real)
    except (OSError, UnicodeDecodeError):
        return None


def put(data: Path, file: str, text: str) -> bool:
    """Put a text in place of a script's; False when automation may not write there. Raises OSError."""
    judged = protected.judge(data / file, data)
    if judged.refused is not None:
        return False
    home = Path(os.path.realpath(data))
    with confined.opened(home, PurePosixPath(judged.real.relative_to(home)).parts[:-1]) as folder:
        mode = os.stat(judged.real.name, dir_fd=folder, follow_symlinks=False).st_mode & 0o777
        confined.replace(folder, judged.real.name, text, mode)
    point("repair.changed")
    return True


def _text(path: Path) -> str:
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


def _locate_backups(data: Path) -> Path:
    return data / "backups" / "repairs"


def _locate_backup(data: Path, job_id: int) -> Path:
    return _locate_backups(data) / f"job{job_id}"
