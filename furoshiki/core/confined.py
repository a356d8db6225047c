"""Files in a folder that somebody may change meanwhile: the folders on the way are opened one by one and no link is
followed, so that what was judged is what is read or written."""

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from furoshiki.core.process.crash_points import point


@contextlib.contextmanager
def opened(home: Path, parts: Sequence[str], *, make: bool = False) -> Iterator[int]:
    """The folder at the end of these parts, no link followed; `make` those that are missing. Raises OSError."""
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


def replace(folder: int, name: str, text: str, mode: int = 0o600) -> None:
    """Put a text in place of a file in an opened folder, whole or not at all. Raises OSError."""
    draft = f".{name}.new"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(draft, dir_fd=folder)  # of a run that was killed
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
            out.write(text)
            out.flush()
            os.fchmod(handle, mode)
            os.fsync(handle)
        point("confined.before_rename")
        os.replace(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:  # broken off as well: no draft is left behind
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft, dir_fd=folder)
        raise
    os.fsync(folder)
