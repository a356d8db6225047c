"""The view of a turn in Telegram: "typing…" at once, then the growing answer with a stop button.

Drafts are Telegram's own streaming: a preview that vanishes by itself and is replaced by the final
message from the outbox. So nothing shown here can be lost or doubled. Groups have no drafts, only
typing.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from furoshiki.channels.telegram.bot import Client
from furoshiki.channels.telegram.calls import address
from furoshiki.channels.telegram.formatting.entities import format_markdown
from furoshiki.channels.telegram.formatting.spans import split
from furoshiki.channels.telegram.outcomes import Delivered, NotDelivered, RetryAfter, Uncertain
from furoshiki.messages.values import Envelope

log = logging.getLogger(__name__)

# characters at the end of a growing answer formatted for a draft of at most 4,096 units
NEWEST = 5000


@dataclass(frozen=True)
class Show:
    """The timing of the stage, in seconds."""

    typing_every: float = 4.5  # Telegram removes "typing…" after five seconds
    typing_most: float = 300.0  # the longest typing of a turn
    stream_after: float = 1.5  # an earlier answer is not streamed
    stream_every: float = 0.8  # between two drafts
    refresh: float = 20.0  # an unchanged draft is shown again, before its thirty seconds are over
    # how long the end of a turn waits for a running draft, to keep it before the answer
    farewell: float = 2.0


class Stages:
    """Opens a stage for each turn of one bot. Created in the client's event loop.

    `live` returns whether this channel may show anything (not in shadow mode).
    """

    def __init__(self, client: Client, live: Callable[[], bool], show: Show | None = None) -> None:
        self.client = client
        self.live = live
        self.show = show or Show()
        self.loop = asyncio.get_running_loop()
        self._typed: dict[str, float] = {}
        """Until when "typing…" is shown in a conversation (monotonic)."""
        self._open: dict[tuple[int, int], TelegramStage] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self, envelope: Envelope) -> "TelegramStage":
        """Open the stage for the turn that answers this envelope. Thread-safe."""
        stage = TelegramStage(self, envelope.chat_id, envelope.id, bool(envelope.event.private))
        self._open[(stage.chat_id, stage.draft_id)] = stage
        return stage

    def stop(self, chat_id: int, draft_id: int) -> None:
        """Handle the stop button of a draft."""
        stage = self._open.get((chat_id, draft_id))
        if stage is not None:
            stage.stopped = True

    def ping(self, conversation: str) -> None:
        """Show "typing…", unless it is shown. Call it in the loop."""
        now = time.monotonic()
        if not self.live() or now < self._typed.get(conversation, 0.0):
            return
        self._typed[conversation] = now + self.show.typing_every * 0.9
        self.spawn(self._type(conversation))

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a background task, and keep a reference until it ends."""
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def closed(self, stage: "TelegramStage") -> None:
        """Forget a finished turn. Its answer removes "typing…": the next turn shows it again."""
        self._typed.pop(stage.conversation, None)
        if self._open.get((stage.chat_id, stage.draft_id)) is stage:
            del self._open[(stage.chat_id, stage.draft_id)]

    async def _type(self, conversation: str) -> None:
        outcome = await self.client.call("SendChatAction", **address(conversation), action="typing", timeout_s=10.0)
        if not isinstance(outcome, Delivered):
            log.debug("typing could not be shown: %s", outcome)


class TelegramStage:
    """The stage of one turn. Usable from any event loop; the work is done in the client's."""

    def __init__(self, stages: Stages, conversation: str, draft_id: int, private: bool) -> None:
        self.conversation = conversation
        self.chat_id = address(conversation)["chat_id"]
        self.draft_id = draft_id
        self.shown = False
        self.stopped = False
        self._stages = stages
        self._streams = private
        self._words: Callable[[], str] | None = None
        self._began = time.monotonic()
        self._over = False
        self._ended = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def begin(self) -> None:
        """Show that thinking has begun."""
        self._began = time.monotonic()
        if self._stages.live():
            self._at_home(self._keep_typing)

    async def show(self, words: Callable[[], str]) -> None:
        """Show the whole text so far; drafts follow at their own pace, a quick answer has none."""
        first = self._words is None
        self._words = words
        if first and self._streams and self._stages.live():
            self._at_home(self._keep_streaming)

    async def end(self) -> None:
        """End the turn: once this returns, nothing is shown any more."""
        self._over = True
        await self._from_here(self._finish())

    def _at_home(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        def start() -> None:
            if not self._over:
                self._tasks.append(self._stages.spawn(work()))

        self._stages.loop.call_soon_threadsafe(start)

    async def _from_here(self, work: Coroutine[Any, Any, None]) -> None:
        if asyncio.get_running_loop() is self._stages.loop:
            await work
        else:
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._stages.loop))

    async def _finish(self) -> None:
        """Let a running draft arrive, then stop everything."""
        self._ended.set()
        if self.shown and self._tasks:
            await asyncio.wait(self._tasks, timeout=self._stages.show.farewell)
        for task in self._tasks:
            task.cancel()
        self._stages.closed(self)

    async def _keep_typing(self) -> None:
        show = self._stages.show
        while not self._over and not self.shown and time.monotonic() - self._began < show.typing_most:
            self._stages.ping(self.conversation)
            await asyncio.sleep(show.typing_every)

    async def _keep_streaming(self) -> None:
        show = self._stages.show
        await asyncio.sleep(max(0.0, self._began + show.stream_after - time.monotonic()))
        last, last_at = "", -show.refresh
        while not self._over and not self.stopped and self._streams:
            text = self._words() if self._words is not None else ""
            if text != last or time.monotonic() - last_at > show.refresh:
                wait = await self._draft(text)
                last, last_at = text, time.monotonic()
                await self._pause(wait)
            else:
                await self._pause(show.stream_every)

    async def _pause(self, seconds: float) -> None:
        """Wait, but not beyond the end of the turn."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ended.wait()

    async def _draft(self, text: str) -> float:
        """Show a draft; return the seconds until the next one."""
        whole = format_markdown(_newest(text))
        pieces = split(whole.text, whole.entities)
        if not pieces:
            return self._stages.show.stream_every
        piece = pieces[-1]
        self.shown = True
        outcome = await self._stages.client.call(
            "SendMessageDraft",
            **address(self.conversation),
            draft_id=self.draft_id,
            text=piece.text,
            entities=list(piece.entities) or None,
            can_stop=True,
            keep_on_stop=True,
            timeout_s=10.0,
        )
        if isinstance(outcome, RetryAfter):
            return outcome.seconds
        if not isinstance(outcome, Delivered | NotDelivered | Uncertain):
            log.info("drafts are not shown in this chat: %s", outcome)
            self._streams = False
        return self._stages.show.stream_every


def _newest(text: str) -> str:
    """Return the end of a long text, from the beginning of a line: drafts show no more."""
    if len(text) <= NEWEST:
        return text
    tail = text[-NEWEST:]
    return tail[tail.find("\n", 0, NEWEST // 2) + 1 :]
