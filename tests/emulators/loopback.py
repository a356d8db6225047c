"""A small HTTP/1.1 server on loopback whose connections can be cut, and which can leave the port and come back.

Both emulators stand on it. The standard library's server is left alone because it can do neither: here an answer may
be withheld after the work was done (`Cut`), torn in the middle of a stream, or the port closed and opened again.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import struct
import threading
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from io import BufferedReader
from urllib.parse import parse_qsl, urlsplit

BACKLOG = 128
GLANCE_SECONDS = 0.02
"""How often a waiting answer looks whether anybody still listens."""
STOP_SECONDS = 5.0
"""How long `stop` waits for the threads of open connections."""


@dataclass(frozen=True)
class Request:
    """One HTTP request, its body read in full; header names are lower case."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes
    gone: Callable[[], bool] = field(default=lambda: False, compare=False)
    """Asks whether the client has already hung up."""


@dataclass(frozen=True)
class Reply:
    """One HTTP answer: a body, or a stream of chunks that are sent as they come."""

    status: int = 200
    body: bytes = b""
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    chunks: Generator[bytes, None, None] | None = None
    """Closed when the client hangs up before its end."""


class Cut(Exception):
    """Raised by the answering function: hang up without (the rest of) an answer; `reset` sends RST instead of FIN."""

    def __init__(self, reason: str = "cut", *, reset: bool = False) -> None:
        super().__init__(reason)
        self.reset = reset


class Loopback:
    """Listens on 127.0.0.1 and hands every request to `answer`, one thread a connection. Close it with `stop`."""

    def __init__(self, answer: Callable[[Request], Reply], port: int = 0) -> None:
        self._answer = answer
        self._listener: socket.socket | None = None
        self._connections: set[socket.socket] = set()
        self._threads: set[threading.Thread] = set()
        self._lock = threading.Lock()
        self.stopping = threading.Event()
        self.port = port
        self.online()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def online(self) -> None:
        """Listens (again) on the port chosen at the start; does nothing when it already does."""
        if self._listener is not None:
            return
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        listener.listen(BACKLOG)
        self.port = listener.getsockname()[1]
        self._listener = listener
        self._spawn(self._accept, listener)

    def offline(self) -> None:
        """Leaves the port (new connections are refused) and cuts every open connection."""
        listener, self._listener = self._listener, None
        if listener is not None:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)  # wakes the accepting thread
            listener.close()
        with self._lock:
            connections = list(self._connections)
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def stop(self) -> None:
        """Closes everything and waits for the threads; raises RuntimeError when one does not end."""
        self.stopping.set()
        self.offline()
        with self._lock:
            threads = list(self._threads)
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join(STOP_SECONDS)
                if thread.is_alive():
                    raise RuntimeError(f"emulator thread {thread.name} did not end")

    def pause(self, seconds: float, request: Request | None = None) -> None:
        """Waits inside an answer; a stop of the server, or `request`'s client hanging up, ends wait and connection."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if self.stopping.wait(min(left, GLANCE_SECONDS)):
                raise Cut("stopped")
            if request is not None and request.gone():
                raise Cut("cancelled")

    def _spawn(self, work: Callable[[socket.socket], None], sock: socket.socket) -> None:
        def run() -> None:
            try:
                work(sock)
            finally:
                with self._lock:
                    self._threads.discard(threading.current_thread())

        thread = threading.Thread(target=run, name=f"emulator-{self.port}", daemon=True)
        with self._lock:  # a stop joins only what has started
            self._threads.add(thread)
            thread.start()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                self._connections.add(connection)
            self._spawn(self._converse, connection)

    def _converse(self, connection: socket.socket) -> None:
        reader = connection.makefile("rb")
        try:
            while not self.stopping.is_set() and self._listener is not None:
                request = _read(reader, connection)
                if request is None or not _write(connection, request, self._answer(request)):
                    return
        except Cut as cut:
            if cut.reset:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        except (OSError, ValueError, http.client.HTTPException):
            return  # the client hung up or sent rubbish; either way the talk is over
        finally:
            with self._lock:
                self._connections.discard(connection)
            reader.close()
            with contextlib.suppress(OSError):
                if not _lingers(connection):
                    connection.shutdown(socket.SHUT_RDWR)
            connection.close()


def _lingers(connection: socket.socket) -> bool:
    on, seconds = struct.unpack("ii", connection.getsockopt(socket.SOL_SOCKET, socket.SO_LINGER, 8))
    return bool(on) and seconds == 0


def _read(reader: BufferedReader, connection: socket.socket) -> Request | None:
    line = reader.readline(65537)
    if not line.strip():
        return None
    method, target, _version = line.decode("latin-1").split(None, 2)
    headers = {name.lower(): value for name, value in http.client.parse_headers(reader).items()}
    if headers.get("expect", "").lower() == "100-continue":
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
    parts = urlsplit(target)
    return Request(
        method=method,
        path=parts.path,
        query=dict(parse_qsl(parts.query, keep_blank_values=True)),
        headers=headers,
        body=_body(reader, headers),
        gone=lambda: _gone(connection),
    )


def _body(reader: BufferedReader, headers: Mapping[str, str]) -> bytes:
    if "chunked" not in headers.get("transfer-encoding", "").lower():
        return reader.read(int(headers.get("content-length") or 0))
    body = bytearray()
    while size := int(reader.readline().split(b";")[0], 16):
        body += reader.read(size)
        reader.readline()
    while reader.readline().strip():
        pass
    return bytes(body)


def _gone(connection: socket.socket) -> bool:
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def _write(connection: socket.socket, request: Request, reply: Reply) -> bool:
    """Sends the answer; True when the connection may be used again."""
    keep = request.headers.get("connection", "").lower() != "close"
    head = [f"HTTP/1.1 {reply.status} {http.client.responses.get(reply.status, 'Unknown')}"]
    head += [f"Content-Type: {reply.content_type}", f"Connection: {'keep-alive' if keep else 'close'}"]
    head += [f"{name}: {value}" for name, value in reply.headers.items()]
    head.append(f"Content-Length: {len(reply.body)}" if reply.chunks is None else "Transfer-Encoding: chunked")
    connection.sendall("\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + reply.body)
    if reply.chunks is not None:
        with contextlib.closing(reply.chunks) as chunks:
            for chunk in chunks:
                if chunk:
                    connection.sendall(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
        connection.sendall(b"0\r\n\r\n")
    return keep
