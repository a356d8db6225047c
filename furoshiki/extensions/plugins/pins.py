"""Hashes ("pins") of a plugin's files at the owner's approval, and their verification.

All files are pinned except those in data/, which the plugin may write. No links are followed.
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from furoshiki.core import no_symlinks
from furoshiki.extensions.plugins.store import plugins
from furoshiki.world import World

OWN = "data"  # the only folder that a plugin may write; it is not pinned

_CACHE = "__pycache__/"
_NO_FILE = "no file"


def hash_files(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of a plugin by relative path. Raises OSError.

    Links, pipes and the like are listed with an impossible hash.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        return dict(_hashes(handle))
    finally:
        os.close(handle)


def differ(folder: Path, pins: Mapping[str, str]) -> list[str]:
    """Return how a folder's files differ from the pinned ones, in words; empty if equal."""
    try:
        there = hash_files(folder)
    except OSError as error:
        return [f"its folder cannot be read ({error.strerror})"]
    changed = [f"{name} was changed" for name, pin in pins.items() if name in there and there[name] != pin]
    gone = [f"{name} is gone" for name in pins if name not in there]
    new = {_new(name) for name in there if name not in pins}
    return sorted([*changed, *gone, *new])


def _new(name: str) -> str:
    """Describe a new file. Python would run a new __pycache__ instead of the source next to it."""
    above, found, _file = name.rpartition(_CACHE)
    return f"{above}{found.rstrip('/')} is new (remove {above}{found.rstrip('/')})" if found else f"{name} is new"


def _hashes(folder: int) -> Iterator[tuple[str, str]]:
    def refused(error: OSError) -> None:
        raise error

    for where, folders, files, here in os.fwalk(".", dir_fd=folder, onerror=refused):
        prefix = where.removeprefix(".").removeprefix("/")
        prefix = f"{prefix}/" if prefix else ""
        links = [name for name in folders if stat.S_ISLNK(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode)]
        yield from ((prefix + name, _NO_FILE) for name in links)
        folders[:] = sorted(name for name in folders if name not in links and (prefix or name != OWN))
        for name in files:
            yield prefix + name, _hash(name, here)


def _hash(name: str, folder: int) -> str:
    try:
        file = no_symlinks.open_file(name, folder)
    except OSError:
        if stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise
        return _NO_FILE
    with file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return _NO_FILE
        return hashlib.file_digest(file, "sha256").hexdigest()


# -- pins renewed after a repair of one file, the only change without its owner --


def is_as_allowed(world: World, name: str, file: str, text: str) -> bool:
    """Return whether a file's text is the approved one, or the plugin was never installed."""
    with world.database.read() as db:
        row = plugins.read_all(db).get(name)
    return row is None or row.pins.get(file) == _pin(text)


def renew(world: World, name: str, file: str, before: str, after: str) -> None:
    """Pin `after` instead of `before` for a file, if `before` is pinned.
    A plugin that was enabled, or disabled only for failures, is enabled."""
    with world.database.write() as db:
        row = plugins.read_all(db).get(name)
        if row is not None and row.pins.get(file) in (_pin(before), _pin(after)):
            plugins.repin(db, row, {**row.pins, file: _pin(after)}, world.now)


def _pin(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
