"""Ends a process whose mind makes no progress, so that it is started again without what held it.

Nothing written in Python can stop a pattern that runs away: it holds the interpreter, in whatever thread it runs. A
timer of the C library needs no interpreter. It is wound up again and again by the loop that answers; when that has
stood still for too long, the timer writes down where every thread was and ends the process. The message in hand is
still marked as being answered, so the next start counts the attempt, and sets it aside after the third.
"""

import asyncio
import faulthandler
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

FILE = "stalled.log"
"""Beside the other logs: where every thread stood when a process was ended."""

LONGEST_FILE = 1_000_000
"""Bytes after which the file is started again from empty."""

WINDINGS = 6
"""How often the timer is wound up in the time it runs."""


@asynccontextmanager
async def watched(logs: Path, seconds: float) -> AsyncIterator[None]:
    """While this lasts, a loop that stands still for so many seconds ends its process with status 1. One at a time."""
    logs.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = logs / FILE
    if path.exists() and path.stat().st_size > LONGEST_FILE:
        path.unlink()
    with path.open("a", encoding="utf-8") as file:
        path.chmod(0o600)
        winding = asyncio.create_task(_wind(file.fileno(), seconds))
        try:
            yield
        finally:
            winding.cancel()
            await asyncio.wait({winding})
            faulthandler.cancel_dump_traceback_later()


async def _wind(file: int, seconds: float) -> None:
    while True:
        faulthandler.dump_traceback_later(seconds, exit=True, file=file)
        await asyncio.sleep(seconds / WINDINGS)
