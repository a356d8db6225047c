"""Listener and brain in one process, for machines with 512 MB: scripts stay processes of their own, one at a time."""

from __future__ import annotations

import asyncio

from furoshiki.app import listener, scheduler
from furoshiki.app.run_job import clock
from furoshiki.core.process.systemd import Notifier
from furoshiki.core.settings import Settings
from furoshiki.maintenance import upgrading

SCRIPTS_AT_ONCE = 1


async def live(settings: Settings, notifier: Notifier, stop: asyncio.Event) -> None:
    """Listen and schedule until `stop`; what ends one of them ends both. Raises what ended it."""
    upgrading.ensure(settings.data, settings.database, clock)
    brain = scheduler.made(settings, SCRIPTS_AT_ONCE)
    listening = asyncio.create_task(listener.listen(settings, notifier, stop))
    scheduling = asyncio.create_task(asyncio.to_thread(brain.run))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({listening, scheduling, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stop.set()
    brain.stop()
    await asyncio.wait({listening, scheduling, stopping})
    await asyncio.gather(listening, scheduling)
