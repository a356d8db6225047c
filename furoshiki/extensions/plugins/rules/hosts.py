"""Where a plugin may go in the network: which host, which port, and which addresses are nobody's but this house's."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

PORTS: Mapping[str, int] = {"https": 443, "http": 80}

_OF_A_SETTING = "setting:"
_BELOW = "*."
_NAME = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
_CARRIES_ANOTHER = tuple(
    map(IPv6Network, ("::/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16", "fec0::/10"))
)
"""IPv6 networks behind which stands an IPv4 address (compatible, NAT64, Teredo, 6to4), and what was once site-local."""

_SPECIAL = (IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24"))
"""IPv4 networks of protocols, which not every Python counts as such."""

LONGEST_URL = 4000


class NotAllowed(Exception):
    """An address that is not gone to; the words are for the plugin's author."""


@dataclass(frozen=True)
class Place:
    """A host in small letters ("api.example.org", "192.168.1.5"), and the one port; None for the usual two."""

    host: str
    port: int | None = None


@dataclass(frozen=True)
class Target:
    """One request's way: `path` with its query, as it is sent; `local` when the owner named it as one of this house."""

    scheme: str
    host: str
    port: int
    path: str
    local: bool


def places(text: str) -> tuple[Place, ...]:
    """The owner's list of hosts, separated by commas: "homeassistant.local:8123, 192.168.1.5". ValueError names the one
    that is none."""
    return tuple(_place(one.strip()) for one in text.split(",") if one.strip())


def target(url: str, allowed: Iterable[str], settings: Mapping[str, str], local: Iterable[Place]) -> Target:
    """Where a URL leads, when a plugin may go there. Raises NotAllowed.

    `allowed` are the hosts its owner agreed to: names, "*.name" for all below one, "setting:NAME" for the host in one
    of its `settings`. `local` are those of this house that the owner named.
    """
    found = _split(url)
    host, port = _host(found.hostname or ""), found.port or PORTS[found.scheme]
    allowed, usual = tuple(allowed), port == PORTS[found.scheme]
    if not any(_matches(one, host, port, usual, settings) for one in allowed):
        asked = host if usual else f"{host}:{port}"
        had = f"it has {', '.join(allowed)}" if allowed else "it has none"
        raise NotAllowed(f"{asked} is not allowed ({had}): add it to permissions: network: in PLUGIN.md")
    near = any(one.host == host and one.port in ((port, None) if usual else (port,)) for one in local)
    if found.scheme == "http" and not near:
        raise NotAllowed(f"http is for hosts of the owner's own network: write https://{host}")
    path = (found.path or "/") + (f"?{found.query}" if found.query else "")
    return Target(found.scheme, host, port, path, near)


def server(text: str, usual: Collection[int], local: Iterable[Place]) -> Target:
    """An encrypted server as a setting names it ("imap.example.org:993"); without a port at the first of the `usual`
    ones. Raises NotAllowed."""
    try:
        found = _place(text.strip())
    except ValueError as error:
        raise NotAllowed(str(error)) from None
    port = next(iter(usual)) if found.port is None else found.port
    ports = (port, None) if port in usual else (port,)
    near = any(one.host == found.host and one.port in ports for one in local)
    return Target("https", found.host, port, "", near)


def is_public(address: str) -> bool:
    """Whether an address is one of the open Internet: not of this machine, this network, a cloud's inside, or many."""
    try:
        found: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return is_public(str(found.ipv4_mapped))
        if any(found in network for network in _CARRIES_ANOTHER):
            return False
    elif any(found in network for network in _SPECIAL):
        return False
    return found.is_global and not (found.is_multicast or found.is_reserved or found.is_unspecified)


def _split(url: str) -> SplitResult:
    if len(url) > LONGEST_URL or not url.isascii() or re.search(r"[\x00-\x20\x7f\\]", url):
        raise NotAllowed(
            f"the URL has blanks, signs that are not ASCII, or more than {LONGEST_URL}: encode and shorten it"
        )
    try:
        found = urlsplit(url)
        _ = found.port
    except ValueError as error:
        raise NotAllowed(f"this is no URL ({error})") from None
    if found.scheme not in PORTS or not found.hostname:
        raise NotAllowed("a URL is https://host/path")
    if "@" in found.netloc:
        raise NotAllowed("a URL may hold no user and password: send them in the header Authorization")
    return found


def _host(name: str) -> str:
    host = name.casefold().removesuffix(".")
    try:
        return str(ip_address(host))
    except ValueError:
        if not _NAME.fullmatch(host) or len(host) > 253:
            raise NotAllowed(f"{name!r} is no name of a host") from None
        return host


def _matches(pattern: str, host: str, port: int, usual: bool, settings: Mapping[str, str]) -> bool:
    """Whether a host the owner agreed to is this one. A name without a port stands for the usual one; a setting may
    hold several, with blanks between them."""
    if pattern.startswith(_BELOW):
        return usual and host.endswith(pattern[1:].casefold())
    if pattern.startswith(_OF_A_SETTING):
        held = settings.get(pattern.removeprefix(_OF_A_SETTING), "").split()
        return any(_is_host(one, host, port, usual) for one in held)
    return _is_host(pattern, host, port, usual)


def _is_host(pattern: str, host: str, port: int, usual: bool) -> bool:
    try:
        place = _place(pattern)
    except ValueError:
        return False
    return place.host == host and (usual if place.port is None else place.port == port)


def _place(text: str) -> Place:
    """A host, with its port or without, also as the URL of something there. ValueError when it is none."""
    try:
        found = urlsplit(text if "://" in text else f"//{text}")
        port = found.port
        return Place(_host(found.hostname or ""), PORTS.get(found.scheme) if port is None else port)
    except (ValueError, NotAllowed) as error:
        raise ValueError(f"{text!r} is no host: write name or name:port") from error
