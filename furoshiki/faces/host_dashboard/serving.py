"""Serves the pages of all homes and of the operator in one process."""

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path

from furoshiki.app.wiring import SystemClock
from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.paths import HOST
from furoshiki.core.process import liveness
from furoshiki.core.process.systemd import Notifier
from furoshiki.core.settings import Settings
from furoshiki.faces.dashboard import running
from furoshiki.faces.dashboard.access.guard import Gate
from furoshiki.faces.host_dashboard.entrance import Entrance
from furoshiki.faces.host_dashboard.open_pages import HomesPages
from furoshiki.faces.host_dashboard.operator_pages import operator_app
from furoshiki.host import home_logs
from furoshiki.world import Clock

TIDY_S = 30.0  # how often, in seconds, idle homes are closed


def entrance(root: Path, settings: Settings, ledger: Ledger, clock: Clock) -> Entrance:
    """Build the application of a host. Call it in the event loop that will serve."""
    gate = Gate(ledger, settings, clock.now)
    homes = HomesPages(root, settings, clock, gate.limits)
    made = Entrance(operator_app(root, gate), homes, settings)
    made.state.closing = homes.close
    return made


def alone(root: Path, settings: Settings, notifier: Notifier, ready: Callable[[], None]) -> None:
    """Serve until SIGTERM or SIGINT; calls `ready` once it answers.

    Raises BadSetting, AlreadyRunning, CannotListen.
    """
    home_logs.keep(root / HOST, "dashboard", settings.furoshiki_log_level, settings.secrets())

    async def looked_after(app: Entrance) -> None:
        showing = asyncio.create_task(liveness.show(root / HOST / "run" / "dashboard.alive"))
        try:
            while True:
                await asyncio.sleep(TIDY_S)
                app.homes.close_idle()
        finally:
            showing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await showing

    running.serve_alone(
        settings, notifier, ready, lambda ledger: entrance(root, settings, ledger, SystemClock()), looked_after
    )
