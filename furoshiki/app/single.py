"""Listener and brain in one process, for machines with 512 MB; scripts run one at a time."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from furoshiki.app import brain as scheduler
from furoshiki.app import listener
from furoshiki.app.run_job import clock
from furoshiki.core.process.systemd import Notifier
from furoshiki.core.settings import Settings
from furoshiki.maintenance import upgrading

SCRIPTS_AT_ONCE = 1


# a companion task that runs until the event is set, and handles its own errors
Beside = Callable[[Settings, asyncio.Event], Awaitable[None]]


async def live(settings: Settings, notifier: Notifier, stop: asyncio.Event, beside: Sequence[Beside] = ()) -> None:
    """Listen and schedule until `stop`; an end of one ends both, an end of one `beside` them ends
    nothing. Raises the error that ended it."""
    upgrading.ensure(settings.data, settings.database, clock)
    brain = scheduler.build_brain(settings, SCRIPTS_AT_ONCE)
    listening = asyncio.create_task(listener.listen(settings, notifier, stop))
    scheduling = asyncio.create_task(asyncio.to_thread(brain.run))
    stopping = asyncio.create_task(stop.wait())
    along = [asyncio.ensure_future(one(settings, stop)) for one in beside]
    await asyncio.wait({listening, scheduling, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stop.set()
    brain.stop()
    await asyncio.wait({listening, scheduling, stopping, *along})
    await asyncio.gather(listening, scheduling)
