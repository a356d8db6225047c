"""A home that is open: its World, its mind, and its delivery of messages through its bot."""

from __future__ import annotations

import asyncio
import os
import random
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from furoshiki.app.listener import note_trouble, stage_here
from furoshiki.app.wiring import build_world, fetcher
from furoshiki.channels.telegram.numbering import Numbering
from furoshiki.channels.telegram.timings import Pace
from furoshiki.conversation.worker import Worker
from furoshiki.core import settings as all_settings
from furoshiki.core.atomic_files import hold
from furoshiki.core.errors import AlreadyRunning, BadSetting
from furoshiki.core.paths import environ
from furoshiki.core.settings import Settings
from furoshiki.host import home_logs, store
from furoshiki.host.homes import LOCK, Home
from furoshiki.host.minds import Living, Minds
from furoshiki.memory.perception import signals
from furoshiki.messages.values import Envelope
from furoshiki.owner.agenda import channel_modes
from furoshiki.world import Clock, Stage, World

if TYPE_CHECKING:
    from furoshiki.channels.telegram.bot import Client
    from furoshiki.channels.telegram.listener import Delivery

ENDS_WITHIN_S = 3.0  # seconds that a mind may take to save its work


def settings_of(home: Home) -> Settings:
    """Load the settings of a home. Raises BadSetting."""
    return all_settings.load({**environ(), "FUROSHIKI_DATA": str(home.data)})


def secrets_of(home: Home) -> tuple[str, ...]:
    """Return the secrets to strike out of a home's logs; none while its settings are invalid."""
    try:
        return settings_of(home).secrets()
    except BadSetting:
        return ()


class OpenHome:
    """Created by `open_home`. `used_at` is the loop time of the last activity."""

    def __init__(self, home: Home, world: World, delivery: Delivery, living: Living, lock: int) -> None:
        self.home = home
        self.world = world
        self.delivery = delivery
        self.used_at = asyncio.get_running_loop().time()
        self._living = living
        self._lock = lock
        with home_logs.about(home.data, world.settings.secrets()):
            self._sending = asyncio.create_task(delivery.sender.run(), name=f"sender of {home.name}")

    @property
    def broke(self) -> BaseException | None:
        """Return the error that ended the mind or the sender; None while both run."""
        if self._living.over.done():
            return self._living.over.exception() or RuntimeError("its mind ended")
        if self._sending.done() and not self._sending.cancelled():
            return self._sending.exception()
        return None

    async def at_rest(self) -> bool:
        """Return whether nothing is in progress and nothing is due to be handled or sent."""
        return self._living.worker.at_rest and not await asyncio.to_thread(self._is_called_for)

    def _is_called_for(self) -> bool:
        with self.world.database.read() as db:
            return store.calls(db, self.world.now)

    async def close(self) -> None:
        """Save the work, finish the send in progress, and release everything."""
        self._living.stop()
        finishing = asyncio.create_task(self.delivery.sender.finish())
        await asyncio.wait({finishing, asyncio.wrap_future(self._living.over)}, timeout=ENDS_WITHIN_S)
        finishing.cancel()
        self._sending.cancel()
        await asyncio.wait({self._sending})
        self.delivery.close()
        self.world.database.close()
        os.close(self._lock)


async def open_home(
    home: Home,
    minds: Minds,
    clock: Clock,
    client: Client,
    *,
    shared: Settings | None,
    owner_id: int | None,
    numbering: Numbering | None = None,
    pace: Pace | None = None,
) -> OpenHome:
    """Open a home. `shared` are the host's settings when the bot is shared; `owner_id` is then the
    home's owner.

    Raises AlreadyRunning when another host has it, BadSetting, StorageUnavailable.
    """
    lock = hold(home.data / "run" / LOCK)
    if lock is None:
        raise AlreadyRunning(f"another host looks after {home.name}: stop one of them")
    try:
        world, held = await asyncio.to_thread(_world, home, clock, shared)
        from furoshiki.channels.telegram.access import AccessList
        from furoshiki.channels.telegram.listener import Delivery

        delivery = Delivery(
            client,
            world.database,
            clock.now,
            random.Random(held.furoshiki_seed),
            allowed=AccessList(
                owner_id or held.telegram_owner_id, held.furoshiki_groups if owner_id is None else False
            ),
            on_stored=lambda: worker.wake(),
            alert=lambda kind, words: note_trouble(world, kind, words),
            live=lambda: channel_modes.mode(world, store.TELEGRAM) == "live",
            pace=pace,
            doctors_notebook=held.data / "run" / "doctor.json",
            numbering=numbering,
            withheld=world.withheld,
            expect=partial(signals.expect, world),
        )

        def stage(envelope: Envelope) -> Stage:
            if envelope.channel == store.TELEGRAM:
                return delivery.stages.open(envelope)
            return stage_here(world, envelope)

        worker = Worker(replace(world, stage=stage), delivery.sender.wake)
        return OpenHome(home, world, delivery, minds.live(worker), lock)
    except BaseException:
        os.close(lock)
        raise


def _world(home: Home, clock: Clock, shared: Settings | None) -> tuple[World, Settings]:
    held = settings_of(home)
    if shared is not None:
        same = {"telegram_bot_token": shared.telegram_bot_token, "telegram_api_url": shared.telegram_api_url}
        held = held.model_copy(update=same)
    world = build_world(held, clock, minds_when_asked=True)
    return replace(world, fetch=fetcher(held)), held
