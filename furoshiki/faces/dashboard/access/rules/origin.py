"""Decides by browser headers that pages cannot forge whether a request comes from our own pages."""

from collections.abc import Mapping, Set
from urllib.parse import urlsplit

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})  # methods that change nothing

# sec-Fetch-Site of our own pages, and of typed addresses and bookmarks
_OWN = ("same-origin", "none")


def is_ours(host: str, hosts: Set[str]) -> bool:
    """Return whether a Host header names this dashboard, as a check against DNS rebinding."""
    return host.lower() in hosts


def is_foreign(method: str, headers: Mapping[str, str], hosts: Set[str]) -> bool:
    """Return whether another site sent the request. Following a link from there is allowed.

    Browsers without Sec-Fetch-Site (before 2023) send an Origin. It is "null" for our own forms,
    too, as they send no referrer; there the CSRF token alone decides.
    """
    site, mode = headers.get("sec-fetch-site"), headers.get("sec-fetch-mode", "")
    if site is not None:
        return site not in _OWN and (method not in SAFE or mode != "navigate")
    origin = headers.get("origin", "null")
    return origin != "null" and urlsplit(origin).netloc.lower() not in hosts
