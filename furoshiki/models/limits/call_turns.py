"""Turns of model calls when a host limits the number of simultaneous calls.

A call holds a lock file for the host, and one for its home if that has its own limit. The kernel
frees the locks when a process ends, so calls of the listener, of jobs and of a shell count
together. Within a process the waiting homes take turns; conversations have priority.
"""

import asyncio
import contextlib
import logging
import os
import weakref
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from furoshiki.core.atomic_files import hold
from furoshiki.core.errors import in_words
from furoshiki.core.paths import HOST

log = logging.getLogger(__name__)

FOLDER = Path("run") / "calls"

LOOK_SECONDS = 0.02
"""Seconds between checks whether another process has released a place."""

KEPT_SHARE = 4
"""One place in this many is reserved for conversations (at least one of two or more)."""


@dataclass(eq=False)
class _Waiter:
    """A waiting call, with the limits of its home and of all homes (0: no limit)."""

    home: str
    reply: bool
    of_home: int
    of_host: int
    got: asyncio.Future[list[int]]


class CallTurns:
    """The waiting calls of one event loop."""

    def __init__(self, host: Path) -> None:
        self._folder = host / FOLDER
        self._waiting: tuple[dict[str, deque[_Waiter]], dict[str, deque[_Waiter]]] = ({}, {})
        """Waiting calls by home, next home first: conversations, and all others."""
        self._released = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None

    async def take(self, home: str, *, reply: bool, of_home: int, of_host: int, patience_s: float) -> list[int]:
        """Wait for a place, to be released by `give_back`. Raises TimeoutError."""
        waiter = _Waiter(home, reply, of_home, of_host, asyncio.get_running_loop().create_future())
        queue = self._waiting[0 if reply else 1]
        queue.setdefault(home, deque()).append(waiter)
        try:
            self._serve()
            if self._looking is None and not waiter.got.done():
                self._looking = asyncio.create_task(self._look(), name="turns of model calls")
            async with asyncio.timeout(patience_s):
                return await asyncio.shield(waiter.got)
        except BaseException:
            if waiter.got.done():  # granted just as the wait was cancelled
                self.give_back(waiter.got.result())
            else:
                self._drop(queue, waiter)
            raise

    def give_back(self, place: list[int]) -> None:
        """Release a place for the next call."""
        for handle in place:
            os.close(handle)
        self._released.set()

    async def _look(self) -> None:
        """Serve waiting calls until there are none."""
        try:
            while any(self._waiting):
                self._released.clear()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_SECONDS):
                        await self._released.wait()
                try:
                    self._serve()
                except OSError as error:  # such as too many open files: keep waiting
                    log.warning("whose model call is next cannot be judged: %s", in_words(error))
                    await asyncio.sleep(LOOK_SECONDS)
        finally:
            self._looking = None

    def _serve(self) -> None:
        """Give free places to waiting calls, one for each home in turn."""
        for queue in self._waiting:
            while self._round(queue):
                pass

    def _round(self, queue: dict[str, deque[_Waiter]]) -> bool:
        """Serve one call of each waiting home while places are free; True if more may follow."""
        served = False
        for home in list(queue):
            waiter = queue[home][0]
            of_host = self._hold(HOST, waiter.of_host, waiter.reply)
            if of_host is None:
                return False
            of_home = None
            try:
                of_home = self._hold(home, waiter.of_home, waiter.reply)
            finally:
                if of_home is None:
                    for handle in of_host:
                        os.close(handle)
            if of_home is None:
                continue
            waiter.got.set_result(of_host + of_home)
            self._drop(queue, waiter)
            if home in queue:  # queue the home's next call behind all other homes
                queue[home] = queue.pop(home)
            served = True
        return served

    def _hold(self, whose: str, most: int, reply: bool) -> list[int] | None:
        """Lock one of `most` places (0: no limit, no lock). Returns None when all are taken."""
        tries = (hold(self._folder / f"{whose}-{number}") for number in order_places(most, reply=reply))
        handle = next((one for one in tries if one is not None), None)
        if not most:
            return []
        return None if handle is None else [handle]

    def _drop(self, queue: dict[str, deque[_Waiter]], waiter: _Waiter) -> None:
        waiting = queue.get(waiter.home)
        if waiting is not None and waiter in waiting:
            waiting.remove(waiter)
            if not waiting:
                del queue[waiter.home]


_OF_LOOPS: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Path, CallTurns]] = weakref.WeakKeyDictionary()


def of_host(host: Path) -> CallTurns:
    """Return the turns of a host in the running event loop."""
    made = _OF_LOOPS.setdefault(asyncio.get_running_loop(), {})
    if host not in made:
        made[host] = CallTurns(host)
    return made[host]


def order_places(most: int, *, reply: bool) -> range:
    """Return the places that a call may take, in order of preference: replies to a user begin with
    the reserved ones."""
    if reply:
        return range(most - 1, -1, -1)
    kept = max(1, most // KEPT_SHARE) if most > 1 else 0
    return range(most - kept)
