"""Watchdog: ends a process whose event loop makes no progress, so that it is restarted.

Python code cannot stop a runaway regular expression, which holds the GIL in any thread; a timer of
the C library can. The event loop resets it regularly; when the loop stalls for too long, the timer
writes all thread stacks to a file and ends the process. The message in progress keeps its mark, so
that the next start counts the attempt and sets it aside after the third.
"""

import asyncio
import faulthandler
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

FILE = "stalled.log"  # the file in logs/ with the stacks of all threads of an ended process
LONGEST_FILE = 1_000_000  # a larger file, in bytes, is restarted empty
WINDINGS = 6  # number of resets during the timer's period


@asynccontextmanager
async def watched(logs: Path, seconds: float) -> AsyncIterator[None]:
    """End the process with status 1 if the event loop stalls for `seconds`. Not nestable."""
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
