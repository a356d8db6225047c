"""Logs that grew too long, packed away in place.

The program packs its own logs; this is for what others write there (what a library prints, where a process stalled),
and for a program that does not get to it. A writer of our logs holds the file's lock shared for each line and
goes on writing to the same file, so it is emptied under the lock alone and never moved.
"""

import contextlib
import fcntl
import gzip
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from doctor_checks import files
from doctor_checks.findings import Finding, mended, well, wrong
from doctor_checks.look import Look

MOST_BYTES = 10_000_000
LONGEST = 200_000_000
"""A log beyond this is not packed but emptied to its end: packing it would take longer than a look may."""

KEPT = 5
TAIL = 1_000_000
"""Bytes that stay of such a log."""


def check(look: Look) -> Iterator[Finding]:
    """Pack away every log over 10 MB."""
    done, failed = [], []
    for path in sorted(look.place.logs.glob("*.log")):
        size = _size(path)
        if size <= MOST_BYTES:
            continue
        name = f"logs/{path.name} ({files.megabytes(size)})"
        try:
            if look.dry or pack(path):
                done.append(name)
        except OSError as error:
            failed.append(f"{name}: {error.strerror}")
    if done:
        yield mended("logs", f"{look.did('packed away', 'pack away')} {', '.join(done)}")
    if failed:
        yield wrong("logs.stuck", f"could not pack away {', '.join(failed)}", f"check who owns {look.place.logs}")
    if not (done or failed):
        yield well("logs", "no log is over 10 MB")


def make_room(look: Look) -> list[str]:
    """Let go of packed logs but the newest of each; what was done, in words."""
    old = [path for path in look.place.logs.glob("*.log.[1-9]*") if not path.name.endswith((".log.1.gz", ".log.1"))]
    size = sum(map(_size, old))
    if not old:
        return []
    if not look.dry:
        for path in old:
            with contextlib.suppress(OSError):
                path.unlink()
    return [f"{look.did('removed', 'remove')} {len(old)} packed logs ({files.megabytes(size)})"]


def pack(path: Path) -> bool:
    """Move what a log holds into `<name>.1.gz`, the oldest of five goes; False while somebody writes. Raises OSError.

    Cut off in between, lines are there twice, never not at all.
    """
    with path.open("rb+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        size = os.fstat(file.fileno()).st_size
        if size <= MOST_BYTES:  # somebody else was quicker
            return True
        draft = path.with_name(f".{path.name}.doctor")
        try:
            file.seek(0 if size <= LONGEST else size - TAIL)
            with (
                open(draft, "wb", opener=_private) as out,
                gzip.GzipFile(fileobj=out, mode="wb", compresslevel=3) as to,
            ):
                shutil.copyfileobj(file, to, 1 << 20)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        for number in range(KEPT - 1, 0, -1):
            with contextlib.suppress(FileNotFoundError):
                _packed(path, number).rename(_packed(path, number + 1))
        draft.rename(_packed(path, 1))
        os.ftruncate(file.fileno(), 0)
    return True


def _packed(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.{number}.gz")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
