"""What every answer tells the browser that it may and may not do with it."""

from collections.abc import Mapping, Set
from urllib.parse import urlsplit

from furoshiki.core.logins.values import MINI_APP

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors {frames}"
)
"""Nothing from elsewhere, and no code or style within a page."""

_TELEGRAM = "https://web.telegram.org"
"""May show the Mini App's own page within its own, and no other."""

_ALWAYS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "X-Robots-Tag": "noindex, nofollow",
}


def of(path: str) -> dict[str, str]:
    """The headers for an answer to a path; they replace what stands there already."""
    mini = path == MINI_APP
    policy = _POLICY.format(frames=_TELEGRAM if mini else "'none'")
    return {"Content-Security-Policy": policy, **_ALWAYS, **({} if mini else {"X-Frame-Options": "DENY"})}


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
