"""What the companion's knowledge of itself is made of, and a digest of it that says whether anything has changed.

The digest is asked for every hour by a script that mostly has nothing to do: it looks at sizes and times of files, at
names in the environment, at the tables there are. Nothing is read or imported for it but the standard library.
"""

import functools
import hashlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from furoshiki.core import paths
from furoshiki.core.database import kv
from furoshiki.extensions.plugins.store import enabled
from furoshiki.extensions.tool_servers import permissions
from furoshiki.mind.inner_life.store import design_docs

REALITY = "memory/design_architecture_reality.md"
"""What is generated from the real thing, in the data directory."""

INPUTS = "design.inputs"
"""Where the digest is kept that the documents were made from last."""

TOLD_OTHERWISE = frozenset({"docs/schedules.md"})
"""Pages that tell how things come: the generated document tells how they are, with what the owner changed."""

_SHIPPED = ("README.md", "schedules.json", "config", "docs", "furoshiki", "prompts", "scripts")
_OWN = (".env", "config", "memory/operator_settings.json", "memory/schedules.json")
_TOLD = (".py", ".md", ".j2", ".json", ".toml", ".env")
_NO_SOURCE = frozenset({"SELF.md", "SOUL.md", "BOUNDARIES.md"})
"""Files of the owner's config folder that say who the companion is, not how it works."""


def documents() -> list[str]:
    """The project's own documents by their place in the checkout, as far as they came along."""
    found = (paths.ROOT / "README.md", *sorted((paths.ROOT / "docs").rglob("*.md")))
    names = [path.relative_to(paths.ROOT).as_posix() for path in found if path.is_file()]
    return [name for name in names if name not in TOLD_OTHERWISE]


def stale(db: sqlite3.Connection, data: Path) -> bool:
    """Whether the documents of this data directory were made from something else than there is now."""
    return kv.get(db, INPUTS) != digest(db, data) or not (data / REALITY).is_file()


def digest(db: sqlite3.Connection, data: Path) -> str:
    """What stands for everything the documents are made from."""
    marks = [*_checkout(paths.ROOT), *_files(data, _OWN), *paths.settings_marks()]
    marks += [*design_docs.tables(db), str(kv.get(db, "memoryd.model"))]
    marks += [*enabled.since(db), str(kv.get(db, permissions.KEY))]
    return hashlib.sha256("\n".join(marks).encode("utf-8", "replace")).hexdigest()[:32]


@functools.cache
def _checkout(root: Path) -> tuple[str, ...]:
    """What came with the program, looked at once a process (9 ms): it runs what it was started from."""
    return tuple(_files(root, _SHIPPED))


def _files(folder: Path, names: tuple[str, ...]) -> Iterator[str]:
    """A mark of every file below these names: its place, its size, when it was changed."""
    for name in names:
        path = folder / name
        if path.is_dir():
            yield from sorted(_below(str(path), name))
        elif path.is_file():
            yield _mark(name, path.stat())


def _below(folder: str, name: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            here = f"{name}/{entry.name}"
            if entry.is_dir():
                if not entry.name.startswith((".", "__")):
                    yield from _below(entry.path, here)
            elif entry.name.endswith(_TOLD) and entry.name not in _NO_SOURCE:
                yield _mark(here, entry.stat())


def _mark(name: str, found: os.stat_result) -> str:
    return f"{name} {found.st_size} {found.st_mtime_ns}"
