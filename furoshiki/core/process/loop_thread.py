"""A thread with an event loop of its own, so that its work and its creator's never wait for each other."""

import asyncio
import concurrent.futures
import contextlib
import threading
from collections.abc import Callable, Coroutine
from typing import Any


class LoopThread:
    """Runs `work` in a thread of its own; `over` is done when it has ended, with its error if it failed.

    `work` gets an event that is set when it should end.
    """

    def __init__(self, name: str, work: Callable[[asyncio.Event], Coroutine[Any, Any, None]]) -> None:
        self.over: concurrent.futures.Future[None] = concurrent.futures.Future()
        self.over.set_running_or_notify_cancel()
        self._work = work
        self.loop = asyncio.new_event_loop()
        self._ending = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def end(self, seconds: float) -> None:
        """Ask the work to end, and wait for it, at most so many seconds."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: it has ended by itself
            self.loop.call_soon_threadsafe(self._ending.set)
        self._thread.join(seconds)

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
                runner.run(self._work(self._ending))
        except BaseException as error:  # the edge of the thread: it is raised where `over` is awaited
            self.over.set_exception(error)
        else:
            self.over.set_result(None)
