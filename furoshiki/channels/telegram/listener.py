"""One bot, assembled: poll loop, sender, stages and the answering mind, until stopped."""

import asyncio
import contextlib
import json
import logging
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from furoshiki.channels.telegram.access import AccessList, Received, take
from furoshiki.channels.telegram.bot import Client
from furoshiki.channels.telegram.database_thread import DatabaseThread
from furoshiki.channels.telegram.live_reply import Show, Stages
from furoshiki.channels.telegram.lock import only_listener
from furoshiki.channels.telegram.numbering import Numbering
from furoshiki.channels.telegram.outcomes import Delivered, Outcome, for_logs
from furoshiki.channels.telegram.poller import Alert, Poller
from furoshiki.channels.telegram.sender import Sender
from furoshiki.channels.telegram.timings import Pace
from furoshiki.channels.telegram.updates import Me
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.json_values import list_of
from furoshiki.core.process import liveness
from furoshiki.messages.withheld import Withheld

Commands = Sequence[tuple[str, str]]  # names (without the slash) and descriptions

log = logging.getLogger(__name__)


def read_doctors_messages(notebook: Path, chat_id: str) -> set[int]:
    """Return the ids of the newest messages that the doctor sent to a chat with the same bot: the
    sender must not take them for its own. Empty if the file is unreadable."""
    try:
        found = json.loads(notebook.read_text(encoding="utf-8"))["messages"][chat_id]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()
    return {number for number in list_of(found) if type(number) is int}


class Delivery:
    """A companion's messages through a bot, in both directions. Must be created inside its event
    loop; `close` it at the end."""

    def __init__(
        self,
        client: Client,
        database: Database,
        now: Callable[[], datetime],
        rng: random.Random,
        *,
        allowed: AccessList,
        on_stored: Callable[[], None],
        alert: Alert,
        live: Callable[[], bool] = lambda: True,
        pace: Pace | None = None,
        show: Show | None = None,
        doctors_notebook: Path | None = None,
        numbering: Numbering | None = None,
        withheld: Withheld | None = None,
        expect: Callable[[str], None] = lambda _text: None,
    ) -> None:
        """`numbering` is for a bot shared by several companions; `withheld` holds model keys;
        `expect` gets words shortly before they are read."""
        self.client = client
        self.pace = pace or Pace()
        self.stages = Stages(client, live, show)
        self._clerk = DatabaseThread(database)
        self._allowed = allowed
        self._now = now
        self._alert = alert
        self.sender = Sender(
            client,
            self._clerk,
            now,
            rng,
            self._tell,
            self.pace,
            lambda chat_id: read_doctors_messages(doctors_notebook, chat_id) if doctors_notebook else (),
            numbering,
        )
        self._on_stored = on_stored
        self._withheld = withheld or Withheld()
        self._expect = expect

    async def store(self, batch: list[Mapping[str, Any]], me: Me) -> Received:
        """Store a batch of updates in the inbox. Raises StorageUnavailable."""
        return await self._clerk.write(take, batch, me, self._allowed, self._now(), self._withheld, self._expect)

    def close(self) -> None:
        """Release the storage thread. The client is closed by its creator."""
        self._clerk.close()

    def taken(self, taken: Received) -> None:
        """After a batch is stored: run the urgent actions, and wake the mind."""
        for chat_id, draft_id in taken.stopped:
            self.stages.stop(chat_id, draft_id)
        if taken.ids:
            for conversation in dict.fromkeys(taken.spoke):
                self.stages.ping(conversation)
            self._on_stored()
        for callback_id in taken.callbacks:
            self.stages.spawn(self._call("AnswerCallbackQuery", callback_query_id=callback_id))
        for chat_id, words in taken.say:
            self.stages.spawn(
                self._call("SendMessage", chat_id=chat_id, text=words, link_preview_options={"is_disabled": True})
            )

    def _tell(self, kind: str, words: str | None) -> None:
        """Alert the operator (None: it is over) in another thread, as this may wait for a disk."""

        async def tell() -> None:
            try:
                await asyncio.to_thread(self._alert, kind, words)
            except StorageUnavailable as error:
                log.error("an alert could not be kept (%s): %s: %s", error, kind, words)

        self.stages.spawn(tell())

    async def _call(self, method: str, **params: Any) -> None:
        outcome = await self.client.call(method, **params)
        if not isinstance(outcome, Delivered):
            log.info("%s was not done: %s", method, for_logs(outcome))


class Telegram(Delivery):
    """A bot of one companion: its delivery, and the poll loop for its messages."""

    def __init__(
        self,
        client: Client,
        database: Database,
        now: Callable[[], datetime],
        rng: random.Random,
        *,
        commands: Callable[[], Mapping[str | None, Commands]] = dict,
        **around: Any,
    ) -> None:
        """`around` are the other arguments of Delivery."""
        super().__init__(client, database, now, rng, **around)
        self.poller = Poller(client, self.store, rng, self.taken, self._tell, self.pace)
        self._commands = commands

    async def poll(self) -> None:
        """Deliver what an earlier process left, then take messages until cancelled."""
        await self.sender.drain_once()
        await self.poller.run()

    async def offer_commands(self) -> None:
        """Set the command menu, once Telegram answers."""
        await offer_commands(self.client, await asyncio.to_thread(self._commands), self.pace)


async def offer_commands(client: Client, commands: Mapping[str | None, Commands], pace: Pace) -> None:
    """Set a bot's command menu, once Telegram answers."""
    while True:
        if isinstance(await set_commands(client, commands), Delivered):
            return
        await asyncio.sleep(pace.conflict)


async def listen(telegram: Telegram, run: Path, mind: Callable[[], Awaitable[None]], stop: asyncio.Event) -> None:
    """Run everything until `stop` is set (then within 5 s) or something fails for good, which is
    raised.

    `mind` handles stored messages forever; it is cancelled at the end and may put back claimed
    ones. Raises AlreadyRunning when another process listens for this bot.
    """
    with only_listener(run, telegram.client.id):
        sign = liveness.show(run / "listener.alive")
        work: list[asyncio.Future[Any]] = [
            asyncio.ensure_future(part)
            for part in (telegram.poll(), telegram.sender.run(), _run_and_stay(telegram.offer_commands()), mind(), sign)
        ]
        stopping: asyncio.Future[Any] = asyncio.ensure_future(stop.wait())
        try:
            await asyncio.wait([*work, stopping], return_when=asyncio.FIRST_COMPLETED)
        finally:
            await _wind_down(telegram, [*work, stopping])
        for part in work:
            error = None if part.cancelled() else part.exception()
            if error is not None:
                raise error


async def _run_and_stay(once: Awaitable[None]) -> None:
    """Run it once and then wait forever; only its errors end this."""
    await once
    await asyncio.Event().wait()


async def _wind_down(telegram: Telegram, work: Sequence[asyncio.Future[Any]]) -> None:
    """Let a running send end, then stop everything. Messages taken meanwhile are stored."""
    poll, sender, *others = work
    for part in others:
        part.cancel()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(telegram.pace.farewell):
            await telegram.sender.finish()
            await asyncio.gather(*others, return_exceptions=True)
    poll.cancel()
    sender.cancel()
    await asyncio.gather(*work, return_exceptions=True)
    await telegram.client.close()
    telegram.close()


async def set_commands(client: Client, commands: Mapping[str | None, Commands]) -> Outcome:
    """Set the menu for each language code (None: all others). Returns the first outcome that is no
    success.

    Unchanged lists are not set again: Telegram limits these calls strictly.
    """
    outcome: Outcome = Delivered(True)
    for language, offered in commands.items():
        wanted = [{"command": name.removeprefix("/"), "description": text[:256]} for name, text in offered]
        known = await client.call("GetMyCommands", language_code=language)
        if isinstance(known, Delivered) and known.result == wanted:
            continue
        outcome = await client.call("SetMyCommands", commands=wanted, language_code=language)
        if not isinstance(outcome, Delivered):
            return outcome
    return outcome
