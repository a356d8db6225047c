"""`furoshiki listen` and `furoshiki brain`: the two long-running processes, each alone in the foreground."""

from __future__ import annotations

import argparse


def run(args: argparse.Namespace) -> int:
    """Run one of them until it is stopped."""
    from furoshiki import runtime

    if args.service == "brain":
        runtime.brain()
        return 0
    import asyncio

    from furoshiki import services, settings

    held = settings.load()
    runtime.keep_log(held, "listener")
    asyncio.run(services.listen(held))
    return 0
