"""A real Chroma server, and a way to it that can be broken: cut, hanging, or guarded by somebody who wants a token."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import httpx2
import pytest

START_SECONDS = 60


@contextlib.contextmanager
def running(folder: Path) -> Iterator[str]:
    """`chroma run` over a folder, at a port of its own; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).parent / "chroma"), "run", "--path", str(folder), "--port", str(port)]
    with folder.with_suffix(".log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder.parent)
    url = f"http://127.0.0.1:{port}"
    try:
        give_up = time.monotonic() + START_SECONDS
        while True:
            try:
                httpx2.get(f"{url}/api/v2/heartbeat", trust_env=False)
                break
            except httpx2.HTTPError:
                assert time.monotonic() < give_up
                time.sleep(0.1)
        yield url
    finally:
        process.kill()
        process.wait(10)


class Way:
    """What stands between a companion and the server at `url`."""

    def __init__(self, url: str) -> None:
        self._there = ("127.0.0.1", int(url.rpartition(":")[2]))
        self.how: Literal["open", "hangs", "cut"] = "open"
        self.token: str | None = None
        """What a request must bring to be let through."""
        self.asked = 0
        """Connections so far."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._ended = threading.Event()
        self._lines: list[socket.socket] = [self._listener]
        threading.Thread(target=self._accept, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def becomes(self, how: Literal["open", "hangs", "cut"]) -> None:
        """Behave so from now on, towards those who are connected too."""
        self.how = how
        if how != "hangs":
            for line in self._lines[1:]:
                _end(line)
            del self._lines[1:]

    def close(self) -> None:
        """End."""
        self._ended.set()
        for line in self._lines:
            _end(line)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while not self._ended.is_set():
                line, _ = self._listener.accept()
                self.asked += 1
                if self.how == "cut":
                    _end(line)
                    continue
                there = socket.create_connection(self._there)
                self._lines += [line, there]
                threading.Thread(target=self._carry, args=(line, there, True), daemon=True).start()
                threading.Thread(target=self._carry, args=(there, line, False), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket, asking: bool) -> None:
        with contextlib.suppress(OSError):
            while part := source.recv(1 << 16):
                while self.how == "hangs" and not self._ended.wait(0.01):
                    pass
                is_head = asking and part.startswith((b"GET ", b"POST ", b"DELETE "))
                if is_head and self.token is not None and self.token.encode() not in part:
                    source.sendall(b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
                    break
                target.sendall(part)
        _end(source)
        _end(target)


@pytest.fixture(scope="session")
def chroma_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real Chroma server, one for all tests that ask for it."""
    with running(tmp_path_factory.mktemp("chroma") / "server") as url:
        yield url


@pytest.fixture
def way(chroma_server: str) -> Iterator[Way]:
    """A way to it."""
    made = Way(chroma_server)
    yield made
    made.close()


def databases(url: str, tenant: str) -> list[str]:
    """What a tenant has on a server."""
    found = httpx2.get(f"{url}/api/v2/tenants/{tenant}/databases", trust_env=False).json()
    return [one["name"] for one in found]


def _end(line: socket.socket) -> None:
    with contextlib.suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
    line.close()
