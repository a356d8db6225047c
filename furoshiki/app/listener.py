"""The long-running listener: one bot's Telegram in this thread, the mind in another.

The mind has its own thread and event loop, so that a locked database or slow thinking never keeps
messages from being stored or delivered, or "typing…" from being shown.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from furoshiki.app.wiring import SystemClock, build_world
from furoshiki.conversation.commands.registry import menus
from furoshiki.conversation.worker import Worker
from furoshiki.core.database import events, troubles
from furoshiki.core.errors import BadSetting, NotConfigured
from furoshiki.core.failure_words import ALERT
from furoshiki.core.process import watchdog
from furoshiki.core.process.loop_thread import LoopThread
from furoshiki.core.process.systemd import Notifier
from furoshiki.core.setting_rows import SecretStr
from furoshiki.core.settings import Settings, build_settings, effective
from furoshiki.memory.perception import signals
from furoshiki.messages.values import Envelope
from furoshiki.owner.agenda import channel_modes
from furoshiki.recall.retrieval import encoder_change, other_languages
from furoshiki.world import Stage, World

log = logging.getLogger(__name__)

NO_TOKEN = (
    "TELEGRAM_BOT_TOKEN is not set: `furoshiki setup` shows how (or put the token from "
    "@BotFather into {path}), or talk in the terminal with `furoshiki chat`"
)


async def listen(settings: Settings, notifier: Notifier, stop: asyncio.Event) -> None:
    """Receive messages, answer them and deliver the answers until `stop`; reports to `notifier`.

    Raises NotConfigured without a token, AlreadyRunning when another process listens for this bot.
    A refused token is retried; if another one was set meanwhile, this ends, to be restarted with
    it.
    """
    token = settings.telegram_bot_token
    if token is None:
        raise NotConfigured(NO_TOKEN.format(path=settings.data / ".env"))
    from furoshiki.channels.telegram import lazy_aiogram

    lazy_aiogram.load()
    from furoshiki.channels.telegram.access import AccessList
    from furoshiki.channels.telegram.bot import Client
    from furoshiki.channels.telegram.listener import Telegram
    from furoshiki.channels.telegram.listener import listen as run

    clock = SystemClock()
    world = build_world(settings, clock)
    with world.database.read() as db:
        about_encoder = encoder_change.at_start(db, settings)
        other_languages.ask_for(db, settings)
    if about_encoder is not None:
        log.warning("%s", about_encoder)
    client = Client(token.get_secret_value(), settings.telegram_api_url)
    mind = Mind(world)

    here = asyncio.get_running_loop()

    def alert(kind: str, words: str | None) -> None:
        note_trouble(world, kind, words)
        if kind == REFUSED and words is not None and _has_another(settings, token):
            log.warning("another TELEGRAM_BOT_TOKEN is set now: ending, to be started with it")
            here.call_soon_threadsafe(stop.set)

    telegram = Telegram(
        client,
        world.database,
        clock.now,
        random.Random(settings.furoshiki_seed),
        allowed=AccessList(settings.telegram_owner_id, settings.furoshiki_groups),
        on_stored=mind.wake,
        alert=alert,
        live=lambda: channel_modes.mode(world, "telegram") == "live",
        commands=menus,
        doctors_notebook=settings.data / "run" / "doctor.json",
        withheld=world.withheld,
        expect=partial(signals.expect, world),
    )

    def stage(envelope: Envelope) -> Stage:
        if envelope.channel == "telegram":
            return telegram.stages.open(envelope)
        return stage_here(world, envelope)

    mind.world = replace(world, stage=stage)
    mind.on_words = telegram.sender.wake
    await run(telegram, settings.data / "run", lambda: _live(mind, notifier), stop)


def _has_another(settings: Settings, token: SecretStr) -> bool:
    """Return whether the settings files contain another token; False if they are invalid."""
    try:
        return build_settings(effective(data=settings.data)).telegram_bot_token not in (None, token)
    except BadSetting:
        return False


async def _live(mind: Mind, notifier: Notifier) -> None:
    """Run the mind until cancelled, and notify the service manager for the Telegram loop; a stalled
    mind ends the process by itself."""

    async def feed(every: float) -> None:
        while True:
            notifier.alive()
            await asyncio.sleep(every / 3)

    notifier.ready("listening")
    beside = [asyncio.create_task(settle(mind.world))]
    if notifier.watchdog_s:
        beside.append(asyncio.create_task(feed(notifier.watchdog_s)))
    try:
        await mind.live()
    finally:
        notifier.stopping()
        for task in beside:
            task.cancel()


async def settle(world: World) -> None:
    """Load the tables that every message needs, and keep Python from searching what is loaded for
    garbage: the first message would wait for both."""
    await asyncio.sleep(SETTLED_S)
    await asyncio.to_thread(lambda: (world.lexicon, world.care, other_languages.load_languages()))
    gc.freeze()


SETTLED_S = 2.0  # seconds after which the first poll of Telegram is over


REFUSED = "telegram.token"
# alerts about lasting conditions; the others are about single messages
_STANDING = ("telegram.conflict", "telegram.away", REFUSED)


def note_trouble(world: World, kind: str, words: str | None) -> None:
    """Record a trouble, or its end (None), for `status` and for the owner."""
    if words is not None:
        log.warning("%s: %s", kind, words)
    with world.database.read() as db:
        if words is None and not troubles.is_met(db, kind):
            return
    with world.database.write() as db:
        if words is None:
            troubles.over(db, kind, world.now)
        elif kind in _STANDING:
            troubles.record_failure(db, kind, words, world.now)
        else:
            events.announce(db, ALERT, {"kind": kind, "words": words}, world.now)


def stage_here(world: World, envelope: Envelope) -> Stage:
    """Return the view of a turn for a terminal or web page in another process."""
    from furoshiki.channels.local.live_reply import stage

    return stage(world.settings.data / "run", envelope)


class Mind:
    """A worker in its own thread. `wake` is thread-safe, also before `live`.

    `on_words` is called in that thread whenever there may be something to send.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.on_words: Callable[[], None] = lambda: None
        self._worker: Worker | None = None

    def wake(self) -> None:
        """Signal that a message has arrived."""
        if self._worker is not None:
            self._worker.wake()

    async def live(self) -> None:
        """Answer until cancelled; an interrupted turn is put back and answered again later."""
        thread = LoopThread("mind", self._work)
        try:
            await asyncio.wrap_future(thread.over)
        finally:
            await asyncio.to_thread(thread.end, 4.0)

    async def _work(self, stop: asyncio.Event) -> None:
        self._worker = Worker(self.world, self.on_words)
        settings = self.world.settings
        async with watchdog.watched(settings.data / "logs", settings.furoshiki_stalled_seconds):
            await self._worker.run(stop)
