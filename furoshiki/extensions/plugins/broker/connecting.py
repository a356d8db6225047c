"""Connections to servers for a plugin, which has no network: every address is checked first.

A name is resolved once, and the connection uses a checked address with the certificate verified for
the name. The owner's own hosts are reached directly, others through the configured proxy.
"""

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator

from furoshiki.core.network import outbound
from furoshiki.extensions.plugins.rules.hosts import NotAllowed, Target, is_public

Resolve = Callable[[str, int], list[str]]  # Resolves a host and port to addresses. Raises OSError.


def resolve_host(host: str, port: int) -> list[str]:
    """Resolve a host with the system's resolver. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(one[4][0]) for one in found))


@contextlib.contextmanager
def connected(
    where: Target,
    deadline: float,
    resolve: Resolve = resolve_host,
    before: Callable[[socket.socket], None] | None = None,
) -> Iterator[socket.socket]:
    """Connect to the first responding address, until `deadline` (monotonic clock); with TLS
    verified for the host unless the scheme is http. `before` runs on the plain connection until the
    server is ready for TLS (STARTTLS). Raises NotAllowed, OSError."""
    trouble: OSError = OSError("it has no address")
    for address in _judge_addresses(where, resolve):
        try:
            made = _connect(where, address, max(0.1, deadline - time.monotonic()))
        except OSError as error:
            trouble = error
            continue
        with made, _until(deadline, made):
            if where.scheme == "http":
                yield made
                return
            if before is not None:
                before(made)
            with outbound.road().certificates().wrap_socket(made, server_hostname=where.host) as checked:
                yield checked
            return
    raise trouble


def explain_failure(error: Exception) -> str:
    """Describe a connection error, as a continuation of the host's name."""
    if isinstance(error, socket.gaierror):
        return "has no address: check how it is written, and whether this machine is connected"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"cannot prove that it is that host ({error.verify_message})"
    return f"could not be asked ({type(error).__name__}: {error})"[:300]


def _judge_addresses(where: Target, resolve: Resolve) -> list[str]:
    """Return the host's addresses if all may be connected to. Raises NotAllowed."""
    found = resolve(where.host, where.port)
    inside = [] if where.local else [one for one in found if not is_public(one)]
    if inside:
        raise NotAllowed(
            f"{where.host} is {inside[0]}, an address inside the owner's network: its owner can name it in "
            f"FUROSHIKI_PLUGIN_LOCAL_HOSTS ({where.host}:{where.port})"
        )
    return found


def _connect(where: Target, address: str, seconds: float) -> socket.socket:
    """Connect to an address of a host, through the proxy unless it is a local host."""
    if where.local:
        return socket.create_connection((address, where.port), timeout=seconds)
    host = f"[{where.host}]" if ":" in where.host else where.host
    return outbound.road().connect(f"{where.scheme}://{host}:{where.port}", seconds, address)


@contextlib.contextmanager
def _until(deadline: float, connection: socket.socket) -> Iterator[None]:
    """Shut a connection down at the deadline, even during the handshake or a slow answer."""
    held = connection.dup()  # TLS wrapping takes over the original socket

    def break_off() -> None:
        with contextlib.suppress(OSError):
            held.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(max(0.0, deadline - time.monotonic()), break_off)
    timer.daemon = True
    timer.start()
    try:
        yield
        if time.monotonic() >= deadline:  # a shutdown may look like the normal end of an answer
            raise OSError("broken off")
    finally:
        timer.cancel()
        timer.join()
        held.close()
