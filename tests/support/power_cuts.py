"""What a power cut may leave of files: every state of the disk that was possible at any moment of some work.

The rules are those of POSIX, harsher than a usual file system: what was written is on the disk for certain after the
fsync of its file, a name after the fsync of its folder; before that any part of it may be, in any order.

    with power_cuts.recorded(folder) as record:
        write_text(path, "new")
        record.acknowledge()
    for found in record.states(random.Random(1)):
        found.lay_out(empty_folder)
"""

from __future__ import annotations

import contextlib
import os
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

ORDERS = 4
"""So many orders in which changed names may have reached the disk are tried at each moment, beside the usual one."""

SHARES = (0.0, 0.5, 1.0)
"""How much of what was written to a file since its last fsync is found."""


@dataclass(frozen=True)
class Found:
    """The files somebody finds who switches the machine on again, and how often the work had said until then that
    what it did is safe."""

    files: Mapping[str, bytes]
    acknowledged: int

    def lay_out(self, folder: Path) -> None:
        """Make them in a folder."""
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


@dataclass(frozen=True)
class _Change:
    """`inode` is to be found at `name` from now on, or nothing is; a rename takes it away from `source`."""

    name: str
    inode: int | None
    source: str | None = None


@dataclass(frozen=True)
class _Disk:
    """What is on the disk for certain (files by name, contents by inode), and what is on its way there."""

    names: Mapping[str, int] = field(default_factory=dict)
    contents: Mapping[int, bytes] = field(default_factory=dict)
    changes: tuple[_Change, ...] = ()
    written: Mapping[int, bytes] = field(default_factory=dict)
    acknowledged: int = 0


class Record:
    """What some work did to a folder."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._names, contents = self._look()
        self._disk = _Disk(dict(self._names), contents)
        self._moments = [self._disk]

    def acknowledge(self) -> None:
        """What was done so far is safe, the work says."""
        self.step()
        self._to(replace(self._disk, acknowledged=self._disk.acknowledged + 1))

    def step(self) -> None:
        """Note what was written, made and removed since the last time."""
        names, contents = self._look()
        disk = self._disk
        written = dict(disk.written)  # also of files that are gone: their removal may not have reached the disk
        for inode, content in contents.items():
            if inode in written or content != disk.contents.get(inode):
                written[inode] = content
        changed = sorted(name for name in {*names, *self._names} if names.get(name) != self._names.get(name))
        self._names = names
        changes = (*disk.changes, *(_Change(name, names.get(name)) for name in changed))
        self._to(replace(disk, changes=changes, written=written))

    def rename(self, source: Path, target: Path) -> None:
        """A file gets another name, at once."""
        old, new = (str(path.relative_to(self._root)) for path in (source, target))
        inode = self._names.pop(old)
        self._names[new] = inode
        self._to(replace(self._disk, changes=(*self._disk.changes, _Change(new, inode, old))))

    def synchronise(self, path: Path) -> None:
        """A file's content, or the names in a folder, are on the disk from now on."""
        disk, inode = self._disk, path.stat().st_ino
        if path.is_dir():
            names, left = dict(disk.names), []
            for change in disk.changes:
                if (self._root / change.name).parent == path:
                    _apply(names, change)
                else:
                    left.append(change)
            self._to(replace(disk, names=names, changes=tuple(left)))
        elif inode in disk.written:
            rest = {one: content for one, content in disk.written.items() if one != inode}
            self._to(replace(disk, contents={**disk.contents, inode: disk.written[inode]}, written=rest))

    def states(self, dice: random.Random) -> list[Found]:
        """Everything different that may be found after a cut at any of its moments."""
        found: dict[tuple[object, ...], Found] = {}
        for disk in self._moments:
            for names in _outcomes(disk, dice):
                for share in SHARES:
                    files = {name: _content(disk, inode, share) for name, inode in names.items()}
                    found.setdefault((*sorted(files.items()), disk.acknowledged), Found(files, disk.acknowledged))
        return list(found.values())

    def _look(self) -> tuple[dict[str, int], dict[int, bytes]]:
        names, contents = {}, {}
        for path in self._root.rglob("*"):
            if path.is_file():
                inode = path.stat().st_ino
                names[str(path.relative_to(self._root))] = inode
                contents[inode] = path.read_bytes()
        return names, contents

    def _to(self, disk: _Disk) -> None:
        self._disk = disk
        self._moments.append(disk)


@contextlib.contextmanager
def recorded(root: Path) -> Iterator[Record]:
    """Record what Python does below a folder meanwhile: what it writes, renames and synchronises."""
    record = Record(root)
    fsync, rename, unlink = os.fsync, Path.rename, Path.unlink

    def synced(handle: int) -> None:
        path = Path(f"/proc/self/fd/{handle}").readlink()
        fsync(handle)
        if path.is_relative_to(root):
            record.step()
            record.synchronise(path)

    def renamed(self: Path, target: Any) -> Any:
        record.step()
        done = rename(self, target)
        record.rename(self, Path(target))
        return done

    def unlinked(self: Path, missing_ok: bool = False) -> None:
        record.step()
        unlink(self, missing_ok)
        record.step()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", synced)
        patch.setattr(Path, "rename", renamed)
        patch.setattr(Path, "replace", renamed)
        patch.setattr(Path, "unlink", unlinked)
        yield record
        record.step()


def _apply(names: dict[str, int], change: _Change) -> None:
    if change.source is not None:
        names.pop(change.source, None)
    if change.inode is None:
        names.pop(change.name, None)
    else:
        names[change.name] = change.inode


def _outcomes(disk: _Disk, dice: random.Random) -> Iterator[dict[str, int]]:
    """The names that may be found: as many changes as had reached the disk in their order, and some in no order."""
    chosen = [disk.changes[:number] for number in range(len(disk.changes) + 1)]
    if len(disk.changes) > 1:
        chosen += [tuple(one for one in disk.changes if dice.random() < 0.5) for _ in range(ORDERS)]
    for changes in chosen:
        names = dict(disk.names)
        for change in changes:
            _apply(names, change)
        yield names


def _content(disk: _Disk, inode: int, share: float) -> bytes:
    """What is in a file: what is there for certain, or so much of what was to come in its place."""
    if inode not in disk.written:
        return disk.contents[inode]
    if share == 0.0:
        return disk.contents.get(inode, b"")
    new = disk.written[inode]
    return new[: round(len(new) * share)]
