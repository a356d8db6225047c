"""Addresses and host names of the dashboard."""

from urllib.parse import urlsplit

from furoshiki.core.paths import host_of
from furoshiki.core.settings import Settings

EVERYWHERE = ("0.0.0.0", "::", "*")
_LOOPBACK = ("127.0.0.1", "::1", "localhost")

LOCK = "dashboard.lock"  # in `run/`: lock held by the process that serves the dashboard


def of_this_machine(settings: Settings) -> str:
    """Return the address for a browser on this machine: "http://127.0.0.1:8330"."""
    host = settings.furoshiki_dashboard_host
    if host in EVERYWHERE:
        host = "127.0.0.1"
    return f"http://{bracket_host(host)}:{settings.furoshiki_dashboard_port}"


def usual(settings: Settings) -> str:
    """Return the address that the owner configured, else that on this machine."""
    return settings.furoshiki_dashboard_url or of_this_machine(settings)


def is_https(settings: Settings) -> bool:
    return (settings.furoshiki_dashboard_url or "").startswith("https://")


def stays_here(settings: Settings) -> bool:
    """Return whether only this machine can connect to the dashboard."""
    return settings.furoshiki_dashboard_host in _LOOPBACK


def hosts(settings: Settings, port: int | None) -> frozenset[str]:
    """Return the valid Host headers on `port`; any other hints at DNS rebinding."""
    host = settings.furoshiki_dashboard_host
    own = {"localhost", "127.0.0.1", "[::1]"} | ({bracket_host(host).lower()} if host not in EVERYWHERE else set())
    found = {f"{one}:{port}" for one in own} | (own if port == 80 else set())
    public = public_host(settings)
    return frozenset(found if public is None else found | {public})


def public_host(settings: Settings) -> str | None:
    """Return the configured address as Host header, without the default port, or None."""
    if settings.furoshiki_dashboard_url is None:
        return None
    address = urlsplit(settings.furoshiki_dashboard_url)
    return address.netloc.removesuffix(":443" if address.scheme == "https" else ":80").lower()


def home_of(settings: Settings) -> str:
    """Return the query that names this home on a shared dashboard ("?home=anna"), or ""."""
    return "" if host_of(settings.data) is None else f"?home={settings.data.name}"


def bracket_host(host: str) -> str:
    """Return a host as it is written in an address: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host
