"""The cookie of a session: which name it has under which address, and how it is set and taken away."""

from fastapi import Response
from starlette.datastructures import Headers

from furoshiki.core.logins import addresses, rules
from furoshiki.core.settings import Settings

SECURE = "__Host-furoshiki_session"
"""Under https, where no other host may set it."""


def plain(settings: Settings) -> str:
    """On the machine itself, where browsers speak http. Ports share their cookies, so it is named after its own."""
    return f"furoshiki_session_{settings.furoshiki_dashboard_port}"


def read(settings: Settings, headers: Headers) -> str | None:
    """The secret of the session that a browser brings along."""
    name = _name(settings, headers)
    for pair in headers.get("cookie", "").split(";"):
        key, _, value = pair.strip().partition("=")
        if key == name and value:
            return value
    return None


def give(response: Response, settings: Settings, headers: Headers, secret: str) -> None:
    """Have a browser keep the secret of its session."""
    name = _name(settings, headers)
    age = int(rules.LONGEST_SESSION.total_seconds())
    response.set_cookie(name, secret, max_age=age, path="/", secure=name == SECURE, httponly=True, samesite="strict")


def take_away(response: Response, settings: Settings, headers: Headers) -> None:
    """Have a browser forget it."""
    name = _name(settings, headers)
    response.delete_cookie(name, path="/", secure=name == SECURE, httponly=True, samesite="strict")


def _name(settings: Settings, headers: Headers) -> str:
    public = addresses.is_https(settings) and headers.get("host", "").lower() == addresses.public_host(settings)
    return SECURE if public else plain(settings)
