"""One listener per bot: a file lock that the kernel frees when its holder dies."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from furoshiki.core.errors import AlreadyRunning


@contextlib.contextmanager
def only_listener(run: Path, bot_id: int) -> Iterator[None]:
    """Hold the lock of a bot in the directory `run`. Raises AlreadyRunning when another process holds it."""
    run.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(run / f"telegram-{bot_id}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(handle, 32, 0).decode("ascii", "replace").strip()
            who = f"process {holder}" if holder.isdigit() else "another process"
            raise AlreadyRunning(f"{who} already listens for this bot: stop it first, or let it work") from None
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(handle)
