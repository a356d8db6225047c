"""The session cookie: its name under each address, how it is set and deleted."""

from fastapi import Response
from starlette.datastructures import Headers

from furoshiki.core.logins import addresses, rules
from furoshiki.core.settings import Settings

SECURE = "__Host-furoshiki_session"  # the name under https, where no other host may set it


def plain(settings: Settings) -> str:
    """Return the name under http on this machine. Ports share cookies, so it contains the port."""
    return f"furoshiki_session_{settings.furoshiki_dashboard_port}"


def read(settings: Settings, headers: Headers) -> str | None:
    """Return the session secret that a browser sends, or None."""
    name = _name(settings, headers)
    for pair in headers.get("cookie", "").split(";"):
        key, _, value = pair.strip().partition("=")
        if key == name and value:
            return value
    return None


def give(response: Response, settings: Settings, headers: Headers, secret: str) -> None:
    """Set the session cookie."""
    name = _name(settings, headers)
    age = int(rules.LONGEST_SESSION.total_seconds())
    response.set_cookie(name, secret, max_age=age, path="/", secure=name == SECURE, httponly=True, samesite="strict")


def take_away(response: Response, settings: Settings, headers: Headers) -> None:
    """Delete the session cookie."""
    name = _name(settings, headers)
    response.delete_cookie(name, path="/", secure=name == SECURE, httponly=True, samesite="strict")


def _name(settings: Settings, headers: Headers) -> str:
    public = addresses.is_https(settings) and headers.get("host", "").lower() == addresses.public_host(settings)
    return SECURE if public else plain(settings)
