"""Logs that grew too long are packed in place.

The program packs its own logs; this is for other writers (libraries' output, stall reports), and
for a program that fails to. Writers hold the file's lock shared for each line and keep writing to
the same file, so it is emptied under the lock and never moved.
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
# larger logs are not packed but cut to their end: packing would take too long
LONGEST = 200_000_000

KEPT = 5
TAIL = 1_000_000  # bytes that stay of such a log


def check(look: Look) -> Iterator[Finding]:
    """Pack every log over 10 MB."""
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
    """Delete packed logs but the newest of each; say what was done."""
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
    """Move a log's content into `<name>.1.gz` and delete the oldest of five; False while a process
    writes. Raises OSError.

    If interrupted, lines may be duplicated, but none is lost.
    """
    with path.open("rb+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        size = os.fstat(file.fileno()).st_size
        if size <= MOST_BYTES:  # another process was quicker
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
