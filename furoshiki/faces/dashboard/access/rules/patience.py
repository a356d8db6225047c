"""Timeouts of connections, and how connections are counted."""

from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Literal

# seconds for a request's head from its first byte, and for a new connection to begin one
ASKING_S = 15.0

BYTES_A_SECOND = 16 * 1024  # bytes of a body that extend its timeout by one second
READING_S = 60.0  # seconds within which the client must read some of the waiting output

# Connections of one address: a browser opens six, a household a few. All together: 400.
FROM_ONE_PEER = 100

# what a connection waits for: a request's head (`asking`); its body; the rest of a body that is no
# longer read (`answered`); the client to read; the end; or us (`waiting`)
Phase = Literal["asking", "sending", "answered", "reading", "ending", "waiting"]


def seconds(phase: Phase, received: int = 0) -> float | None:
    """Return the timeout of a phase after `received` bytes of a body; None: no limit (streams)."""
    if phase == "waiting":
        return None
    if phase == "reading":
        return READING_S
    return ASKING_S + (received / BYTES_A_SECOND if phase == "sending" else 0.0)


def peer(host: str) -> str | None:
    """Return the key under which an address's connections are counted (IPv6: its /64 network); None
    for this machine, whose reverse proxy forwards all clients."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is None:
            return None if address.is_loopback else str(IPv6Network((int(address), 64), strict=False))
        address = address.ipv4_mapped
    return None if address.is_loopback else str(address)
