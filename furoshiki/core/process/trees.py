"""Folder trees: walking, copying and removing them, however deep they are nested.

A plugin can nest folders deeper than Python's recursion limit and the maximum length of a path.
Removal works by descriptors and moves inner folders up; walking and copying go as deep as paths do.
"""

import contextlib
import itertools
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

_OURS = stat.S_IRWXU
_AS_THEY_ARE = 0o777  # the mode bits that are copied: without set-user-id, set-group-id and sticky


def walk(top: Path) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Yield each folder with its subfolders and other names, like `os.walk`; a removed name is
    skipped. Links are not followed; unreadable folders and paths that are too long are skipped."""
    waiting = [top]
    while waiting:
        here = waiting.pop()
        folders: list[str] = []
        others: list[str] = []
        with contextlib.suppress(OSError), os.scandir(here) as entries:
            for entry in entries:
                (folders if entry.is_dir(follow_symlinks=False) else others).append(entry.name)
        yield here, folders, others
        waiting += [here / name for name in reversed(folders)]


def files(top: Path) -> list[Path]:
    """Return everything below a folder except folders, including links, sorted by path."""
    return sorted(here / name for here, _folders, names in walk(top) for name in names)


def copy(source: Path, target: Path, leave: Callable[[Path, list[str]], set[str]] | None = None) -> None:
    """Copy a folder into another, which may exist; links stay links.
    `leave(path, names)` returns the names to leave out. Raises OSError."""
    for here, folders, names in walk(source):
        out = set() if leave is None else leave(here, [*folders, *names])
        folders[:] = [name for name in folders if name not in out]
        there = target / here.relative_to(source)
        there.mkdir(parents=True, exist_ok=True)
        there.chmod(stat.S_IMODE(here.stat().st_mode) & _AS_THEY_ARE | _OURS)
        for name in names:
            if name not in out:
                shutil.copy2(here / name, there / name, follow_symlinks=False)
                if not (there / name).is_symlink():
                    (there / name).chmod(stat.S_IMODE((here / name).stat().st_mode) & _AS_THEY_ARE)


def remove(top: Path, *, ignore_errors: bool = False) -> None:
    """Remove a folder with its content. Raises OSError; `ignore_errors` skips failures instead."""
    with contextlib.suppress(*([OSError] if ignore_errors else [])):
        root = _open_folder(str(top), None)
        free = (f".going-{number}" for number in itertools.count())
        stuck: set[str] = set()
        try:
            while names := set(os.listdir(root)) - stuck:  # noqa: PTH208 - of an open folder
                for name in names:
                    try:
                        _remove(name, root, free)
                    except OSError:
                        if not ignore_errors:
                            raise
                        stuck.add(name)
        finally:
            os.close(root)
        top.rmdir()


def _remove(name: str, root: int, free: Iterator[str]) -> None:
    """Remove a file or a folder of `root`; the folders in it are moved to `root`."""
    if not _is_folder(name, root):
        os.unlink(name, dir_fd=root)
        return
    inner = _open_folder(name, root)
    try:
        _lift(inner, root, free)
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=root)


def _lift(inner: int, root: int, free: Iterator[str]) -> None:
    """Empty one folder: delete its files and move its folders to `root`, to be removed later."""
    for name in os.listdir(inner):
        if not _is_folder(name, inner):
            os.unlink(name, dir_fd=inner)
            continue
        _restore_access(name, inner)
        while True:
            beside = next(free)
            if not os.access(beside, os.F_OK, dir_fd=root, follow_symlinks=False):  # the name may be taken by a file
                os.rename(name, beside, src_dir_fd=inner, dst_dir_fd=root)
                break


def _is_folder(name: str, where: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=where, follow_symlinks=False).st_mode)


def _open_folder(name: str, where: int | None) -> int:
    """Open a folder, after restoring access to it. Never follows a link. Raises OSError."""
    how = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    if where is not None:
        _restore_access(name, where)
    return os.open(name, how, dir_fd=where)


def _restore_access(name: str, where: int) -> None:
    """Give the user full access to a folder."""
    mode = stat.S_IMODE(os.stat(name, dir_fd=where, follow_symlinks=False).st_mode)
    if mode & _OURS != _OURS:
        with contextlib.suppress(OSError):
            os.chmod(name, mode | _OURS, dir_fd=where)
