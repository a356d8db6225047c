"""One person at one terminal: posts a line, shows the growing answer, then the whole.

The worker runs in its own thread and waits for the mind's lock. While a listener runs, it has the
lock and this process only posts and watches; when it stops, the console becomes the mind within
0.25 s.
"""

import asyncio
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
from furoshiki.core.process.loop_thread import LoopThread
from furoshiki.messages.values import Outgoing
from furoshiki.world import World

LOOK_SECONDS = 0.02
# seconds for which this process's mind may fail to use its database before the user is told
HINDERED_SECONDS = 3.0

KEPT = later("Your message is saved, and will be answered once that is fixed.")
NOT_KEPT = later("Your message was not saved: please say it again then.")
STOP_SECONDS = 4.0  # seconds that the worker may take to save its work


class Talk:
    """A conversation through inbox and outbox. A context manager; for one thread."""

    def __init__(self, world: World, here: MemoryBoard, *, lasting: bool = True) -> None:
        """A `lasting` one counts as a start of the companion; a single question does not."""
        self.world = world
        self.late: list[str] = []
        self._boxes = Mailbox(world.database, NAME, world.withheld)
        self._here = here
        self._there = FileBoard(world.settings.data / "run")
        self._worker = Worker(world, lasting=lasting)

    def __enter__(self) -> "Talk":
        self._mind = LoopThread("mind", self._work)
        return self

    def __exit__(self, *_exception: object) -> None:
        self._mind.end(STOP_SECONDS)

    def say(self, text: str) -> int:
        """Post a line; return its envelope's id. Raises StorageUnavailable if it was not stored."""
        try:
            return self._wake_worker(self._boxes.say(text, self._make_name(), self.now))
        except StorageUnavailable as error:
            raise StorageUnavailable(f"{error}. {say(NOT_KEPT)}") from error

    def press(self, data: str) -> int:
        """Post the press of a button."""
        return self._wake_worker(self._boxes.press(data, self._make_name(), self.now))

    def hello(self) -> int | None:
        """Request the first words of a new companion; None if it has spoken before."""
        self._here.own.add(HELLO)
        envelope_id = self._boxes.hello(self.now)
        return None if envelope_id is None else self._wake_worker(envelope_id)

    def wait(self, envelope_id: int, on_text: Callable[[str], None], seconds: float) -> Answer | None:
        """Return the answer, marked as printed; None after `seconds`: it will come late.

        `on_text` gets the whole text so far while it grows ("" when thinking begins). Raises the
        error that broke this process's worker, and StorageUnavailable if it cannot use its database.
        """
        until, hindered_at = time.monotonic() + seconds, None
        seen: tuple[int | None, str | None] = (None, None)
        while time.monotonic() < until:
            version, text = self.world.database.version(), self._read_partial(envelope_id)
            if text is not None and text != seen[1]:
                on_text(text)
            if version != seen[0] and (answer := self._boxes.answer(envelope_id)) is not None:
                mailbox.mark_printed(self.world.database, answer.parts, self.now)
                return answer
            seen = (version, text)
            if self._mind.over.done():
                self._mind.over.result()
            why, now = self._worker.waits_for, time.monotonic()
            hindered_at = None if why is None else hindered_at or now
            if hindered_at is not None and now - hindered_at > HINDERED_SECONDS:
                self.late.append(refs.name("inbox", envelope_id))
                raise StorageUnavailable(f"{why}. {say(KEPT)}")
            time.sleep(LOOK_SECONDS)
        self.late.append(refs.name("inbox", envelope_id))
        return None

    def stop(self, envelope_id: int) -> None:
        """End this answer here: the words so far are the answer."""
        self._here.stop(envelope_id)
        self._there.stop(envelope_id)

    def unprompted(self) -> list[Outgoing]:
        """Return reminders and late replies for this console, marked as printed."""
        parts = mailbox.list_unprompted(self.world.database, self.now, self.late)
        mailbox.mark_printed(self.world.database, parts, self.now)
        return parts

    @property
    def now(self) -> datetime:
        """The present moment."""
        return self.world.now

    def _make_name(self) -> str:
        """Return a new envelope's name, registered as ours before any worker sees it."""
        name = uuid.uuid4().hex
        self._here.own.add(name)
        return name

    def _wake_worker(self, envelope_id: int) -> int:
        self._worker.wake()
        return envelope_id

    def _read_partial(self, envelope_id: int) -> str | None:
        text = self._here.text(envelope_id)
        return self._there.text(envelope_id) if text is None else text

    async def _work(self, stop: asyncio.Event) -> None:
        settings = self.world.settings
        async with watchdog.watched(settings.data / "logs", settings.furoshiki_stalled_seconds):
            await self._worker.run(stop)
