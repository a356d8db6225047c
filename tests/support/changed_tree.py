"""A copy of the program that a test changes as somebody would who adds something to it."""

from __future__ import annotations

import shutil
from pathlib import Path

from furoshiki.core.paths import ROOT

PROGRAM = ("furoshiki", "config", "prompts", "plugins", "scripts", "schedules.json", "pyproject.toml")
"""What the program is made of."""


class ChangedTree:
    """A copy at `root`. `changed` are the files that were written, each with what it held before."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.changed: dict[str, str | None] = {}
        for name in PROGRAM:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
            copy(ROOT / name, root / name)

    def write(self, path: str, text: str) -> None:
        """Make a file, or put other words into it."""
        file = self.root / path
        self.changed.setdefault(path, file.read_text("utf-8") if file.exists() else None)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def insert(self, path: str, before: str, text: str) -> None:
        """Put lines before the only place where `before` stands."""
        first, found, rest = (self.root / path).read_text("utf-8").partition(before)
        assert found and before not in rest, f"{before!r} stands not once in {path}"
        self.write(path, f"{first}{text}{before}{rest}")

    def restore(self) -> None:
        """Take all changes back."""
        for path, text in self.changed.items():
            if text is None:
                (self.root / path).unlink()
            else:
                (self.root / path).write_text(text, "utf-8")
        self.changed = {}
