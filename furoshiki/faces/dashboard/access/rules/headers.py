"""The security headers of every answer."""

from collections.abc import Mapping

from furoshiki.core.logins.values import MINI_APP

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src "
    "'self'; form-action 'self'; base-uri 'none'; frame-ancestors {frames}"
)
"""Content only from this server; no inline code or styles."""

_TELEGRAM = "https://web.telegram.org"
"""The only site that may frame a page: the Mini App's own one."""

_ALWAYS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "X-Robots-Tag": "noindex, nofollow",
}


def of(path: str) -> dict[str, str]:
    """Return the headers for an answer to a path; they replace existing ones."""
    mini = path == MINI_APP
    policy = _POLICY.format(frames=_TELEGRAM if mini else "'none'")
    return {"Content-Security-Policy": policy, **_ALWAYS, **({} if mini else {"X-Frame-Options": "DENY"})}
