"""Whether a request comes from the dashboard's own pages, by what browsers tell of it and no page can make up."""

from collections.abc import Mapping, Set
from urllib.parse import urlsplit

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""

_OWN = ("same-origin", "none")
"""Sec-Fetch-Site for one's own pages, and for what a person typed or had among their bookmarks."""


def is_ours(host: str, hosts: Set[str]) -> bool:
    """Whether a Host header names this dashboard, and not a foreign name that leads to it (DNS rebinding)."""
    return host.lower() in hosts


def is_foreign(method: str, headers: Mapping[str, str], hosts: Set[str]) -> bool:
    """Whether another site has sent this request. Following a link from there is not foreign; nothing changes by it.

    A browser that tells no Sec-Fetch-Site (before 2023) tells an Origin; "null" it says also of our own forms, since
    they send no referrer, and there the CSRF token alone decides.
    """
    site, mode = headers.get("sec-fetch-site"), headers.get("sec-fetch-mode", "")
    if site is not None:
        return site not in _OWN and (method not in SAFE or mode != "navigate")
    origin = headers.get("origin", "null")
    return origin != "null" and urlsplit(origin).netloc.lower() not in hosts
