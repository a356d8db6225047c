"""Runs the dashboard: as a process of its own, or in a thread of the listener, isolated from it."""

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Coroutine, Iterator
from socket import socket
from typing import Any

from fastapi import FastAPI

from furoshiki.app.wiring import SystemClock, build_world, prepare
from furoshiki.core import atomic_files
from furoshiki.core.errors import AlreadyRunning, BadSetting, FuroshikiError
from furoshiki.core.logins import addresses, passwords
from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.process.interrupts import make_stop_event
from furoshiki.core.process.loop_thread import LoopThread
from furoshiki.core.process.systemd import Notifier
from furoshiki.core.settings import Settings
from furoshiki.faces.dashboard import server
from furoshiki.faces.dashboard.access.guard import Gate
from furoshiki.faces.dashboard.app import create_app
from furoshiki.faces.dashboard.server import Served

log = logging.getLogger(__name__)

# kilobytes of the database that each thread caches: pages are used only now and then
CACHE_KB = 1000

POLITE = 10  # the niceness of the process: messages are answered first
AGAIN_S = 60.0  # seconds until a restart in the listener

OPEN_TO_ALL = (
    "FUROSHIKI_DASHBOARD_HOST is {host}, which others can reach, and nothing keeps them out: set "
    "a password (`furoshiki dashboard password`), or name an https address in "
    "FUROSHIKI_DASHBOARD_URL, or leave it at 127.0.0.1"
)
ALREADY = "the dashboard of this data directory runs already, at {address}: stop that one first"

Ready = Callable[[], None]


def alone(settings: Settings, notifier: Notifier, ready: Ready) -> None:
    """Serve until SIGTERM or SIGINT; calls `ready` once it answers.

    Raises BadSetting, AlreadyRunning, CannotListen, StorageUnavailable.
    """
    serve_alone(settings, notifier, ready, lambda ledger: _app(settings, ledger))


def serve_alone(
    settings: Settings,
    notifier: Notifier,
    ready: Ready,
    made: Callable[[Ledger], Served],
    beside_it: Callable[[Any], Coroutine[Any, Any, None]] | None = None,
) -> None:
    """Serve an application built in the serving loop; `beside_it` runs as long as it does."""

    async def serving(at: socket, ledger: Ledger) -> None:
        app = made(ledger)
        feeding = [asyncio.create_task(_feed(notifier))]
        if beside_it is not None:
            feeding.append(asyncio.create_task(beside_it(app)))

        def up() -> None:
            notifier.ready("serving pages")
            ready()

        try:
            await server.serve(app, at, make_stop_event(), up)
        finally:
            notifier.stopping()
            for task in feeding:
                task.cancel()

    with _open_socket(settings) as (at, ledger):
        os.nice(POLITE)
        asyncio.run(serving(at, ledger))


async def beside(settings: Settings, stop: asyncio.Event) -> None:
    """Serve in a thread until `stop` is set. Errors are logged and retried; none is raised."""
    while not stop.is_set():
        try:
            await _in_a_thread(settings, stop)
        except FuroshikiError as error:
            log.error("the dashboard does not run, everything else does: %s", error)
        except Exception:  # whatever it is, the listener goes on
            log.exception("the dashboard ended, everything else goes on")
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), AGAIN_S)


async def _in_a_thread(settings: Settings, stop: asyncio.Event) -> None:
    async def serving(ending: asyncio.Event) -> None:
        with _open_socket(settings) as (at, ledger):
            await server.serve(_app(settings, ledger), at, ending)

    thread = LoopThread("dashboard", serving)
    over = asyncio.wrap_future(thread.over)
    stopped: asyncio.Future[Any] = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait([stopped, over], return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopped.cancel()
        await asyncio.to_thread(thread.end, server.FAREWELL_S + 1)
    if thread.over.done():
        await over


def check_open_to_all(settings: Settings, ledger: Ledger) -> None:
    """Raise BadSetting if others can reach it without https and no password protects it."""
    if not (addresses.stays_here(settings) or addresses.is_https(settings) or passwords.which(ledger)):
        raise BadSetting(OPEN_TO_ALL.format(host=settings.furoshiki_dashboard_host))


@contextlib.contextmanager
def _open_socket(settings: Settings) -> Iterator[tuple[socket, Ledger]]:
    """Open the socket and the ledger, locked. Raises BadSetting, AlreadyRunning, CannotListen."""
    prepare(settings.data)
    ledger = Ledger(settings.data)
    check_open_to_all(settings, ledger)
    held = atomic_files.hold(settings.data / "run" / addresses.LOCK)
    if held is None:
        raise AlreadyRunning(ALREADY.format(address=addresses.usual(settings)))
    try:
        with server.bound(settings.furoshiki_dashboard_host, settings.furoshiki_dashboard_port) as at:
            yield at, ledger
    finally:
        os.close(held)


def _app(settings: Settings, ledger: Ledger) -> FastAPI:
    clock = SystemClock()
    world = build_world(settings, clock, minds_when_asked=True, cache_kb=CACHE_KB)
    return create_app(world, Gate(ledger, settings, clock.now))


async def _feed(notifier: Notifier) -> None:
    """Tell the service manager that the serving loop is alive."""
    while notifier.watchdog_s is not None:
        notifier.alive()
        await asyncio.sleep(notifier.watchdog_s / 3)
