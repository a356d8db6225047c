"""HTTP requests for a plugin, which has no network of its own.

A name is resolved once, every address is checked, and the connection uses a checked address with
the certificate verified for the name, so that DNS rebinding has no effect. Redirects are followed
here and checked again. A proxy gets the checked address; the owner's own hosts are reached
directly. No cookies, and no information about this machine.
"""

import base64
import binascii
import http.client
import logging
import re
import socket
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urljoin

from furoshiki.extensions.plugins.broker import connecting
from furoshiki.extensions.plugins.broker.connecting import Resolve
from furoshiki.extensions.plugins.rules.hosts import NotAllowed, Place, Target, target

log = logging.getLogger(__name__)

LONGEST_ANSWER = 2 * 1024 * 1024  # maximum bytes of a response body, decompressed
LONGEST_BODY = 512 * 1024  # maximum bytes of a request body

REDIRECTS = 5
MOST_S = 30.0  # timeout of a request in seconds, redirects included; a plugin may ask for less

# the last two are queries of CalDAV and CardDAV
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "PROPFIND", "REPORT"})

# allowed request headers, besides "x-…": none about the connection or its endpoints
_HEADERS = frozenset(
    {
        *("accept", "accept-language", "authorization", "content-type", "if-match", "if-modified-since"),
        *("if-none-match", "if-unmodified-since", "depth", "prefer", "range", "user-agent"),
    }
)

_NOT_OURS = re.compile(r"x-(?:forwarded|real-ip|original|http-method)", re.IGNORECASE)
# headers removed when redirected to another host: any "x-…" may contain a key
_SECRET = re.compile(r"authorization$|cookie|x-", re.IGNORECASE)

_HEADER_NAME = re.compile(r"[A-Za-z0-9-]{1,60}")
_HEADER_VALUE = re.compile(r"[\x20-\x7e]{0,4000}")
_MOVED = frozenset({301, 302, 303, 307, 308})
_ABOUT_THE_BODY = frozenset({"content-type"})
_CHUNK = 1 << 16


@dataclass(frozen=True)
class Asked:
    """A request by a plugin."""

    url: str
    method: str = "GET"
    headers: Mapping[str, str] | None = None
    body: bytes | None = None
    timeout_s: float = 10.0

    @classmethod
    def read(cls, args: Mapping[str, Any]) -> "Asked":
        """Parse the arguments of the call, the body as base64. Raises NotAllowed."""
        url, method, seconds = args.get("url"), args.get("method", "GET"), args.get("timeout", 10)
        if not isinstance(url, str) or not isinstance(method, str) or method.upper() not in METHODS:
            raise NotAllowed(f'fetch needs a "url", and as "method" one of {", ".join(sorted(METHODS))}')
        if not isinstance(seconds, int | float) or not seconds > 0:
            raise NotAllowed('"timeout" is a number of seconds')
        try:
            body = None if args.get("body") is None else base64.b64decode(args["body"], validate=True)
        except (binascii.Error, TypeError, ValueError):
            raise NotAllowed('"body" is the bytes to send, as base64') from None
        if body is not None and len(body) > LONGEST_BODY:
            raise NotAllowed(f"a request may send {LONGEST_BODY} bytes, not {len(body)}")
        return cls(url, method.upper(), _headers(args.get("headers") or {}), body, float(min(seconds, MOST_S)))


@dataclass(frozen=True)
class Way:
    """Allowed targets of a plugin: approved hosts, settings that name hosts, and local hosts."""

    allowed: tuple[str, ...]
    settings: Mapping[str, str]
    local: tuple[Place, ...]


def fetch(asked: Asked, way: Way, plugin: str, resolve: Resolve = connecting.resolve_host) -> dict[str, Any]:
    """Return `status`, `headers`, and `body` (base64). Raises NotAllowed, for the author."""
    deadline = time.monotonic() + asked.timeout_s
    for _ in range(REDIRECTS + 1):
        where = target(asked.url, way.allowed, way.settings, way.local)
        answer = _once(asked, where, deadline, resolve)
        log.info("plugin %s: %s %s: %s, %d bytes", plugin, asked.method, where.host, answer.status, len(answer.body))
        onward = answer.headers.get("location")
        if answer.status not in _MOVED or not onward:
            body = base64.b64encode(answer.body).decode()
            return {"status": answer.status, "headers": answer.headers, "body": body}
        asked = _follow_redirect(asked, where, answer.status, onward, way)
    raise NotAllowed(f"it was sent on more than {REDIRECTS} times")


def _follow_redirect(asked: Asked, where: Target, status: int, onward: str, way: Way) -> Asked:
    """Return the checked request for a redirect, without secrets for another host."""
    url = urljoin(asked.url, onward)
    then = target(url, way.allowed, way.settings, way.local)
    headers, method, body = dict(asked.headers or {}), asked.method, asked.body
    if (then.scheme, then.host, then.port) != (where.scheme, where.host, where.port):
        headers = {name: value for name, value in headers.items() if not _SECRET.match(name)}
    if status == 303 or (status in (301, 302) and method == "POST"):
        method, body = ("HEAD" if method == "HEAD" else "GET"), None
        headers = {name: value for name, value in headers.items() if name.lower() not in _ABOUT_THE_BODY}
    return replace(asked, url=url, method=method, headers=headers, body=body)


@dataclass(frozen=True)
class _Answer:
    status: int
    headers: dict[str, str]
    body: bytes


def _once(asked: Asked, where: Target, deadline: float, resolve: Resolve) -> _Answer:
    """Send one request to a checked address and read the response."""
    try:
        with connecting.connected(where, deadline, resolve) as made:
            connection = _Pinned(where, made)
            sent = {"User-Agent": "furoshiki-plugin", **(asked.headers or {}), "Accept-Encoding": "identity"}
            connection.request(asked.method, where.path, asked.body, {**sent, "Connection": "close"})
            answer = connection.getresponse()
            headers = {name.lower(): value for name, value in answer.getheaders()}
            body = b"" if asked.method == "HEAD" else _body(answer, headers.get("content-encoding", ""))
            return _Answer(answer.status, headers, body)
    except (OSError, http.client.HTTPException, ValueError) as error:
        late = time.monotonic() >= deadline
        why = f"did not answer within {asked.timeout_s:g} s" if late else connecting.explain_failure(error)
        raise NotAllowed(f"{where.host} {why}") from None


class _Pinned(http.client.HTTPConnection):
    """An HTTP connection over an existing socket that never reconnects."""

    def __init__(self, where: Target, made: socket.socket) -> None:
        super().__init__(where.host, where.port)
        self.sock = made
        self.auto_open = 0


def _body(answer: http.client.HTTPResponse, packed: str) -> bytes:
    """Read and decompress the body, up to the limit."""
    if packed.lower() not in ("", "identity", "gzip", "x-gzip", "deflate"):
        raise NotAllowed(f"the server packs its answer as {packed[:40]}, which nobody asked for")
    unpacking = zlib.decompressobj(47) if packed.lower() not in ("", "identity") else None  # gzip or zlib
    found, came = bytearray(), 0
    while chunk := answer.read(_CHUNK):
        came += len(chunk)
        if unpacking is not None:
            chunk = _decompress(unpacking, chunk, LONGEST_ANSWER + 1 - len(found))
        found += chunk
        if len(found) > LONGEST_ANSWER:
            raise NotAllowed(f"the answer has more than {LONGEST_ANSWER} bytes: ask for less")
    if unpacking is not None and came and not unpacking.eof:
        raise NotAllowed("the answer cannot be unpacked")
    return bytes(found)


def _decompress(unpacking: Any, chunk: bytes, most: int) -> bytes:
    try:
        return bytes(unpacking.decompress(chunk, most))
    except zlib.error:
        raise NotAllowed("the answer cannot be unpacked") from None


def _headers(given: object) -> dict[str, str]:
    if not isinstance(given, dict):
        raise NotAllowed('"headers" is an object of names and texts')
    for name, value in given.items():
        allowed = name.lower() in _HEADERS or (name.lower().startswith("x-") and not _NOT_OURS.match(name))
        if not _HEADER_NAME.fullmatch(name) or not allowed:
            raise NotAllowed(f"the header {name[:60]!r} may not be sent: {', '.join(sorted(_HEADERS))}, and x-… may")
        if not isinstance(value, str) or not _HEADER_VALUE.fullmatch(value):
            raise NotAllowed(f"the header {name} is to be a text of ASCII signs on one line, at most 4,000")
    return dict(given)
