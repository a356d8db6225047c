"""Delivers the outbox: in order per chat, once, retrying as long as necessary.

A row is marked `sending` before the call. What provably did not arrive is sent again; what may have
arrived is looked for first (`probe`). The listener's lock ensures one sender per bot, on which the
probe relies.
"""

import asyncio
import contextlib
import dataclasses
import logging
import random
import sqlite3
import time
from collections.abc import Awaitable, Callable, Collection
from datetime import datetime, timedelta
from typing import Any

from furoshiki.channels.telegram import calls, numbering, outcomes
from furoshiki.channels.telegram.bot import Client
from furoshiki.channels.telegram.calls import no_voices, nobody, plainer, unspoken
from furoshiki.channels.telegram.database_thread import DatabaseThread, P, Question, T
from furoshiki.channels.telegram.formatting.entities import caption, compose
from furoshiki.channels.telegram.numbering import Numbering
from furoshiki.channels.telegram.probe import CannotTell, Found, Later, NotArrived, Verdict, probe
from furoshiki.channels.telegram.timings import Pace
from furoshiki.channels.telegram.updates import CHANNEL
from furoshiki.core.catalogue import later, say, speaking
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.process.crash_points import point
from furoshiki.language.humanize import shorten
from furoshiki.messages.channels import chat_and_topic
from furoshiki.messages.store import accounts, outbox
from furoshiki.messages.values import COMMANDS_THAT_SHOW, MARKS, REMOVAL, UNKEPT, NewOutgoing, Outgoing
from furoshiki.models.speech import store as speech

log = logging.getLogger(__name__)

# in `extra` of a row sent through a shared bot: the bot's newest message id before that
SENT_AFTER = "sent_after"

# seconds between tries while the token is refused or another program polls
UNAUTHORIZED_SECONDS = 60.0


# the prefix of the turn key of a failure notice; there are no notices about notices
UNDELIVERED = "undelivered:"

NOTICE = later("I could not send you a message starting with “{words}”: {error}.")
ELSEWHERE = later("A message for chat {chat} could not be sent: {error}.")
REFUSED = "Telegram refuses it ({reason})"
UNFIT = "it cannot be made into a message"
NOT_REMOVED = later(
    "Telegram did not let me delete your message with the key from this chat. Please delete it yourself."
)
NO_VOICES = later(
    "Telegram doesn't let me send voice messages in this chat (in your Telegram, check Settings, "
    "Privacy and Security, Voice Messages), so I answer in text. Once you have changed it, "
    "/voice on tries again."
)

WORDS_TOLD = 60  # characters of a message quoted to a person


class Sender:
    """The only sender of a bot. `run` it, or call `drain_once`; both may be used together."""

    def __init__(
        self,
        client: Client,
        clerk: DatabaseThread,
        now: Callable[[], datetime],
        rng: random.Random,
        alert: Callable[[str, str], None],
        pace: Pace | None = None,
        others: Callable[[str], Collection[int]] = lambda _chat_id: (),
        numbering: Numbering | None = None,
    ) -> None:
        """`others`: messages sent outside the outbox. `numbering`: for a shared bot."""
        self._client = client
        self._clerk = clerk
        self._now = now
        self._rng = rng
        self._alert = alert
        self._pace = pace or Pace()
        self._others = others
        self._numbering = numbering
        self._busy = asyncio.Lock()
        self._woken = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = False
        self._started = time.monotonic()
        self._probes: dict[int, tuple[float, int]] = {}
        """Uncertain rows: when to probe them (monotonic), and how often that failed."""

    def wake(self) -> None:
        """Signal that the outbox has new rows. Thread-safe."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._woken.set)

    async def run(self) -> None:
        """Deliver until cancelled."""
        self._loop = asyncio.get_running_loop()
        while True:
            seen = await self._clerk.version()
            until = time.monotonic() + await self.drain_once()
            while time.monotonic() < until:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(min(until - time.monotonic(), self._pace.look)):
                        await self._woken.wait()
                if self._woken.is_set() or await self._clerk.version() != seen:
                    break
            self._woken.clear()

    async def finish(self) -> None:
        """Begin no more sends; return when the current one has ended and is recorded."""
        self._closing = True
        async with self._busy:
            return

    async def drain_once(self) -> float:
        """Send all that is due; return the seconds until more may be due (60 at most)."""
        async with self._busy:
            try:
                await self._resolve()
                while rows := await self._clerk.read(outbox.ready, CHANNEL, self._now()):
                    for row in rows:
                        if self._closing:
                            return 0.0
                        await self._deliver(row)
                return await self._until_next()
            except StorageUnavailable as error:
                log.warning("the outbox cannot be read now: %s", error)
                return self._pace.backoff(1, 5.0, self._rng)

    async def _until_next(self) -> float:
        due = await self._clerk.read(outbox.next_due, CHANNEL)
        waits = [60.0, *(at - time.monotonic() for at, _ in self._probes.values())]
        if due is not None:
            waits.append((due - self._now()).total_seconds())
        return max(0.02, min(waits))

    async def _deliver(self, row: Outgoing) -> None:
        try:
            fitting = await self._fit_to_chat(row)
            if fitting is None:
                return
            shaped = fitting if fitting.entities is not None or row.kind in MARKS else _shape_row(fitting)
            send = calls.prepare_send(self._client, shaped)
        except (ValueError, TypeError, KeyError) as error:
            # an invalid row must not block its chat forever
            await self._insist(_give_up, row, f"cannot be sent: {error!r}", UNFIT, self._now())
            self._alert("telegram.unsendable", f"message {row.id} cannot be sent: {error!r}")
            return
        if self._numbering is not None:
            shaped = dataclasses.replace(shaped, extra={**shaped.extra, SENT_AFTER: self._numbering.newest})
        if not await self._clerk.write(_claim, row, shaped, self._now()):
            return
        point("outbox.claimed")
        outcome = await send()
        point("outbox.sent")
        await self._record(shaped, outcome)

    async def _fit_to_chat(self, row: Outgoing) -> Outgoing | None:
        """Return the row as the chat accepts it: words only if it refuses voice, None without."""
        if row.kind != "voice" or not await self._clerk.read(speech.is_refused, CHANNEL, row.chat_id, self._now()):
            return row
        words = unspoken(row)
        if words is None:
            await self._insist(outbox.mark_failed, row.id, "withdrawn: no voice gets into this chat", self._now())
        return words

    async def _record(self, row: Outgoing, outcome: outcomes.Outcome) -> None:
        attempt = row.attempts + 1
        if isinstance(outcome, outcomes.Delivered):
            await self._on_delivered(row, outcome.message_id)
        elif isinstance(outcome, outcomes.Refused):
            await self._on_refused(row, outcome)
        elif isinstance(outcome, outcomes.Blocked):
            await self._insist(_mark_blocked, row, outcome.description, self._now())
            log.warning("chat %s cannot be written to: %s", row.chat_id, outcome.description)
        elif isinstance(outcome, outcomes.Uncertain) and row.kind not in MARKS:
            log.warning("nobody knows whether message %d arrived: %s", row.id, outcome.reason)
            self._probes[row.id] = (time.monotonic() + self._compute_settle_time(attempt), 0)
        else:
            if isinstance(outcome, outcomes.RetryAfter):
                wait = outcome.seconds + self._rng.uniform(0.0, 0.5)
                log.warning("Telegram wants nothing more to be sent for %g s", outcome.seconds)
            elif isinstance(outcome, outcomes.NotDelivered | outcomes.Uncertain):
                wait = self._pace.backoff(attempt, self._pace.send_most, self._rng)
            else:
                wait = UNAUTHORIZED_SECONDS
            await self._again(row, wait, outcomes.in_words(outcome))

    def _compute_settle_time(self, attempt: int) -> float:
        """Return the wait before a probe; it grows with each failed attempt."""
        if attempt <= 1:
            return self._pace.settle
        return self._pace.settle + self._pace.backoff(attempt - 1, self._pace.send_most, self._rng)

    async def _on_refused(self, row: Outgoing, outcome: outcomes.Refused) -> None:
        """Retry with fewer extras; if that is refused, too, tell the recipient."""
        said = outcome.description
        if row.kind == "voice" and not nobody(said):
            log.warning("the voice message %d was refused (%s); its words are sent alone", row.id, said)
            await self._insist(_unspoken, row, said, self._now())
            return
        simpler = plainer(row, said) if outcome.code == 400 else None
        if simpler is not None:
            log.warning("message %d was refused (%s) and is sent again more plainly", row.id, said)
            await self._insist(outbox.simplify, simpler, said, self._now())
            return
        await self._insist(_give_up, row, said, REFUSED.format(reason=said[:200]), self._now())
        if row.kind not in MARKS:
            self._alert("telegram.refused", f"Telegram refused a message for good: {said}")

    async def _on_delivered(self, row: Outgoing, message_id: int | None) -> None:
        found = None if message_id is None or row.kind in MARKS else str(message_id)
        if self._numbering is not None and found is not None:
            self._numbering.saw(int(found))
        await self._insist(outbox.part_sent, row.id, found, self._now())
        if row.extra.get(UNKEPT):
            await self._clerk.fold()

    async def _again(self, row: Outgoing, wait: float, why: str) -> None:
        await self._insist(outbox.retry, row.id, self._now() + timedelta(seconds=wait), why)

    async def _resolve(self) -> None:
        """Probe the rows whose sending began and whose end is unknown."""
        uncertain = await self._clerk.read(outbox.uncertain, CHANNEL)
        self._probes = {row.id: self._probes[row.id] for row in uncertain if row.id in self._probes}
        first_look = self._started + self._pace.settle_start
        for row in uncertain:
            at, failures = self._probes.setdefault(row.id, (first_look, 0))
            if at <= time.monotonic():
                await self._look_for(row, failures)

    async def _look_for(self, row: Outgoing, failures: int) -> None:
        if row.kind in MARKS:  # setting it twice does no harm
            await self._again(row, 0.0, "uncertain")
            return
        chat, _topic = chat_and_topic(row.chat_id)
        last = await self._clerk.read(outbox.last_message_id, CHANNEL, chat)
        known = await self._clerk.read(outbox.read_message_ids, CHANNEL, chat, last)
        known |= {one for one in self._others(chat) if one > last}
        verdict = await self._probe_row(row, last, known)
        log.info("what became of message %d: %s", row.id, verdict)
        if isinstance(verdict, Later):
            wait = verdict.seconds or self._pace.backoff(failures + 1, self._pace.send_most, self._rng)
            self._probes[row.id] = (time.monotonic() + wait, failures + 1)
            return
        del self._probes[row.id]
        if isinstance(verdict, Found):
            await self._on_delivered(row, verdict.message_id)
        elif isinstance(verdict, NotArrived) or row.policy != "unprompted":
            often = row.attempts > 1
            wait = self._pace.backoff(row.attempts - 1, self._pace.send_most, self._rng) if often else 0.0
            await self._again(row, wait, str(verdict))
        elif isinstance(verdict, CannotTell):
            await self._insist(outbox.mark_failed, row.id, f"may have arrived: {verdict.reason}", self._now())

    async def _probe_row(self, row: Outgoing, last: int, known: Collection[int]) -> Verdict:
        def edit(message_id: int) -> Awaitable[outcomes.Outcome]:
            return calls.edit(self._client, row, message_id)

        if self._numbering is None:
            return await probe(edit, last, known)
        last = max(last, int(row.extra.get(SENT_AFTER) or 0))
        most, newest = numbering.MOST_TRIES, self._numbering.newest
        return await probe(edit, last, known, newest, numbering.MISSES, most)

    async def _insist(self, question: Question[P, T], *args: P.args, **named: P.kwargs) -> T:
        """Retry a write until it succeeds: what Telegram did must not be lost."""
        failures = 0
        while True:
            try:
                return await self._clerk.write(question, *args, **named)
            except StorageUnavailable as error:
                failures += 1
                log.warning("what became of a message cannot be written down yet: %s", error)
                await asyncio.sleep(self._pace.backoff(failures, 5.0, self._rng))


def _claim(db: sqlite3.Connection, row: Outgoing, shaped: Outgoing, now: datetime) -> bool:
    """Store the row's final form, for a probe, and claim it, in one transaction."""
    if shaped is not row:
        outbox.reshape(db, row.id, shaped.kind, shaped.text, shaped.entities or (), shaped.extra)
    return outbox.claim(db, row.id, now)


def _give_up(db: sqlite3.Connection, row: Outgoing, error: str, told: str, now: datetime) -> None:
    """Give up a message and tell its recipient once, after other waiting messages."""
    outbox.mark_part_refused(db, row.id, error, now)
    if row.kind == REMOVAL and "not found" not in error:
        _notify(db, row, row.chat_id, now, NOT_REMOVED)
    if row.kind in MARKS or not row.text.strip() or (row.turn_key or "").startswith(UNDELIVERED):
        return
    if not nobody(error):
        _notify(db, row, row.chat_id, now, NOTICE, words=shorten(row.text, WORDS_TOLD), error=told)
        return
    owner = accounts.owner(db, row.channel)
    if owner is not None and owner.chat_id != chat_and_topic(row.chat_id)[0]:
        _notify(db, row, owner.chat_id, now, ELSEWHERE, chat=row.chat_id, error=told)


def _notify(db: sqlite3.Connection, row: Outgoing, chat_id: str, now: datetime, message: str, **values: object) -> None:
    """Tell a chat in the owner's language what became of a message."""
    with speaking(accounts.owners_language(db)):
        notice = NewOutgoing(row.channel, chat_id, say(message, **values), entities=())
    outbox.put(db, [notice], now, None, f"{UNDELIVERED}{row.id}")


def _unspoken(db: sqlite3.Connection, row: Outgoing, said: str, now: datetime) -> None:
    """Send a refused voice message's words; if the chat accepts no voice, remember and say it."""
    words = unspoken(row)
    if words is None:
        outbox.mark_part_refused(db, row.id, f"withdrawn: {said}", now)
    else:
        outbox.simplify(db, words, said, now)
    if no_voices(said):
        speech.refuse(db, row.channel, row.chat_id, now)
        _notify(db, row, row.chat_id, now, NO_VOICES)


def _mark_blocked(db: sqlite3.Connection, row: Outgoing, description: str, now: datetime) -> None:
    outbox.mark_failed(db, row.id, description, now)
    accounts.set_blocked(db, CHANNEL, chat_and_topic(row.chat_id)[0], True, now)


def _shape_row(row: Outgoing) -> Outgoing:
    """Shape the row as its first message; others wait in `extra["rest"]`, with the buttons."""
    links = (COMMANDS_THAT_SHOW, *(row.extra.get("allowed_links") or ()))
    is_file = row.kind in calls.FILES
    parts = caption(row.text, links) if is_file else compose(row.text, links)
    if not parts:
        raise ValueError("there is nothing in it to say")
    first, *rest = parts
    kept = {key: value for key, value in row.extra.items() if key != "allowed_links"}
    following: list[dict[str, Any]] = [{"text": part.text, "entities": list(part.entities or ())} for part in rest]
    if following and "buttons" in kept:
        following[-1]["extra"] = {"buttons": kept.pop("buttons")}
    extra = {**kept, **first.extra, **({"rest": following} if following else {})}
    kind = row.kind if is_file else first.kind
    return dataclasses.replace(row, kind=kind, text=first.text, entities=first.entities, extra=extra)
