"""A connection with timeouts for heads, bodies and answers, so that idle clients cannot hold it.

The server checks all of them once a second (`look`). When all places are taken, the connection that
has been asking longest is closed for a new one.
"""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from furoshiki.faces.dashboard.access.rules import patience
from furoshiki.faces.dashboard.access.rules.patience import Phase

CONNECTIONS = 400
"""Connections at once: fifty pages with their streams, with some reserve."""

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
    peer: str | None = None
    """The key under which it is counted; None: not counted."""

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
