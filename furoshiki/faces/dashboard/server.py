"""Serves the application on a socket until it is stopped; open streams end with it."""

import asyncio
import contextlib
import errno
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import h11
import uvicorn
from starlette.datastructures import State
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from furoshiki.core.errors import FuroshikiError
from furoshiki.faces.dashboard.access.rules import patience
from furoshiki.faces.dashboard.access.rules.patience import Phase

FAREWELL_S = 3  # seconds for running requests to finish at a stop

TICK_S = 1.0
KEPT_OPEN_S = 15  # seconds that an idle connection stays open
HEAD_BYTES = 32 * 1024  # bytes of a request's headers at most


class Served(Protocol):
    """An ASGI application whose state has a function that closes its resources."""

    state: State

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


class CannotListen(FuroshikiError):
    """The address cannot be used: the message says what stands against it, and what to change."""


class _Server(uvicorn.Server):
    """A server that leaves signals to its program, and reports when it answers."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None] | None, stop: asyncio.Event) -> None:
        super().__init__(config)
        self._ready = ready
        self._stop = stop

    async def main_loop(self) -> None:
        """Run the tick once a second (uvicorn: ten times), to let an idle machine sleep."""
        now = asyncio.get_running_loop().time
        while not await self.on_tick(0):
            for one in list(self.server_state.connections):
                if isinstance(one, Connection):
                    one.look(now())
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), TICK_S)
                self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start serving and call `ready`."""
        await super().startup(sockets)
        if self._ready is not None and self.started:
            self._ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def bound(host: str, port: int) -> socket.socket:
    """Return a bound socket; port 0 takes a free one. Raises CannotListen."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # named as TCP, because asyncio sets TCP_NODELAY only then: otherwise each answer waits 40 ms
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
    """Serve on a socket until `stop`; open streams end at once, requests have `FAREWELL_S` seconds.
    Calls `ready` once it answers; with a certificate (key in the same file) it uses https."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the guard decides which proxies to trust
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


# -- a connection with timeouts for heads, bodies and answers --
#
# The server checks all of them once a second (`look`). When all places are taken, the connection that
# has been asking longest is closed for a new one.


CONNECTIONS = 400  # connections at once: fifty pages with their streams, with some reserve

_TOLD = b"Too many connections from your address: close some, and come again in a minute.\n"
TOO_MANY = (
    b"HTTP/1.1 429 Too Many Requests\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 60\r\n"
    b"connection: close\r\ncontent-length: %d\r\n\r\n%b" % (len(_TOLD), _TOLD)
)


class Connection(H11Protocol):
    """A connection that is closed when the client is too slow."""

    _phase: Phase = "asking"
    _since = 0.0
    _received = 0
    _begun = False
    peer: str | None = None  # the key under which it is counted; None: not counted

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or refuse it if its address has too many."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self.peer = patience.peer(self.client[0]) if self.client else None
        others = [one for one in self.connections if isinstance(one, Connection)]
        if self.peer is not None and sum(one.peer == self.peer for one in others) > patience.FROM_ONE_PEER:
            transport.write(TOO_MANY)
            transport.close()
        elif len(others) >= CONNECTIONS:
            asking = [one for one in others if one is not self and one.keeps_waiting]
            if asking:
                min(asking, key=lambda one: one._since).transport.abort()

    def data_received(self, data: bytes) -> None:
        """Handle received data, and restart the timeout as needed."""
        if self._phase == "sending":
            self._received += len(data)
        super().data_received(data)
        now = self.loop.time()
        self._note(now)
        if self._phase == "asking" and not self._begun:
            self._begun, self._since = True, now

    def on_response_complete(self) -> None:
        """Note that an answer is being sent."""
        super().on_response_complete()
        self._note(self.loop.time())

    def look(self, now: float) -> None:
        """Close the connection if its phase has timed out."""
        if self._phase == "sending" and self.flow.read_paused:
            self._since = now  # we have paused reading
        self._note(now)
        allowed = patience.seconds(self._phase, self._received)
        if allowed is not None and now - self._since > allowed:
            self.transport.abort()

    @property
    def keeps_waiting(self) -> bool:
        """Whether the client is to act, not the server."""
        return self._phase != "waiting"

    def _note(self, now: float) -> None:
        phase = self._now()
        if phase != self._phase:
            self._phase, self._since, self._received, self._begun = phase, now, 0, False

    def _now(self) -> Phase:
        if self.transport.is_closing():
            return "ending"
        if self.flow.write_paused:
            return "reading"
        answered = self.cycle is None or self.cycle.response_complete
        if self.conn.their_state is h11.SEND_BODY:
            return "answered" if answered else "sending"
        return "asking" if answered else "waiting"
