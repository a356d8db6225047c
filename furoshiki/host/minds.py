"""The minds of all open homes in one thread and event loop: each handles a message at a time.

A home that is sent more than a person writes pauses between its turns while others talk: it would
use the processor that they share.
"""

import asyncio
import concurrent.futures
import contextlib
from asyncio import sleep
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from furoshiki.conversation.worker import Worker
from furoshiki.core.process import watchdog
from furoshiki.core.process.loop_thread import LoopThread
from furoshiki.host import home_logs

THREADS = 6  # database threads; each keeps a connection to each home it has queried


class Living:
    """A running mind. Call `stop`, then wait until `over` is done."""

    def __init__(self, minds: "Minds", worker: Worker, about: Path) -> None:
        self.worker = worker
        self._minds = minds
        self._about = about
        self._stop: asyncio.Event | None = None
        self._stopped = False
        self._pace = MessagePace(minds.loop.time())
        worker.on_turn = self._pause
        self.over: concurrent.futures.Future[None] = asyncio.run_coroutine_threadsafe(self._live(), minds.loop)

    def stop(self) -> None:
        """Ask the mind to save its work and end."""

        def stop() -> None:
            self._stopped = True
            if self._stop is not None:
                self._stop.set()

        with contextlib.suppress(RuntimeError):  # the loop is closed: it has ended
            self._minds.loop.call_soon_threadsafe(stop)

    async def _pause(self, messages: int) -> None:
        """Pause after a turn of this many messages, if it is too many and somebody else talks."""
        pause = self._pace.count(messages, self._minds.loop.time())
        if self._minds.others_talk(self) and pause:
            await sleep(pause)

    async def _live(self) -> None:
        self._stop = asyncio.Event()
        if self._stopped:
            self._stop.set()
        with home_logs.about(self._about, self.worker.world.settings.secrets()):
            await self.worker.run(self._stop)


class Minds:
    """The thread of the minds. A stall of `stalled_seconds` ends the process (it is restarted)."""

    def __init__(self, logs: Path, stalled_seconds: float) -> None:
        self._logs, self._stalled_seconds = logs, stalled_seconds
        self._talking: dict[Living, float] = {}
        """When each mind had its last turn, in the loop's time; only of those that talk now."""
        self._thread = LoopThread("minds", self._work)
        self.loop = self._thread.loop

    def live(self, worker: Worker) -> Living:
        """Run a worker until it is stopped."""
        return Living(self, worker, worker.world.settings.data)

    def others_talk(self, living: Living) -> bool:
        """Note a turn of this mind, and return whether another had one a moment ago."""
        now = self.loop.time()
        self._talking = {mind: at for mind, at in self._talking.items() if now - at < OTHERS_SECONDS}
        self._talking[living] = now
        return len(self._talking) > 1

    def close(self, seconds: float) -> None:
        """End the thread; every mind should have been stopped before."""
        self._thread.end(seconds)

    async def _work(self, ending: asyncio.Event) -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS, "home"))
        async with watchdog.watched(self._logs, self._stalled_seconds):
            await ending.wait()


AT_ONCE = 10.0
# Messages that a home may have answered at once, and in each second after that: more than a person
# writes. One costs about 20 ms of a core.
PER_SECOND = 8.0

OTHERS_SECONDS = 10.0  # how long after its last turn a home counts as talking


@dataclass
class MessagePace:
    """What one home may still have answered without a pause. Times are seconds of one clock."""

    at: float
    left: float = AT_ONCE

    def count(self, messages: int, now: float) -> float:
        """Count answered messages, and return for how many seconds the home should pause."""
        self.left = min(AT_ONCE, self.left + max(0.0, now - self.at) * PER_SECOND) - messages
        self.at = now
        return max(0.0, -self.left / PER_SECOND)
