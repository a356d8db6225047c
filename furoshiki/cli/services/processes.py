"""`furoshiki listen` and `furoshiki brain`: the two long-running processes, each alone in the foreground."""

from __future__ import annotations

import argparse


def run(args: argparse.Namespace) -> int:
    """Run one of them until it is stopped, or both in one process."""
    if args.service == "brain":
        from furoshiki.app import scheduler

        scheduler.brain()
        return 0
    import asyncio

    from furoshiki.app import listener, run_job, single
    from furoshiki.core import settings

    held = settings.load()
    run_job.keep_log(held, "listener")

    async def live() -> None:
        stop = listener.stopped_by_signals()
        if args.with_brain:
            await single.live(held, run_job.notifier(), stop)
        else:
            await listener.listen(held, run_job.notifier(), stop)

    asyncio.run(live())
    return 0
