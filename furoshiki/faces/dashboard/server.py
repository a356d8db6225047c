"""Serves the application on a socket until it is told to stop, with streams that end when it does."""

import asyncio
import contextlib
import errno
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import uvicorn
from starlette.datastructures import State
from starlette.types import Receive, Scope, Send

from furoshiki.core.errors import FuroshikiError
from furoshiki.faces.dashboard.connection import CONNECTIONS, Connection

FAREWELL_S = 3
"""Seconds that requests in the middle of something have when it stops."""

TICK_S = 1.0
KEPT_OPEN_S = 15
"""Seconds a connection stays open when nothing is asked."""

HEAD_BYTES = 32 * 1024
"""The most of the headers of a request."""


class Served(Protocol):
    """An application whose state says how everything it has open is closed."""

    state: State

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


class CannotListen(FuroshikiError):
    """The address cannot be used: the message says what stands against it, and what to change."""


class _Server(uvicorn.Server):
    """One that leaves signals to the program that runs it, and says when it answers."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None] | None, stop: asyncio.Event) -> None:
        super().__init__(config)
        self._ready = ready
        self._stop = stop

    async def main_loop(self) -> None:
        """Look after itself once a second (uvicorn does ten times), so that a machine nobody asks can rest."""
        now = asyncio.get_running_loop().time
        while not await self.on_tick(0):
            for one in list(self.server_state.connections):
                if isinstance(one, Connection):
                    one.look(now())
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), TICK_S)
                self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        if self._ready is not None and self.started:
            self._ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 takes a free one. Raises CannotListen."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # named as TCP, because asyncio sends at once (TCP_NODELAY) only then: else each answer waits 40 ms
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
    except OSError as error:
        made.close()
        raise CannotListen(
            f"the dashboard cannot listen on {host} port {port} ({error.strerror}): {_way_out(error)}"
        ) from error
    return made


def _way_out(error: OSError) -> str:
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return "this machine has no such address; set FUROSHIKI_DASHBOARD_HOST to one that it has (127.0.0.1)"
    if error.errno in (errno.EACCES, errno.EPERM):
        return "ports below 1024 are for administrators; choose another with FUROSHIKI_DASHBOARD_PORT"
    return "stop what uses it, or choose another with FUROSHIKI_DASHBOARD_PORT"


async def serve(
    app: Served,
    at: socket.socket,
    stop: asyncio.Event,
    ready: Callable[[], None] | None = None,
    certificate: Path | None = None,
) -> None:
    """Answer on a socket until `stop`; open streams end at once, requests have a few seconds. `ready` is called once
    it answers; with a certificate (its key in the same file) it speaks https."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # whom to believe about where a request comes from, the guard decides
        timeout_graceful_shutdown=FAREWELL_S,
        timeout_keep_alive=KEPT_OPEN_S,
        limit_concurrency=CONNECTIONS,
        h11_max_incomplete_event_size=HEAD_BYTES,
        http=Connection,
        ssl_certfile=certificate,
        ws="none",
        lifespan="on",
    )
    server = _Server(config, ready, stop)
    running = asyncio.create_task(server.serve([at]), name="dashboard")
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
    app.state.closing()
    server.should_exit = True
    stopping.cancel()
    await running


def make_stop_event() -> asyncio.Event:
    """What SIGTERM and SIGINT set, in the loop that runs, for a process that does nothing else."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop
