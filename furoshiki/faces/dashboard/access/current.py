"""Who asks: what the endpoints want to know of it, and whether their own page sent the form.

The cookie of a session: which name it has under which address, and how it is set and taken away.
"""

import hmac
from typing import Annotated

from fastapi import Depends, Request, Response
from starlette.datastructures import Headers

from furoshiki.core.catalogue import later
from furoshiki.core.logins import addresses, rules
from furoshiki.core.settings import Settings
from furoshiki.faces.dashboard.access.rules.origin import SAFE
from furoshiki.faces.dashboard.errors import MayNotChange, NotSignedIn, Refused
from furoshiki.faces.dashboard.values import Visitor

FIELD, HEADER = "csrf", "x-csrf-token"
"""Where a form and a script bring back what their session gave them."""


class NotOurForm(Refused):
    """The CSRF token is missing, or another session's."""

    status, code = 403, "csrf"
    words = later("This form is from another time you were signed in, so nothing was done.")
    fix = later("Load the page again, and send it from there.")


async def viewer(request: Request) -> Visitor:
    """The visitor who was let in, in any role. Raises NotSignedIn; NotOurForm where something is to change and the
    request does not bring back what only the pages of this session know."""
    visitor = getattr(request.state, "visitor", None)
    if not isinstance(visitor, Visitor):
        raise NotSignedIn
    if request.method not in SAFE and not visitor.by_token:
        given = request.headers.get(HEADER) or str((await request.form()).get(FIELD, ""))
        if not hmac.compare_digest(given.encode("utf-8", "surrogatepass"), visitor.csrf.encode()):
            raise NotOurForm
    return visitor


def admin(visitor: Annotated[Visitor, Depends(viewer)]) -> Visitor:
    """Return the visitor if they may change things. Raises NotSignedIn, NotOurForm, MayNotChange."""
    if not visitor.is_admin:
        raise MayNotChange
    return visitor


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
