"""Where the dashboard is reached."""

from urllib.parse import urlsplit

from furoshiki.core.paths import host_of
from furoshiki.core.settings import Settings

EVERYWHERE = ("0.0.0.0", "::", "*")
_LOOPBACK = ("127.0.0.1", "::1", "localhost")

LOCK = "dashboard.lock"
"""In `run/`: held by the process that serves the dashboard."""


def of_this_machine(settings: Settings) -> str:
    """Where a browser on the machine itself finds it: "http://127.0.0.1:8330"."""
    host = settings.furoshiki_dashboard_host
    if host in EVERYWHERE:
        host = "127.0.0.1"
    return f"http://{bracket_host(host)}:{settings.furoshiki_dashboard_port}"


def usual(settings: Settings) -> str:
    """Where its owner finds it: under the address they gave it, else on the machine itself."""
    return settings.furoshiki_dashboard_url or of_this_machine(settings)


def is_https(settings: Settings) -> bool:
    """Whether it is reached under an https address."""
    return (settings.furoshiki_dashboard_url or "").startswith("https://")


def stays_here(settings: Settings) -> bool:
    """Whether nobody but this machine can connect to it."""
    return settings.furoshiki_dashboard_host in _LOOPBACK


def hosts(settings: Settings, port: int | None) -> frozenset[str]:
    """The values of a Host header that mean the dashboard that listens on `port`: a request for another was led
    here by a foreign name."""
    host = settings.furoshiki_dashboard_host
    own = {"localhost", "127.0.0.1", "[::1]"} | ({bracket_host(host).lower()} if host not in EVERYWHERE else set())
    found = {f"{one}:{port}" for one in own} | (own if port == 80 else set())
    public = public_host(settings)
    return frozenset(found if public is None else found | {public})


def public_host(settings: Settings) -> str | None:
    """The Host header of a request under the address the owner gave it, as browsers send it: without the port that
    goes without saying. None when they gave none."""
    if settings.furoshiki_dashboard_url is None:
        return None
    address = urlsplit(settings.furoshiki_dashboard_url)
    return address.netloc.removesuffix(":443" if address.scheme == "https" else ":80").lower()


def home_of(settings: Settings) -> str:
    """What an address needs besides, where one dashboard serves many homes and nobody is signed in yet."""
    return "" if host_of(settings.data) is None else f"?home={settings.data.name}"


def bracket_host(host: str) -> str:
    """A host as it stands in an address: one of IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host
