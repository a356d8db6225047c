"""The language of pages: the setting, else the first supported language of the browser.

Programs get English.
"""

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from furoshiki.core.catalogue import ENGLISH, languages, speaking

PROGRAMS = ("/api/", "/metrics")
"""Path prefixes for programs."""


class Speaking:
    """Middleware that answers every request in the visitor's language."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with speaking(_language(Request(scope)) if scope["type"] == "http" else ENGLISH):
            await self._app(scope, receive, send)


def of_programs(request: Request) -> bool:
    """Return whether the request comes from a program, not a person."""
    return request.url.path.startswith(PROGRAMS) or "authorization" in request.headers


def _language(request: Request) -> str:
    if of_programs(request):
        return ENGLISH
    companion = getattr(request.app.state, "world", None)
    return (companion and companion().settings.furoshiki_language) or choose_language(
        request.headers.get("accept-language", "")
    )


def choose_language(header: str) -> str:
    """Return the first supported language of an Accept-Language header ("de-CH,de;q=0.9")."""
    codes = (part.partition(";")[0].strip().lower().partition("-")[0] for part in header.split(","))
    return next((code for code in codes if code in languages()), ENGLISH)
