"""Runs everything in one thread, so that equal seeds give equal runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


class Inline(ThreadPoolExecutor):
    """An executor that runs calls at once in the calling thread: no scheduling, no thread cost."""

    def __init__(self) -> None:
        super().__init__(max_workers=1)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run the call and return its finished future."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:  # the caller gets it, as from a thread
            future.set_exception(error)
        return future


class OneLoop:
    """One event loop for a whole simulation. `wait` runs an awaitable and returns its result."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._loop.set_default_executor(Inline())

    def wait(self, work: Awaitable[T]) -> T:
        """Return the result of `work`."""
        return self._loop.run_until_complete(work)

    def close(self) -> None:
        """Cancel what still runs, and close the loop."""
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        if left:
            self._loop.run_until_complete(asyncio.wait(left))
        self._loop.close()
