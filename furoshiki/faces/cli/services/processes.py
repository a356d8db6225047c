"""`furoshiki listen` and `furoshiki brain`: the two processes, each in the foreground."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from furoshiki.app import memoryd_shutdown
from furoshiki.core.paths import data_dir
from furoshiki.core.process.interrupts import make_stop_event

if TYPE_CHECKING:
    from furoshiki.app.single import Beside
    from furoshiki.core.settings import Settings


def run(args: argparse.Namespace) -> int:
    """Run one of the processes until it is stopped, or both in one process."""
    with memoryd_shutdown.main_process_of_unit(data_dir()):
        return _run(args)


def _run(args: argparse.Namespace) -> int:
    if args.service == "brain":
        from furoshiki.app import brain as scheduler

        scheduler.brain()
        return 0
    import asyncio

    from furoshiki.app import listener, run_job, single
    from furoshiki.core import settings

    held = settings.load()
    run_job.keep_log(held, "listener")

    async def live() -> None:
        stop = make_stop_event()
        if args.with_brain:
            await single.live(held, run_job.notifier(), stop, _beside(held))
        else:
            await listener.listen(held, run_job.notifier(), stop)

    asyncio.run(live())
    return 0


def _beside(held: Settings) -> list[Beside]:
    """Return what else runs in the single process: the dashboard, if enabled."""
    if not held.furoshiki_dashboard:
        return []
    from furoshiki.faces.dashboard import running

    return [running.beside]
