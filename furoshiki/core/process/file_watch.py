"""Notification (inotify) when any process writes to a file of a folder, without polling."""

import asyncio
import contextlib
import ctypes
import os
from collections.abc import Iterator
from pathlib import Path

_MODIFIED = 2
_EVENTS_BYTES = 65536


@contextlib.contextmanager
def hung(folder: Path) -> Iterator[asyncio.Event | None]:
    """Yield an event that is set on every write to a file of the folder; the waiter clears it.
    Yields None when inotify is missing or at its limit. Needs a running event loop."""
    libc, loop, rung = ctypes.CDLL(None), asyncio.get_running_loop(), asyncio.Event()
    bell = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC) if hasattr(libc, "inotify_init1") else -1
    if bell < 0:
        yield None
        return

    def ring() -> None:
        os.read(bell, _EVENTS_BYTES)
        rung.set()

    try:
        heard = libc.inotify_add_watch(bell, os.fsencode(folder), _MODIFIED) >= 0
        loop.add_reader(bell, ring)
        yield rung if heard else None
    finally:
        loop.remove_reader(bell)
        os.close(bell)
