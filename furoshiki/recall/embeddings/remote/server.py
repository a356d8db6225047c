"""Serve an encoder (vectors of texts) to other machines: over TLS, to clients with a token.

Nothing is stored: no text is written or logged, and no result is cached, since a cache would reveal
by its speed what others have asked. Texts are read one at a time, so that an urgent one waits for
at most a few of another client's import.
"""

import asyncio
import contextlib
import ipaddress
import json
import logging
import os
import socket
import ssl
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from furoshiki.core import numbers
from furoshiki.core.errors import BadSetting, FuroshikiError, in_words
from furoshiki.core.paths import stamp_of
from furoshiki.recall.embeddings.encoder import MOST_CHARS, Encoder
from furoshiki.recall.embeddings.remote import wire
from furoshiki.recall.embeddings.remote.tokens import Tokens

HEAD_S = 10.0
"""Seconds for the TLS handshake, and for the headers of a request from their first byte on."""

BODY_S = 15.0
KEPT_OPEN_S = 300
"""Seconds that an idle connection stays open, so that its next request needs one round trip."""

HEAD_BYTES = 16 * 1024
CONNECTIONS = 200
IN_FLIGHT = 64
IN_FLIGHT_EACH = 8
"""Concurrent requests: of all clients, and of one."""

TEXTS_A_SECOND = 500.0
TEXTS_AT_ONCE = 5_000.0
"""The rate limit of one client (above a processor's speed), and the burst after a quiet period."""

MOST_THREADS = 8
FAREWELL_S = 3.0
LOOK_S = 30.0
"""Seconds between checks for a renewed certificate."""

OPEN = (
    "{host} can be reached by other machines, so TLS is needed: make a certificate with\n"
    "  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 825 -subj /CN=furoshiki \\\n"
    "    -addext subjectAltName=DNS:NAME,IP:ADDRESS -keyout {key} -out {certificate}\n"
    "or name one with --certificate and --key"
)
READABLE = "{path} can be read by others: chmod 600 {path}"
NO_CERTIFICATE = "{certificate} and {key} are no certificate with its key ({why})"
TAKEN = "cannot listen at {host} port {port} ({why}): name an address this machine has, and a port that nothing uses"

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

log = logging.getLogger("encoder")


@dataclass(frozen=True)
class Certificate:
    """The files of a certificate and its key."""

    certificate: Path
    key: Path

    def context(self) -> ssl.SSLContext:
        """Return a TLS context with them. Raises BadSetting."""
        made = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        made.minimum_version = ssl.TLSVersion.TLSv1_2
        self.load(made)
        return made

    def load(self, into: ssl.SSLContext) -> None:
        """Load them into a context for new connections. Raises BadSetting."""
        try:
            if self.key.stat().st_mode & 0o077:
                raise BadSetting(READABLE.format(path=self.key))
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(self.certificate, self.key)
            into.load_cert_chain(self.certificate, self.key)  # a mismatched pair would invalidate the loaded one
        except ssl.SSLError as error:
            raise BadSetting(NO_CERTIFICATE.format(**vars(self), why=error.reason)) from error
        except OSError as error:
            raise BadSetting(in_words(error)) from error

    def stamps(self) -> object:
        """Return values that change when one of the files does."""
        return stamp_of(self.certificate), stamp_of(self.key)


class _Refused(Exception):
    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status, self.words = status, words


class _Client:
    """A client's requests under way, and its remaining texts."""

    def __init__(self, now: float) -> None:
        self.in_flight = 0
        self._left, self._at = TEXTS_AT_ONCE, now

    def takes(self, texts: int, now: float) -> bool:
        """Whether so many texts are within the rate limit; if so, count them."""
        self._left = min(TEXTS_AT_ONCE, self._left + (now - self._at) * TEXTS_A_SECOND)
        self._at = now
        if texts > self._left:
            return False
        self._left -= texts
        return True


class Application:
    """The ASGI application with its single endpoint."""

    def __init__(self, encoder: Encoder, tokens: Tokens) -> None:
        self._encoder = encoder
        self._tokens = tokens
        self._clients: dict[str, _Client] = {}
        self._in_flight = 0
        self._threads = ThreadPoolExecutor(min(MOST_THREADS, os.cpu_count() or 1), "encode")
        self._refusal_told = float("-inf")

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request; never raises."""
        try:
            status, answer = 200, await self._answer(scope, receive)
        except _Refused as refused:
            status, answer = refused.status, {"error": refused.words}
        except TimeoutError:
            status, answer = 408, {"error": "the request did not come in time"}
        except FuroshikiError as error:
            log.error("%s", error)
            status, answer = 500, {"error": "see the log of the encoder's server"}
        except Exception as error:  # outermost handler: the message may contain text, so only the type is logged
            log.error("a request could not be answered: %s", type(error).__name__)
            status, answer = 500, {"error": "see the log of the encoder's server"}
        body = json.dumps(answer).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        headers += [(wire.VERSION.encode(), wire.PROTOCOL.encode()), (b"cache-control", b"no-store")]
        if status >= 400 and status != 409:  # the rest of the request's body is not read
            headers.append((b"connection", b"close"))
        with contextlib.suppress(OSError):
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": body})

    async def _answer(self, scope: dict[str, Any], receive: Receive) -> dict[str, Any]:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        scheme, _, token = headers.get("authorization", "").partition(" ")
        name = self._tokens.client(token) if scheme == "Bearer" else None
        now = asyncio.get_running_loop().time()
        if name is None:
            if now - self._refusal_told > 60.0:
                self._refusal_told = now
                log.warning("refused: no token, or none of ours, from %s", (scope.get("client") or ("nowhere",))[0])
            raise _Refused(401, "no such token")
        if headers.get(wire.VERSION) != wire.PROTOCOL:
            raise _Refused(426, f"this side speaks version {wire.PROTOCOL}")
        if (scope["method"], scope["path"]) != ("POST", wire.ENCODE):
            raise _Refused(404, f"only POST {wire.ENCODE}")
        client = self._clients.setdefault(name, _Client(now))
        if self._in_flight >= IN_FLIGHT or client.in_flight >= IN_FLIGHT_EACH:
            raise _Refused(429, "too many requests at a time")
        self._in_flight += 1
        client.in_flight += 1
        try:
            async with asyncio.timeout(BODY_S):
                request = _parse_request(await _body(receive, headers))
            if not client.takes(len(request.texts), now):
                raise _Refused(429, "too many texts in a short time")
            if request.model not in (None, self._encoder.id):
                raise _Refused(409, f"the encoder is {self._encoder.id}")
            return await self._encode(request, receive)
        finally:
            self._in_flight -= 1
            client.in_flight -= 1

    async def _encode(self, asked: "_Asked", receive: Receive) -> dict[str, Any]:
        loop = asyncio.get_running_loop()
        disconnected = loop.create_task(_wait_for_disconnect(receive))
        encoded: list[dict[str, Any] | None] = []
        try:
            for text in asked.texts:
                if disconnected.done():
                    raise _Refused(499, "nobody waits for it")
                encoded.append(await loop.run_in_executor(self._threads, self._one, text, asked.tokens))
        finally:
            disconnected.cancel()
        return {"model": self._encoder.id, "dimensions": self._encoder.dimensions, "made": encoded}

    def _one(self, text: str, tokens: bool) -> dict[str, Any] | None:
        try:
            vector, token_rows = self._encoder.encode_tokens(text)
            return wire.pack(vector, token_rows if tokens else None, self._encoder.pieces(text) if tokens else [])
        except (RuntimeError, ValueError, TypeError) as error:
            log.warning("a text cannot be encoded: %s", type(error).__name__)
            return None


@dataclass(frozen=True)
class _Asked:
    texts: list[str]
    tokens: bool
    model: str | None


def _parse_request(body: bytes) -> _Asked:
    try:
        parsed = json.loads(body)
        texts, tokens, model = parsed["texts"], parsed["tokens"], parsed["model"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise _Refused(400, "an object with texts, tokens and model") from None
    if not isinstance(texts, list) or not all(isinstance(text, str) and len(text) <= MOST_CHARS for text in texts):
        raise _Refused(400, f"texts must be a list of strings of at most {MOST_CHARS} characters")
    if len(texts) > wire.MOST_TEXTS:
        raise _Refused(413, f"more than {wire.MOST_TEXTS} texts")
    if not isinstance(tokens, bool) or not isinstance(model, str | None):
        raise _Refused(400, "tokens must be true or false, model a text or null")
    return _Asked(texts, tokens, model)


async def _body(receive: Receive, headers: dict[str, str]) -> bytes:
    length = headers.get("content-length", "0")
    if numbers.whole(length, 0, wire.MOST_REQUEST) is None:
        raise _Refused(413, f"more than {wire.MOST_REQUEST} bytes")
    body, more = bytearray(), True
    while more:
        part = await receive()
        if part["type"] != "http.request":
            raise _Refused(499, "nobody waits for it")
        body += part.get("body", b"")
        more = part.get("more_body", False)
        if len(body) > wire.MOST_REQUEST:
            raise _Refused(413, f"more than {wire.MOST_REQUEST} bytes")
    return bytes(body)


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class _Connection(H11Protocol):
    """A connection with deadlines, so that slow clients cannot block others. If the limit is
    reached, the connection that has been idle for longest is closed."""

    _hurry: asyncio.TimerHandle | None = None
    _heard_at = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the deadline for the first request."""
        super().connection_made(transport)
        self._hurry = self.loop.call_later(HEAD_S, transport.close)
        self._heard_at = self.loop.time()
        idle = [one for one in self.connections if isinstance(one, _Connection) and one is not self and one._between()]
        if idle and len(self.connections) >= CONNECTIONS:
            oldest = min(idle, key=lambda one: one._heard_at)
            self.connections.discard(oldest)
            oldest.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Process received data and update the deadline."""
        self._heard_at = self.loop.time()
        if self._hurry is None and self._between():
            self._hurry = self.loop.call_later(HEAD_S, self.transport.close)
        super().data_received(data)
        if self._hurry is not None and not self._between():
            self._hurry.cancel()
            self._hurry = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the deadline of a closed connection."""
        if self._hurry is not None:
            self._hurry.cancel()
        super().connection_lost(exc)

    def _between(self) -> bool:
        return self.cycle is None or self.cycle.response_complete


def bound(host: str, port: int) -> socket.socket:
    """Return a bound socket; port 0 selects a free one. Raises FuroshikiError."""
    listening = socket.socket(
        socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP
    )
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise FuroshikiError(TAKEN.format(host=host, port=port, why=error.strerror)) from error
    return listening


def is_this_machine(host: str) -> bool:
    """Whether an address is reachable only from this machine."""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


async def serve(
    application: Application, at: socket.socket, certificate: Certificate | None, ready: Callable[[], None]
) -> None:
    """Answer until cancelled; then wait FAREWELL_S. `ready` is called once it answers."""
    context = None if certificate is None else certificate.context()
    config = uvicorn.Config(
        application,
        log_config=None,
        access_log=False,
        proxy_headers=False,
        timeout_keep_alive=KEPT_OPEN_S,
        limit_concurrency=CONNECTIONS,
        h11_max_incomplete_event_size=HEAD_BYTES,
        http=_Connection,
        ws="none",
        lifespan="off",
    )
    config.load()
    state, loop = ServerState(), asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: _Connection(config, state, {}),
        sock=at,
        ssl=context,
        ssl_handshake_timeout=None if context is None else HEAD_S,
    )
    ready()
    try:
        await _watch_certificate(certificate, context)
    finally:
        server.close()
        for connection in list(state.connections):
            connection.shutdown()
        if state.tasks:
            await asyncio.wait(state.tasks, timeout=FAREWELL_S)


async def _watch_certificate(certificate: Certificate | None, context: ssl.SSLContext | None) -> None:
    """Reload a renewed certificate, forever."""
    stamps = None if certificate is None else certificate.stamps()
    while True:
        await asyncio.sleep(LOOK_S)
        if certificate is None or context is None or certificate.stamps() == stamps:
            continue
        stamps = certificate.stamps()
        try:
            certificate.load(context)
            log.info("the certificate was renewed")
        except BadSetting as error:
            log.error("%s; the one from before is used", error)
