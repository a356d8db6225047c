"""The Unix socket server: one request per connection, for the owner's processes only."""

import contextlib
import json
import logging
import select
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from furoshiki.core.files import identity
from furoshiki.recall.retrieval.client import MOST_BYTES, reachable

AT_ONCE = 3  # concurrent requests; each waiting one costs a few kilobytes
PATIENCE_SECONDS = 10.0  # the timeout for a client to send its line or to read the answer
LOOK_EVERY_SECONDS = 10.0  # how often to check whether the socket's path still exists

log = logging.getLogger("memoryd")


class Server:
    """Answers requests until stopped, or until idle for `idle_seconds`."""

    def __init__(self, path: Path, answer: Callable[[object], dict[str, Any]], idle_seconds: float) -> None:
        self._path = path
        self._answer = answer
        self._idle_seconds = idle_seconds
        self._bell_in, self._bell_out = socket.socketpair()
        self._last = time.monotonic()
        self._open = 0
        self._counting = threading.Lock()
        self._listener = _make_listener(path)
        self._identity = identity(path)

    def stop(self) -> None:
        """End soon; may be called from a signal handler."""
        with contextlib.suppress(OSError):
            self._bell_in.send(b".")

    def serve(self, busy: Callable[[], bool]) -> str:
        """Answer until there is a reason to end, and return it. While `busy` it is not idle."""
        with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="answer") as pool:
            while True:
                if busy() or self._open:
                    self._last = time.monotonic()
                left = self._last + self._idle_seconds - time.monotonic()
                if left <= 0:
                    break
                if identity(self._path) != self._identity:
                    self._listener.close()
                    return "the socket was removed"
                ready, _, _ = select.select([self._listener, self._bell_out], [], [], min(left, LOOK_EVERY_SECONDS))
                if self._bell_out in ready:
                    self._close()
                    return "stopped"
                if self._listener in ready:
                    line, _ = self._listener.accept()
                    self._last = time.monotonic()
                    with self._counting:
                        self._open += 1
                    pool.submit(self._serve_one, line)
            self._close()
        return f"nobody asked for {self._idle_seconds / 60:.1f} minutes"

    def _close(self) -> None:
        # The next client finds no socket and starts a new memoryd.
        self._path.unlink(missing_ok=True)
        self._listener.close()

    def _serve_one(self, line: socket.socket) -> None:
        try:
            with line:
                line.settimeout(PATIENCE_SECONDS)
                request = _request(line)
                if request is not None:
                    line.sendall(json.dumps(self._answer(request)).encode() + b"\n")
        except OSError as error:
            log.debug("a client went away: %s", error)
        finally:
            with self._counting:
                self._open -= 1


def _request(line: socket.socket) -> object:
    """Read a request; invalid JSON gives an empty request, a closed connection None."""
    parts = bytearray()
    while not parts.endswith(b"\n"):
        part = line.recv(1 << 16)
        if not part:
            return None
        parts += part
        if len(parts) > MOST_BYTES:
            return {}
    try:
        return json.loads(parts)
    except (ValueError, RecursionError):
        return {}


def _make_listener(path: Path) -> socket.socket:
    """Return a listening socket at `path`, replacing a stale one; the caller holds the lock."""
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with reachable(path) as address:
        listener.bind(address)
    path.chmod(0o600)
    listener.listen(64)
    return listener
