"""A proxy on loopback that speaks HTTP (CONNECT and whole addresses) and SOCKS 5, and records who passed.

Whatever host is asked for, it connects to 127.0.0.1: a server of a test has a name that nobody else could look up, so
that only what went through here can have reached it.
"""

from __future__ import annotations

import base64
import contextlib
import re
import socket
import threading
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self


@dataclass
class ProxyEmulator:
    """Listens until it is left. With `secret` ("user:password") it lets nobody else through."""

    secret: str = ""
    passed: list[tuple[str, str]] = field(default_factory=list)
    """How (connect, forward, socks5) and to which host ("telegram.test:8081")."""

    def __post_init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, name="proxy", daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes who accepts
        self._listener.close()

    def url(self, scheme: str) -> str:
        """Its address, with who may pass."""
        who = f"{self.secret}@" if self.secret else ""
        return f"{scheme}://{who}127.0.0.1:{self.port}"

    def hosts(self) -> set[str]:
        """The names of those that were asked for, without their ports."""
        return {where.rpartition(":")[0] for _how, where in list(self.passed)}

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                made, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(made,), daemon=True).start()

    def _serve(self, made: socket.socket) -> None:
        with made, contextlib.suppress(OSError, IndexError, ValueError):
            first = made.recv(1)
            there = self._by_socks(made) if first == b"\x05" else self._by_http(made, first)
            if there is None:
                return
            with there:
                back = threading.Thread(target=_poured, args=(there, made), daemon=True)
                back.start()
                _poured(made, there)
                back.join()

    def _by_http(self, made: socket.socket, head: bytes) -> socket.socket | None:
        while b"\r\n\r\n" not in head:
            head += made.recv(1)
        method, target, _version = head.split(b"\r\n", 1)[0].decode().split()
        wanted = base64.b64encode(self.secret.encode())
        if self.secret and b"Basic " + wanted not in head:
            made.sendall(b"HTTP/1.1 407 Who are you\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return None
        if method == "CONNECT":
            self.passed.append(("connect", target))
            there = _port_of(target)
            made.sendall(b"HTTP/1.1 200 Go on\r\n\r\n")
            return there
        found = re.fullmatch(r"http://([^/]+)(.*)", target)
        assert found is not None
        self.passed.append(("forward", found[1] if ":" in found[1] else f"{found[1]}:80"))
        there = _port_of(found[1])
        there.sendall(head.replace(target.encode(), found[2].encode() or b"/", 1).replace(b"keep-alive", b"close"))
        return there

    def _by_socks(self, made: socket.socket) -> socket.socket | None:
        methods = made.recv(made.recv(1)[0])
        if self.secret:
            if 2 not in methods:
                made.sendall(b"\x05\xff")
                return None
            made.sendall(b"\x05\x02")
            made.recv(1)
            user = made.recv(made.recv(1)[0])
            right = user + b":" + made.recv(made.recv(1)[0]) == self.secret.encode()
            made.sendall(b"\x01" + (b"\x00" if right else b"\x01"))
            if not right:
                return None
        else:
            made.sendall(b"\x05\x00")
        kind = made.recv(4)[3]
        host = made.recv(made.recv(1)[0]).decode() if kind == 3 else socket.inet_ntoa(made.recv(4))
        where = f"{host}:{int.from_bytes(made.recv(2), 'big')}"
        self.passed.append(("socks5", where))
        there = _port_of(where)
        made.sendall(b"\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00")
        return there


def _port_of(where: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", int(where.rpartition(":")[2])), 5.0)


def _poured(out_of: socket.socket, into: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while piece := out_of.recv(1 << 16):
            into.sendall(piece)
    for one in (out_of, into):
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
