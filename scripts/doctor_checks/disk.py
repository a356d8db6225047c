"""Disk space: a ballast file for emergencies, and deletions when space is short.

On a full disk even deleting rows and sending alerts need space: the ballast is deleted first.
"""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from doctor_checks import backups, files, logs
from doctor_checks.findings import Finding, mended, well, wrong
from doctor_checks.look import Look

MIB = 1024 * 1024
LEAST_FREE = 500_000_000  # free bytes below which space is short

LEAST_SHARE = 0.05
FULL = 48 * MIB  # free bytes below which the ballast is deleted

BALLAST = 32 * MIB
BLOCK = 512  # bytes per block in `stat`
ROOM_FOR_BALLAST = 1_000_000_000  # free bytes above which the ballast is created (again)

Usage = Callable[[Path], tuple[int, int]]


def usage(path: Path) -> tuple[int, int]:
    """Return a disk's total and free bytes. Raises OSError."""
    found = shutil.disk_usage(path)
    return found.total, found.free


def check(look: Look, measure: Usage = usage) -> Iterator[Finding]:
    """Check the space for the database and for everything else."""
    seen: set[int] = set()
    for folder in (look.place.data, look.place.database.parent):
        with contextlib.suppress(OSError):
            device = folder.stat().st_dev
            if device not in seen:
                seen.add(device)
                yield from _disk(look, folder, measure)
    if not seen:
        yield well("disk", f"{look.place.data} is not there yet")


def _disk(look: Look, folder: Path, measure: Usage) -> Iterator[Finding]:
    total, free = measure(folder)
    ballast = look.place.run / "ballast"
    done: list[str] = []
    if free < FULL and ballast.exists():
        if not look.dry:
            ballast.unlink(missing_ok=True)
        done.append(look.did("let go of the ballast", "let go of the ballast") + f" ({files.megabytes(BALLAST)})")
    short = free < LEAST_FREE or free < total * LEAST_SHARE
    if not short:
        if free > ROOM_FOR_BALLAST and not look.dry and look.place.keeps_ballast and not _whole(ballast):
            fill(ballast)
        yield well("disk", f"{files.megabytes(free)} of the disk are free")
        return
    done += [*logs.make_room(look), *backups.make_room(look)]
    words = f"only {files.megabytes(free)} ({free / max(1, total):.1%}) of the disk of {folder} were free"
    if done:
        _, free = measure(folder)
        yield mended("disk.room", f"{'; '.join(done)}: {files.megabytes(free)} are free now")
    fix = f"make room: `du -xh {folder} | sort -h | tail` says what is large"
    yield wrong("disk", words, fix)


def _whole(ballast: Path) -> bool:
    try:
        return ballast.stat().st_size == BALLAST
    except OSError:
        return False


def fill(ballast: Path) -> None:
    """Reserve the ballast without writing, where the file system really reserves; else write
    incompressible bytes. Failures are left for the next run."""
    draft = ballast.with_name(f".ballast.{os.getpid()}")
    try:
        ballast.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(draft, "wb", opener=_private) as file:
            if not _is_reserved(file.fileno()):
                for _ in range(BALLAST // MIB):
                    file.write(os.urandom(MIB))
        draft.rename(ballast)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink()


def _is_reserved(file: int) -> bool:
    """Return whether the file system reserves the space without writing."""
    with contextlib.suppress(OSError):
        os.posix_fallocate(file, 0, BALLAST)
        return os.fstat(file).st_blocks * BLOCK >= BALLAST
    return False


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
