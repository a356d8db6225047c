"""Timeouts of connections, and how connections are counted."""

from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Literal

ASKING_S = 15.0
"""Seconds for a request's head from its first byte, and for a new connection to begin one."""

BYTES_A_SECOND = 16 * 1024
"""Bytes of a body that extend its timeout by one second."""

READING_S = 60.0
"""Seconds within which the client must read some of the waiting output."""

FROM_ONE_PEER = 100
"""Connections of one address: a browser opens six, a household a few. All together: 400."""

Phase = Literal["asking", "sending", "answered", "reading", "ending", "waiting"]
"""What a connection waits for: a request's head (`asking`); its body; the rest of a body that is no
longer read (`answered`); the client to read; the end; or us (`waiting`)."""


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
