"""The channel between a plugin and its broker: JSON Lines over a socket pair, in turn.

The plugin may send anything or nothing, or never read: lines, depth, number and time are limited.
Invalid requests get an error, or end the connection if a reply may not arrive.
"""

import contextlib
import json
import socket
from dataclasses import dataclass
from typing import Any

MOST_REQUESTS = 600
"""Maximum requests in one run."""

LONGEST_REQUEST = 1024 * 1024
"""Maximum bytes of a request line."""

LONGEST_REPLY = 4 * 1024 * 1024
"""Maximum bytes of a reply line; a server's largest answer (2 MB) fits as base64."""

SEND_S = 10.0
"""Timeout in seconds for sending a reply."""

_CHUNK = 1 << 16


@dataclass(frozen=True)
class Request:
    """A request. `id` is chosen by the plugin and returned in the reply."""

    id: int | str | None
    call: str
    args: dict[str, Any]


@dataclass(frozen=True)
class Garbled:
    """A line that is no valid request, with the reason."""

    reason: str


class Channel:
    """The broker's end of the socket pair. For one thread; any thread may call `close`."""

    def __init__(self, ours: socket.socket) -> None:
        self._socket = ours
        self._unread = bytearray()

    def next(self) -> Request | Garbled | None:
        """Wait for the next request; None when the connection has ended."""
        line = self._line()
        if line is None:
            return None
        if len(line) > LONGEST_REQUEST:
            self.send(None, error=f"a request may have {LONGEST_REQUEST} bytes: ask for less at a time")
            return None
        return _read(line)

    def send(self, id_: int | str | None, value: Any = None, error: str | None = None) -> bool:
        """Send a reply; False when it could not be delivered."""
        reply = {"id": id_, "ok": True, "value": value} if error is None else {"id": id_, "ok": False, "error": error}
        line = json.dumps(reply).encode() + b"\n"
        if len(line) > LONGEST_REPLY:
            line = json.dumps(
                {"id": id_, "ok": False, "error": f"the answer has more than {LONGEST_REPLY} bytes: ask for less"}
            ).encode()
            line += b"\n"
        try:
            self._socket.settimeout(SEND_S)
            self._socket.sendall(line)
        except OSError:
            return False
        return True

    def close(self) -> None:
        """Shut the connection down; waiting calls on both sides return."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def _line(self) -> bytes | None:
        """Read the next line without its end; returns early when it is too long."""
        self._socket.settimeout(None)
        looked_at = 0
        while True:
            end = self._unread.find(b"\n", looked_at)
            if end >= 0:
                line = bytes(self._unread[:end])
                del self._unread[: end + 1]
                return line
            if len(self._unread) > LONGEST_REQUEST:
                return bytes(self._unread)
            looked_at = len(self._unread)
            try:
                got = self._socket.recv(_CHUNK)
            except OSError:
                return None
            if not got:
                return None
            self._unread += got


def _read(line: bytes) -> Request | Garbled:
    try:
        found = json.loads(line)
        json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        return Garbled(f"a request is one JSON object on a line of its own, and this is none ({type(error).__name__})")
    if not isinstance(found, dict):
        return Garbled('a request is one JSON object: {"id": 1, "call": "read_db", "args": {}}')
    id_, call, args = found.get("id"), found.get("call"), found.get("args", {})
    if not isinstance(id_, int | str | None) or not isinstance(call, str) or not isinstance(args, dict):
        return Garbled('a request has an "id" (a number), a "call" (a name) and "args" (an object)')
    return Request(id_, call, args)
