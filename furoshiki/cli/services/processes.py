"""`furoshiki listen` and `furoshiki brain`: the two long-running processes, each alone in the foreground."""

from __future__ import annotations

import argparse


def run(args: argparse.Namespace) -> int:
    """Run one of them until it is stopped."""
    if args.service == "brain":
        from furoshiki.app import scheduler

        scheduler.brain()
        return 0
    import asyncio

    from furoshiki.app import listener, run_job
    from furoshiki.core import settings

    held = settings.load()
    run_job.keep_log(held, "listener")
    asyncio.run(listener.listen(held, run_job.notifier()))
    return 0
