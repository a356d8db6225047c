"""Outgoing connections: choice of the proxy for a host, tunnels through it, and certificates.

Standard library only, no other module of the project: the doctor script uses it when the program
cannot run. The proxy resolves host names, so that no DNS query bypasses it. Modules for opening
connections are imported on use: the settings import this module in processes without any (6 MB).
"""

from __future__ import annotations

import base64
import functools
import ipaddress
import os
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, quote, unquote, urlsplit

if TYPE_CHECKING:
    import http.client
    import ssl
    import urllib.request

# settings that override the environment variables of all programs
PROXY, BYPASS = "FUROSHIKI_PROXY", "FUROSHIKI_NO_PROXY"

# values of FUROSHIKI_PROXY for "no proxy", whatever the environment says
DIRECT = ("none", "direct")

# variables with a certificate file, the first set one applies; SSL_CERT_DIR names a folder
AUTHORITIES = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")

# every environment variable that this module reads
NAMES = (
    *(PROXY, BYPASS, *AUTHORITIES, "SSL_CERT_DIR"),
    *(form(name) for name in ("https_proxy", "http_proxy", "all_proxy", "no_proxy") for form in (str.lower, str.upper)),
)

FORM = "must be like http://proxy:8080 or socks5://user:password@proxy:1080, or none"
_PORTS = {"http": 80, "https": 443, "socks5": 1080}
_SAME = {"socks": "socks5", "socks5h": "socks5"}
_LONGEST_HEAD = 16_384
_SOCKS_REFUSALS = {
    1: "it failed",
    2: "its rules forbid it",
    3: "no network there",
    4: "no such host",
    5: "refused there",
    6: "it took too long",
    7: "it cannot connect",
    8: "it knows no such address",
}


class NoRoad(OSError):
    """A proxy, or a file of certificates, cannot be used: the message names the cause, and no password."""


@dataclass(frozen=True)
class Proxy:
    """A proxy: kind (http, https, socks5), host, port and credentials."""

    kind: str
    host: str
    port: int
    user: str = ""
    password: str = ""

    @property
    def url(self) -> str:
        """The proxy's address with the password, for libraries."""
        who = f"{quote(self.user, safe='')}:{quote(self.password, safe='')}@" if self.user else ""
        return f"{self.kind}://{who}{_bracket(self.host)}:{self.port}"

    def __str__(self) -> str:
        return f"{self.kind}://{_bracket(self.host)}:{self.port}"

    def __repr__(self) -> str:
        return f"<Proxy {self}>"


def parse_proxy(text: str) -> Proxy:
    """Parse a proxy's address; HTTP without a scheme. Raises ValueError."""
    whole = text.strip()
    try:
        parts = urlsplit(whole if "://" in whole else f"http://{whole}")
        kind = _SAME.get(parts.scheme, parts.scheme)
        if kind not in _PORTS or not parts.hostname or not parts.hostname.isprintable() or " " in parts.hostname:
            raise ValueError(FORM)
        port = parts.port or _PORTS[kind]
    except ValueError:
        raise ValueError(FORM) from None
    return Proxy(kind, parts.hostname, port, unquote(parts.username or ""), unquote(parts.password or ""))


@dataclass(frozen=True)
class Road:
    """Proxies and certificates for outgoing connections, from the environment and the settings."""

    told: Mapping[str, str]

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Road:
        """Create a road from these environment variables; others are ignored."""
        return cls({name: environ[name] for name in NAMES if environ.get(name)})

    def client_options(self, address: str) -> dict[str, Any]:
        """Return the arguments for an httpx2 client of the server at an address. Raises NoRoad."""
        proxy = self.proxy(address)
        return {"trust_env": False, "verify": self.certificates(), "proxy": None if proxy is None else proxy.url}

    def proxy(self, address: str) -> Proxy | None:
        """Return the proxy for the server at an address; None: connect directly. Raises NoRoad."""
        parts = urlsplit(address)
        host = (parts.hostname or "").rstrip(".")
        if not host or _is_here(host) or any(_names(one, host, _port(parts)) for one in self._list_bypassed()):
            return None
        name, value = self._find_proxy(parts.scheme)
        if not value or value.strip().lower() in DIRECT:
            return None
        try:
            return parse_proxy(value)
        except ValueError as error:
            raise NoRoad(f"{name} {error}") from None

    def named(self) -> dict[str, str]:
        """Return the configured proxies by the name of their variable."""
        found = dict(self._find_proxy(scheme) for scheme in ("https", "http"))
        return {name: value for name, value in found.items() if value and value.strip().lower() not in DIRECT}

    def connect(self, address: str, timeout: float, host: str | None = None) -> socket.socket:
        """Connect to the server at an address, through its proxy if any; `host` replaces the name
        in it to connect to. Raises OSError."""
        parts = urlsplit(address)
        there = (host or parts.hostname or "", _port(parts))
        proxy = self.proxy(address)
        if proxy is None:
            return socket.create_connection(there, timeout)
        return through(proxy, there, timeout)

    def certificates(self) -> ssl.SSLContext:
        """Return the TLS context with trusted certificates. Raises NoRoad for an unusable file."""
        file = next((name for name in AUTHORITIES if self.told.get(name)), None)
        return _context(file, self.told.get(file or ""), self.told.get("SSL_CERT_DIR") or None)

    def opened(self, request: urllib.request.Request, timeout: float) -> Any:
        """Send a request and return `urlopen`'s response. Raises OSError and ValueError."""
        import urllib.error
        import urllib.request

        proxy = self.proxy(request.full_url)
        plain = proxy is not None and proxy.kind == "http" and request.type == "http"
        used = {"http": proxy.url} if proxy is not None and plain else {}
        https, http = _make_handlers(self)
        handlers = [urllib.request.ProxyHandler(used), https]
        if proxy is not None and not plain:
            handlers.append(http)
        try:
            return urllib.request.build_opener(*handlers).open(request, timeout=timeout)
        except urllib.error.HTTPError:
            raise
        except urllib.error.URLError as error:
            if isinstance(error.reason, NoRoad) or not plain:
                raise error.reason if isinstance(error.reason, NoRoad) else error from None
            raise NoRoad(f"the proxy {proxy} cannot be reached ({error.reason})") from None

    def environment(self) -> dict[str, str]:
        """Return the variables that give child programs the same proxies and certificates."""
        given = self.told.get(PROXY, "")
        found = {}
        if given:
            direct = given.strip().lower() in DIRECT
            found = dict.fromkeys(("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"), "" if direct else given)
        if BYPASS in self.told:
            found |= dict.fromkeys(("NO_PROXY", "no_proxy"), self.told[BYPASS])
        file = next((self.told[name] for name in AUTHORITIES if self.told.get(name)), None)
        if file is not None:
            found |= dict.fromkeys(AUTHORITIES, file)
        return found

    def _find_proxy(self, scheme: str) -> tuple[str, str]:
        for name in (PROXY, f"{scheme}_proxy", f"{scheme}_proxy".upper(), "all_proxy", "ALL_PROXY"):
            if self.told.get(name):
                return name, self.told[name]
        return "", ""

    def _list_bypassed(self) -> list[str]:
        told = next((self.told[name] for name in (BYPASS, "no_proxy", "NO_PROXY") if self.told.get(name)), "")
        return [part for part in re.split(r"[\s,;]+", told) if part]


def through(proxy: Proxy, there: tuple[str, int], timeout: float) -> socket.socket:
    """Open a connection through a proxy. Raises OSError."""
    try:
        made = socket.create_connection((proxy.host, proxy.port), timeout)
    except OSError as error:
        raise NoRoad(f"the proxy {proxy} cannot be reached ({error.strerror or error})") from None
    try:
        if proxy.kind == "https":
            import ssl

            made = ssl.create_default_context().wrap_socket(made, server_hostname=proxy.host)
        (_by_socks if proxy.kind == "socks5" else _by_connect)(made, proxy, there)
    except BaseException:
        made.close()
        raise
    return made


def _by_connect(made: socket.socket, proxy: Proxy, there: tuple[str, int]) -> None:
    where = f"{_bracket(there[0])}:{there[1]}"
    lines = [f"CONNECT {where} HTTP/1.1", f"Host: {where}"]
    if proxy.user:
        secret = base64.b64encode(f"{proxy.user}:{proxy.password}".encode()).decode()
        lines.append(f"Proxy-Authorization: Basic {secret}")
    made.sendall("\r\n".join([*lines, "", ""]).encode())
    head = b""
    while b"\r\n\r\n" not in head:
        piece = made.recv(1)  # read bytewise: the data after the headers belongs to the caller
        head += piece
        if not piece or len(head) > _LONGEST_HEAD:
            raise NoRoad(f"the proxy {proxy} does not answer as one")
    status = head.split(b"\r\n", 1)[0].decode("ascii", "replace").split(" ", 2)
    if len(status) < 2 or status[1] != "200":
        why = "wants a user and a password" if status[1:2] == ["407"] else f"refuses with {' '.join(status[1:])[:80]}"
        raise NoRoad(f"the proxy {proxy} {why}")


def _by_socks(made: socket.socket, proxy: Proxy, there: tuple[str, int]) -> None:
    made.sendall(b"\x05\x02\x00\x02" if proxy.user else b"\x05\x01\x00")
    version, method = _exactly(made, 2, proxy)
    if version != 5 or method == 0xFF:
        raise NoRoad(f"the proxy {proxy} {'wants a user and a password' if version == 5 else 'speaks no SOCKS 5'}")
    if method == 2:
        user, password = proxy.user.encode()[:255], proxy.password.encode()[:255]
        made.sendall(bytes((1, len(user))) + user + bytes((len(password),)) + password)
        if _exactly(made, 2, proxy)[1] != 0:
            raise NoRoad(f"the proxy {proxy} does not take its user and password")
    made.sendall(b"\x05\x01\x00" + _socks_address(there[0]) + there[1].to_bytes(2, "big"))
    head = _exactly(made, 4, proxy)
    if head[1] != 0:
        raise NoRoad(f"the proxy {proxy} does not connect: {_SOCKS_REFUSALS.get(head[1], 'it says no')}")
    _exactly(made, {1: 4, 4: 16}.get(head[3]) or _exactly(made, 1, proxy)[0], proxy)
    _exactly(made, 2, proxy)


def _socks_address(host: str) -> bytes:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        name = host.encode("idna") if not host.isascii() else host.encode()
        return bytes((3, len(name))) + name
    return bytes((1 if address.version == 4 else 4,)) + address.packed


def _exactly(made: socket.socket, count: int, proxy: Proxy) -> bytes:
    found = b""
    while len(found) < count:
        piece = made.recv(count - len(found))
        if not piece:
            raise NoRoad(f"the proxy {proxy} ends the connection")
        found += piece
    return found


def _is_here(host: str) -> bool:
    """Return whether a host is this machine, for which no proxy is used."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _names(entry: str, host: str, port: int) -> bool:
    """Return whether a NO_PROXY entry (host, domain, network; optional port) matches a host."""
    if entry == "*":
        return True
    if "/" in entry:
        try:
            return ipaddress.ip_address(host) in ipaddress.ip_network(entry, strict=False)
        except ValueError:
            return False
    match = re.fullmatch(r"(?:\[(?P<six>[^\]]+)\]|(?P<name>[^:]+)|(?P<bare>[0-9A-Fa-f:.]+))(?::(?P<port>\d+))?", entry)
    if match is None or (match["port"] and int(match["port"]) != port):
        return False
    name = (match["six"] or match["name"] or match["bare"]).lower().removeprefix("*").rstrip(".")
    if name.startswith("."):
        return host.endswith(name) or host == name[1:]
    return host == name or host.endswith(f".{name}")


def _port(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme in ("https", "wss") else 80)


def _bracket(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _context(name: str | None, file: str | None, folder: str | None) -> ssl.SSLContext:
    stamp = None
    if file is not None:
        try:
            stamp = os.stat(file).st_mtime_ns  # noqa: PTH116 - a file that was put right is read again
        except OSError as error:
            raise NoRoad(f"{name} names {file}, which cannot be read ({error.strerror})") from None
    return _make_context(name, file, folder, stamp)


@functools.lru_cache(maxsize=4)
def _make_context(name: str | None, file: str | None, folder: str | None, _stamp: int | None) -> ssl.SSLContext:
    """Trust the given file or folder, else the system's certificates, else those of certifi."""
    import ssl

    try:
        made = ssl.create_default_context(cafile=file, capath=folder)
    except (OSError, ValueError) as error:
        raise NoRoad(
            f"{name or 'SSL_CERT_DIR'} names {file or folder}, which holds no certificates ({error})"
        ) from None
    usual = ssl.get_default_verify_paths()
    listed = usual.cafile or (usual.capath and any(Path(usual.capath).iterdir()))
    if file is None and folder is None and not listed:
        try:
            import certifi
        except ImportError:  # the doctor script without the program's packages
            return made
        made.load_verify_locations(certifi.where())
    return made


def _make_handlers(road: Road) -> tuple[urllib.request.BaseHandler, urllib.request.BaseHandler]:
    """Return handlers for HTTPS through any proxy, and for HTTP through a non-HTTP proxy."""
    import http.client
    import urllib.request

    class Https(urllib.request.HTTPSHandler):
        def https_open(self, req: urllib.request.Request) -> Any:
            kind = functools.partial(http.client.HTTPSConnection, context=road.certificates())
            return self.do_open(functools.partial(_connection, road, kind, "https"), req)

    class Http(urllib.request.HTTPHandler):
        def http_open(self, req: urllib.request.Request) -> Any:
            return self.do_open(functools.partial(_connection, road, http.client.HTTPConnection, "http"), req)

    return Https(), Http()


def _connection(road: Road, kind: Any, scheme: str, host: str, **named: Any) -> http.client.HTTPConnection:
    made: Any = kind(host, **named)
    address = f"{scheme}://{host}"
    made._create_connection = lambda _there, timeout, _source: road.connect(address, timeout)
    return made  # type: ignore[no-any-return]
