"""What a person sees in Telegram while a turn runs: "typing…" at once, then the growing answer with a stop button.

Drafts are Telegram's own streaming: a preview that vanishes by itself and is replaced by the final message, which comes
through the outbox. So nothing shown here can be lost or doubled. Groups have no drafts; there it stays at typing.
"""

from __future__ import annotations

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
from furoshiki.channels.telegram.formatting.split import split
from furoshiki.channels.telegram.outcomes import Delivered, NotDelivered, RetryAfter, Uncertain
from furoshiki.messages.values import Envelope

log = logging.getLogger(__name__)

NEWEST = 5000
"""Signs at the end of a growing answer that are formatted for a draft, which holds 4,096 units."""


@dataclass(frozen=True)
class Show:
    """The timing of the stage, in seconds."""

    typing_every: float = 4.5
    """Telegram takes "typing…" away after five seconds."""
    typing_most: float = 300.0
    """No turn types longer than this."""
    stream_after: float = 1.5
    """An answer that is there sooner is not streamed."""
    stream_every: float = 0.8
    """Between two drafts."""
    refresh: float = 20.0
    """A draft that does not change is shown again, before its thirty seconds are over."""
    farewell: float = 2.0
    """How long the end of a turn waits for a draft under way, which would otherwise show after the answer."""


class Stages:
    """Opens a stage for each turn of one bot. Made in the event loop that the client lives in.

    `live` tells whether this channel may show anything (it does not in shadow mode).
    """

    def __init__(self, client: Client, live: Callable[[], bool], show: Show | None = None) -> None:
        self.client = client
        self.live = live
        self.show = show or Show()
        self.loop = asyncio.get_running_loop()
        self._typed: dict[str, float] = {}
        """Until when "typing…" is being shown in a conversation (monotonic)."""
        self._open: dict[tuple[int, int], TelegramStage] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self, envelope: Envelope) -> TelegramStage:
        """The stage for the turn that answers this envelope. Callable from any thread."""
        stage = TelegramStage(self, envelope.chat_id, envelope.id, bool(envelope.event.private))
        self._open[(stage.chat_id, stage.draft_id)] = stage
        return stage

    def stop(self, chat_id: int, draft_id: int) -> None:
        """The person pressed the stop button of a draft."""
        stage = self._open.get((chat_id, draft_id))
        if stage is not None:
            stage.stopped = True

    def ping(self, conversation: str) -> None:
        """Show "typing…" now, unless it is being shown. Call in the loop."""
        now = time.monotonic()
        if not self.live() or now < self._typed.get(conversation, 0.0):
            return
        self._typed[conversation] = now + self.show.typing_every * 0.9
        self.spawn(self._type(conversation))

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run something in the background, kept until it ends."""
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def closed(self, stage: TelegramStage) -> None:
        """A turn is over; its answer takes "typing…" away in Telegram, so the next turn has to show it again."""
        self._typed.pop(stage.conversation, None)
        if self._open.get((stage.chat_id, stage.draft_id)) is stage:
            del self._open[(stage.chat_id, stage.draft_id)]

    async def _type(self, conversation: str) -> None:
        outcome = await self.client.call("SendChatAction", **address(conversation), action="typing", timeout_s=10.0)
        if not isinstance(outcome, Delivered):
            log.debug("typing could not be shown: %s", outcome)


class TelegramStage:
    """The stage of one turn. Its methods may be awaited in any event loop; the work is done in the client's own."""

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
        """Show that the companion has begun to think."""
        self._began = time.monotonic()
        if self._stages.live():
            self._at_home(self._keep_typing)

    async def show(self, words: Callable[[], str]) -> None:
        """Show the whole text so far; the drafts follow at their own pace, and an answer soon there has none."""
        first = self._words is None
        self._words = words
        if first and self._streams and self._stages.live():
            self._at_home(self._keep_streaming)

    async def end(self) -> None:
        """The turn is over: nothing is shown any more once this returns."""
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
        """Let a draft that is on its way arrive, then stop everything."""
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
        """Show a draft; returns the seconds to wait before the next one."""
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
    """The end of a long text, from a line's beginning: more than that no draft can show."""
    if len(text) <= NEWEST:
        return text
    tail = text[-NEWEST:]
    return tail[tail.find("\n", 0, NEWEST // 2) + 1 :]
