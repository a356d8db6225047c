"""Atomic change of a plugin's script, after saving the earlier and the new text.

No links are followed, as a plugin may change its own folder meanwhile (`core/no_symlinks.py`).
"""

import contextlib
import difflib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from furoshiki.core import atomic_files, no_symlinks
from furoshiki.core.process import trees
from furoshiki.core.process.crash_points import point
from furoshiki.extensions.repair.rules import protected


@dataclass(frozen=True)
class Change:
    """The text of a file in the data directory before and after a change."""

    file: str
    before: str
    after: str

    @property
    def diff(self) -> str:
        old, new = self.before.splitlines(), self.after.splitlines()
        return "\n".join(difflib.unified_diff(old, new, f"a/{self.file}", f"b/{self.file}", lineterm=""))


def keep(data: Path, job_id: int, change: Change) -> None:
    """Save both texts before anything is changed. Raises OSError."""
    folder = _locate_backup(data, job_id)
    atomic_files.write_text(folder / "before", change.before)
    atomic_files.write_text(folder / "after", change.after)
    point("repair.kept")


def find_change(data: Path, job_id: int, file: str) -> Change | None:
    """Return the saved change of a job, or None."""
    folder = _locate_backup(data, job_id)
    try:
        return Change(file, _text(folder / "before"), _text(folder / "after"))
    except (OSError, UnicodeDecodeError):
        return None


def let_go(data: Path, known: Iterable[int]) -> None:
    """Delete the saved changes of unknown jobs. Raises OSError."""
    names = {f"job{one}" for one in known}
    with contextlib.suppress(FileNotFoundError):
        for folder in _locate_backups(data).iterdir():
            if folder.name not in names:
                trees.remove(folder)


def text_of(data: Path, file: str) -> str | None:
    """Return a script's text; None if missing, not text, or not writable by automation."""
    judged = protected.judge(data / file, data)
    try:
        return None if judged.refused else _text(judged.real)
    except (OSError, UnicodeDecodeError):
        return None


def put(data: Path, file: str, text: str) -> bool:
    """Replace a script's text; False if automation may not write it. Raises OSError."""
    judged = protected.judge(data / file, data)
    if judged.refused is not None:
        return False
    home = Path(os.path.realpath(data))
    with no_symlinks.opened(home, PurePosixPath(judged.real.relative_to(home)).parts[:-1]) as folder:
        mode = os.stat(judged.real.name, dir_fd=folder, follow_symlinks=False).st_mode & 0o777
        no_symlinks.replace(folder, judged.real.name, text, mode)
    point("repair.changed")
    return True


def _text(path: Path) -> str:
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


def _locate_backups(data: Path) -> Path:
    return data / "backups" / "repairs"


def _locate_backup(data: Path, job_id: int) -> Path:
    return _locate_backups(data) / f"job{job_id}"
