"""One person at one terminal: says a line, watches the answer grow, gets it whole. The mind may live elsewhere.

The worker runs in a thread of its own and waits for the lock of the mind. While a listener runs, it has the lock and
this process only posts and watches; when it stops, the console becomes the mind within a quarter of a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
import uuid
from collections.abc import Callable
from datetime import datetime

from furoshiki.channels.console import NAME, mailbox
from furoshiki.channels.local.live_reply import FileBoard, MemoryBoard
from furoshiki.channels.local.mailbox import HELLO, Answer, Mailbox
from furoshiki.conversation.worker import Worker
from furoshiki.core import refs
from furoshiki.core.catalogue import later, say
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.process import watchdog
from furoshiki.messages.values import Outgoing
from furoshiki.world import World

LOOK_SECONDS = 0.02
HINDERED_SECONDS = 3.0
"""How long a mind of this process may be unable to use its database before the person who waits is told so."""

KEPT = later("What you said is kept, and is answered when that is mended.")
NOT_KEPT = later("What you said was not kept: say it again then.")
STOP_SECONDS = 4.0
"""How long the worker may take to put down what it holds."""


class CannotAnswer(StorageUnavailable):
    """Nothing can be answered at the moment: the message names the cause, the fix, and what became of the words."""


class Talk:
    """A conversation over the boxes. Use it as a context manager; its methods belong to one thread."""

    def __init__(self, world: World, here: MemoryBoard, *, lasting: bool = True) -> None:
        """One that is `lasting` counts as a start of the companion; to ask one thing does not."""
        self.world = world
        self.late: list[str] = []
        self._boxes = Mailbox(world.database, NAME, world.withheld)
        self._here = here
        self._there = FileBoard(world.settings.data / "run")
        self._worker = Worker(world, lasting=lasting)
        self._broke: BaseException | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._mind, name="mind", daemon=True)

    def __enter__(self) -> Talk:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_exception: object) -> None:
        if self._loop is not None and self._stop is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: what broke the worker has been told
                self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(STOP_SECONDS)

    def say(self, text: str) -> int:
        """Post a line; returns the envelope to wait for. Raises Hindered when it could not be kept."""
        try:
            return self._wake_worker(self._boxes.say(text, self._make_name(), self.now))
        except StorageUnavailable as error:
            raise CannotAnswer(f"{error}. {say(NOT_KEPT)}") from error

    def press(self, data: str) -> int:
        """Post the press of a button."""
        return self._wake_worker(self._boxes.press(data, self._make_name(), self.now))

    def hello(self) -> int | None:
        """Ask for the first words of a companion nobody has met yet; None when we have met."""
        self._here.own.add(HELLO)
        envelope_id = self._boxes.hello(self.now)
        return None if envelope_id is None else self._wake_worker(envelope_id)

    def wait(self, envelope_id: int, on_text: Callable[[str], None], seconds: float) -> Answer | None:
        """The answer when it is there, marked as printed; None when the time is over: it will come as a late one.

        `on_text` is told the whole text so far while it grows ("" when thinking has begun). Raises what broke the
        worker of this process, and Hindered when it cannot use its database.
        """
        until, hindered_at = time.monotonic() + seconds, None
        seen: tuple[int | None, str | None] = (None, None)
        while time.monotonic() < until:
            version, text = self.world.database.version(), self._read_partial(envelope_id)
            if text is not None and text != seen[1]:
                on_text(text)
            if version != seen[0] and (found := self._boxes.answer(envelope_id)) is not None:
                mailbox.mark_printed(self.world.database, found.parts, self.now)
                return found
            seen = (version, text)
            if self._broke is not None:
                raise self._broke
            why, now = self._worker.waits_for, time.monotonic()
            hindered_at = None if why is None else hindered_at or now
            if hindered_at is not None and now - hindered_at > HINDERED_SECONDS:
                self.late.append(refs.name("inbox", envelope_id))
                raise CannotAnswer(f"{why}. {say(KEPT)}")
            time.sleep(LOOK_SECONDS)
        self.late.append(refs.name("inbox", envelope_id))
        return None

    def stop(self, envelope_id: int) -> None:
        """End this answer here: what was said so far is the answer."""
        self._here.stop(envelope_id)
        self._there.stop(envelope_id)

    def unprompted(self) -> list[Outgoing]:
        """Reminders and late replies that wait for this console, marked as printed."""
        parts = mailbox.list_unprompted(self.world.database, self.now, self.late)
        mailbox.mark_printed(self.world.database, parts, self.now)
        return parts

    @property
    def now(self) -> datetime:
        """This moment."""
        return self.world.now

    def _make_name(self) -> str:
        """A name for a new envelope, known to be ours before any worker can see it."""
        name = uuid.uuid4().hex
        self._here.own.add(name)
        return name

    def _wake_worker(self, envelope_id: int) -> int:
        self._worker.wake()
        return envelope_id

    def _read_partial(self, envelope_id: int) -> str | None:
        text = self._here.text(envelope_id)
        return self._there.text(envelope_id) if text is None else text

    def _mind(self) -> None:
        try:
            asyncio.run(self._work())
        except BaseException as error:  # the edge of the thread: the one who waits for an answer is told what broke it
            self._broke = error
        finally:
            self._ready.set()

    async def _work(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._ready.set()
        settings = self.world.settings
        async with watchdog.watched(settings.data / "logs", settings.furoshiki_stalled_seconds):
            await self._worker.run(self._stop)
