"""Everything in one thread, so that the same seed gives the same run, message by message."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


class Inline(ThreadPoolExecutor):
    """What is handed to a thread is done at once, here: no order of threads decides anything, no thread is paid for."""

    def __init__(self) -> None:
        super().__init__(max_workers=1)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """The result of the call, which has been made when this returns."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:  # the caller gets it, as from a thread
            future.set_exception(error)
        return future


class OneLoop:
    """One event loop for a whole simulation. `wait` runs an awaitable to its end and returns what it gives."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._loop.set_default_executor(Inline())

    def wait(self, work: Awaitable[T]) -> T:
        """The result of `work`."""
        return self._loop.run_until_complete(work)

    def close(self) -> None:
        """Break off what is still going on, and give the loop back."""
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        if left:
            self._loop.run_until_complete(asyncio.wait(left))
        self._loop.close()
