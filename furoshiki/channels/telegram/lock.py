"""One listener per bot: a file lock that the kernel releases when its holder dies."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from furoshiki.core.atomic_files import hold
from furoshiki.core.errors import AlreadyRunning


@contextlib.contextmanager
def only_listener(run: Path, bot_id: int) -> Iterator[None]:
    """Hold the lock of a bot in the folder `run`. Raises AlreadyRunning."""
    path = run / f"telegram-{bot_id}.lock"
    handle = hold(path)
    if handle is None:
        holder = path.read_text(encoding="ascii", errors="replace")[:32].strip()
        who = f"process {holder}" if holder.isdigit() else "another process"
        raise AlreadyRunning(f"{who} already listens for this bot: stop it first, or let it work")
    try:
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(handle)
