"""File access that follows no symbolic link, for folders that another process may change: each
folder of a path is opened in turn, so that the checked file is the file read or written."""

import contextlib
import os
from collections.abc import Iterator, Sequence
from io import BufferedReader
from pathlib import Path

from furoshiki.core.process.crash_points import point


@contextlib.contextmanager
def opened(home: Path, parts: Sequence[str], *, make: bool = False) -> Iterator[int]:
    """Open the folder of these parts; `make` creates it. Raises OSError, also for links."""
    with contextlib.ExitStack() as stack:
        folder = os.open(home, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        stack.callback(os.close, folder)
        for part in parts:
            if make:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, 0o700, dir_fd=folder)
            folder = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
            stack.callback(os.close, folder)
        yield folder


def open_file(name: str | Path, folder: int | None = None) -> BufferedReader:
    """Open a file for reading, in an opened folder if given. A link is refused; a pipe or device is
    opened without waiting, so look what it is before reading. Raises OSError."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    return os.fdopen(os.open(name, flags, dir_fd=folder), "rb")


def replace(folder: int, name: str, text: str, mode: int = 0o600) -> None:
    """Replace a file in an opened folder with `text` atomically. Raises OSError."""
    draft = f".{name}.new"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(draft, dir_fd=folder)  # left by a killed run
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
            out.write(text)
            out.flush()
            os.fchmod(handle, mode)
            os.fsync(handle)
        point("confined.before_rename")
        os.replace(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:  # also on cancellation: leave no draft behind
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft, dir_fd=folder)
        raise
    os.fsync(folder)
