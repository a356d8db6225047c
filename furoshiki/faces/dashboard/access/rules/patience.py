"""How long a connection is waited for, and whose connections are counted together."""

from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Literal

ASKING_S = 15.0
"""Seconds for the head of a request from its first byte on, and for a new connection to begin one."""

BYTES_A_SECOND = 16 * 1024
"""What of a body has arrived gives it another second for so many bytes."""

READING_S = 60.0
"""Seconds within which the other side has to take something of what waits to be sent."""

FROM_ONE_PEER = 100
"""Connections of one address: a browser keeps six, a household has a few. Four hundred are the most of all."""

Phase = Literal["asking", "sending", "answered", "reading", "ending", "waiting"]
"""What is waited for: the head of a request; its body; the rest of a body nobody reads any more; that an answer is
taken; that the connection ends. `waiting`: for us."""


def seconds(phase: Phase, received: int = 0) -> float | None:
    """How long a phase may last, with so many bytes of a body received; None: for ever (a stream of events)."""
    if phase == "waiting":
        return None
    if phase == "reading":
        return READING_S
    return ASKING_S + (received / BYTES_A_SECOND if phase == "sending" else 0.0)


def peer(host: str) -> str | None:
    """Return the key under which an address's connections are counted, for IPv6 its /64 network.

    None for this machine: a reverse proxy brings everybody's."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is None:
            return None if address.is_loopback else str(IPv6Network((int(address), 64), strict=False))
        address = address.ipv4_mapped
    return None if address.is_loopback else str(address)
