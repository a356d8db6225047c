"""A sign that a process lives: a file with its number, touched every minute by the loop that does the work.

The doctor reads it. A process that ends as it should takes its sign away, so one that is left says that it did not.
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
    """While this lasts there is a sign at `path`; call what is returned often, it is renewed when that is due.

    The caller holds the lock that says there is one such process. A disk that takes no sign stops nobody.
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
    """Show it from within an event loop, until cancelled."""
    import asyncio  # 6 MB with what it loads, of a process that has no such loop

    with shown(path) as beat:
        while True:
            beat()
            await asyncio.sleep(EVERY_SECONDS)


def _renew(path: Path) -> None:
    if path.exists():
        os.utime(path)  # takes no space, so a full disk takes it, too
    else:
        path.write_text(f"{os.getpid()}\n", encoding="ascii")
        path.chmod(0o600)
