"""A file with a process's id, touched every minute by its main loop, as a sign of life.

The doctor reads it. A process that ends normally deletes its file; a remaining one reveals a crash.
"""

import contextlib
import logging
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

EVERY_SECONDS = 60.0

log = logging.getLogger(__name__)


@contextlib.contextmanager
def shown(path: Path) -> Iterator[Callable[[], None]]:
    """Keep the file at `path` in this block; call the yielded function often, it touches when due.

    The caller holds the lock that makes the process unique. Errors of the disk are ignored.
    """
    due = float("-inf")

    def beat() -> None:
        nonlocal due
        if time.monotonic() >= due:
            due = time.monotonic() + EVERY_SECONDS
            with contextlib.suppress(OSError):
                _renew(path)

    with contextlib.suppress(OSError):
        if path.exists():
            log.warning("the %s before this one ended without being stopped", path.stem)
        path.unlink(missing_ok=True)
    beat()
    try:
        yield beat
    finally:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


async def show(path: Path) -> None:
    """Keep the file at `path` from an event loop, until cancelled."""
    import asyncio  # takes 6 MB, which processes without an event loop save

    with shown(path) as beat:
        while True:
            beat()
            await asyncio.sleep(EVERY_SECONDS)


def _renew(path: Path) -> None:
    if path.exists():
        os.utime(path)  # needs no space, so it also works on a full disk
    else:
        path.write_text(f"{os.getpid()}\n", encoding="ascii")
        path.chmod(0o600)
