"""Wait for a task that a person may stop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

LOOK_SECONDS = 0.1
"""Interval of the looks at whether it was stopped."""


async def finish_or_stop(
    task: asyncio.Future[Any], stopped: Callable[[], bool], *expected: type[BaseException]
) -> bool:
    """Return whether the task finished; if it was stopped before, it is cancelled.

    A cancelled task may raise one of the `expected` exceptions, which are ignored.
    """
    try:
        while not task.done():
            if stopped():
                return False
            await asyncio.wait({task}, timeout=LOOK_SECONDS)
        return True
    finally:
        if not task.done():
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, *expected):
                await task
