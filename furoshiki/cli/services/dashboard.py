"""`furoshiki dashboard`: the pages, in the foreground."""

from __future__ import annotations

import argparse
import asyncio

from furoshiki.app.wiring import build_world
from furoshiki.cli import context
from furoshiki.core import settings
from furoshiki.dashboard import server
from furoshiki.dashboard.access.sessions import Sessions
from furoshiki.dashboard.app import create_app
from furoshiki.terminal.printing import note

PORT = 8330


def run(args: argparse.Namespace) -> int:
    """Serve until stopped."""
    world = build_world(settings.load(), context.clock(), minds_when_asked=True)
    at = server.bound("127.0.0.1", PORT)
    note(f"The dashboard is on http://127.0.0.1:{PORT}. Ctrl-C stops.")
    asyncio.run(server.serve_until_signalled(create_app(world, Sessions()), at))
    return 0
