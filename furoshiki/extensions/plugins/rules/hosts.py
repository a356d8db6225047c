"""Allowed network targets of a plugin: hosts, ports, and addresses that are not public."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

PORTS: Mapping[str, int] = {"https": 443, "http": 80}

_OF_A_SETTING = "setting:"
_BELOW = "*."
_NAME = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
# IPv6 networks that embed IPv4 addresses (compatible, NAT64, Teredo, 6to4), and site-local
_CARRIES_ANOTHER = tuple(
    map(IPv6Network, ("::/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16", "fec0::/10"))
)

# IPv4 protocol networks that some Python versions count as public
_SPECIAL = (IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24"))

LONGEST_URL = 4000


class NotAllowed(Exception):
    """A refused address; the message is for the plugin's author."""


@dataclass(frozen=True)
class Place:
    """A host in lower case ("api.example.org", "192.168.1.5") and a port; None: default ports."""

    host: str
    port: int | None = None


@dataclass(frozen=True)
class Target:
    """A request's target: `path` includes the query; `local`: listed by the owner as local."""

    scheme: str
    host: str
    port: int
    path: str
    local: bool


def places(text: str) -> tuple[Place, ...]:
    """Parse the owner's host list, "homeassistant.local:8123, 192.168.1.5".
    Raises ValueError that names the invalid one."""
    return tuple(_place(part.strip()) for part in text.split(",") if part.strip())


def target(url: str, allowed: Iterable[str], settings: Mapping[str, str], local: Iterable[Place]) -> Target:
    """Return the target of a URL if the plugin may access it. Raises NotAllowed.

    `allowed` are the approved hosts: names, "*.name" for all subdomains, "setting:NAME" for the
    hosts in one of its `settings`. `local` are the owner's local hosts.
    """
    found = _split(url)
    host, port = _host(found.hostname or ""), found.port or PORTS[found.scheme]
    allowed, usual = tuple(allowed), port == PORTS[found.scheme]
    if not any(_matches(one, host, port, usual, settings) for one in allowed):
        asked = host if usual else f"{host}:{port}"
        had = f"it has {', '.join(allowed)}" if allowed else "it has none"
        raise NotAllowed(f"{asked} is not allowed ({had}): add it to permissions: network: in PLUGIN.md")
    near = any(place.host == host and place.port in ((port, None) if usual else (port,)) for place in local)
    if found.scheme == "http" and not near:
        raise NotAllowed(f"http is for hosts of the owner's own network: write https://{host}")
    path = (found.path or "/") + (f"?{found.query}" if found.query else "")
    return Target(found.scheme, host, port, path, near)


def server(text: str, usual: Collection[int], local: Iterable[Place]) -> Target:
    """Return the target of a TLS server in a setting ("imap.example.org:993"); the default port is
    the first of `usual`. Raises NotAllowed."""
    try:
        found = _place(text.strip())
    except ValueError as error:
        raise NotAllowed(str(error)) from None
    port = next(iter(usual)) if found.port is None else found.port
    ports = (port, None) if port in usual else (port,)
    near = any(place.host == found.host and place.port in ports for place in local)
    return Target("https", found.host, port, "", near)


def is_public(address: str) -> bool:
    """Return whether an address is public: not local, private, reserved or multicast."""
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
    """Return whether an approved pattern matches this host and port.
    Without a port it means the default one; a setting may hold several, separated by blanks."""
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
    """Parse a host with optional port, or a URL on it. Raises ValueError."""
    try:
        found = urlsplit(text if "://" in text else f"//{text}")
        port = found.port
        return Place(_host(found.hostname or ""), PORTS.get(found.scheme) if port is None else port)
    except (ValueError, NotAllowed) as error:
        raise ValueError(f"{text!r} is no host: write name or name:port") from error
