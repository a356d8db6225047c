"""The sources of the companion's self-knowledge, and a digest that shows whether they changed.

An hourly script computes the digest and mostly has nothing to do. It therefore uses only file sizes
and times, environment names and tables, and imports only the standard library.
"""

import functools
import hashlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from furoshiki.core import paths
from furoshiki.core.database import kv
from furoshiki.extensions.plugins.store import plugins
from furoshiki.extensions.tool_servers import permissions
from furoshiki.mind.inner_life.store import design_docs

# the document generated from the running system, inside the data directory
REALITY = "memory/design_architecture_reality.md"

INPUTS = "design.inputs"  # the `kv` key of the digest of the last indexed sources

# a page about shipped defaults, as the generated document shows the values in force; and talks of
# invented people, which say nothing about this companion or its owner
LEFT_OUT = frozenset({"docs/schedules.md", "docs/evening.md", "docs/first-evening.md", "docs/first-setup.md"})

_SHIPPED = ("README.md", "schedules.json", "config", "docs", "furoshiki", "prompts", "scripts")
_OWN = (".env", "config", "memory/operator_settings.json", "memory/schedules.json")
_TOLD = (".py", ".md", ".j2", ".json", ".toml", ".env")
# files in the owner's config folder about the companion's identity rather than its function
_NO_SOURCE = frozenset({"SELF.md", "SOUL.md", "BOUNDARIES.md"})


def documents() -> list[str]:
    """Return the paths of the shipped documents, relative to the checkout."""
    found = (paths.ROOT / "README.md", *sorted((paths.ROOT / "docs").rglob("*.md")))
    names = [path.relative_to(paths.ROOT).as_posix() for path in found if path.is_file()]
    return [name for name in names if name not in LEFT_OUT]


def stale(db: sqlite3.Connection, data: Path) -> bool:
    """Return whether the indexed documents differ from the current sources."""
    return kv.get(db, INPUTS) != digest(db, data) or not (data / REALITY).is_file()


def digest(db: sqlite3.Connection, data: Path) -> str:
    """Return a digest of all sources of the documents."""
    marks = [*_checkout(paths.ROOT), *_files(data, _OWN), *paths.settings_marks()]
    marks += [*design_docs.tables(db), str(kv.get(db, "memoryd.model"))]
    marks += [*plugins.since(db), str(kv.get(db, permissions.KEY))]
    return hashlib.sha256("\n".join(marks).encode("utf-8", "replace")).hexdigest()[:32]


@functools.cache
def _checkout(root: Path) -> tuple[str, ...]:
    """Return marks of the shipped files, cached per process (9 ms), as running code is fixed."""
    return tuple(_files(root, _SHIPPED))


def _files(folder: Path, names: tuple[str, ...]) -> Iterator[str]:
    """Yield a mark (path, size, modification time) for every file below these names."""
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
