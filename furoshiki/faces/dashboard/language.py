"""In which language pages are: the one that is set, else the first of the browser's that can be spoken.

Programs are answered in English.
"""

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from furoshiki.core.catalogue import ENGLISH, languages, speaking

PROGRAMS = ("/api/", "/metrics")
"""Below which programs ask."""


class Speaking:
    """Has every request answered in the visitor's language."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        with speaking(_language(Request(scope)) if scope["type"] == "http" else ENGLISH):
            await self._app(scope, receive, send)


def of_programs(request: Request) -> bool:
    """Whether a program asks, and not a person."""
    return request.url.path.startswith(PROGRAMS) or "authorization" in request.headers


def _language(request: Request) -> str:
    if of_programs(request):
        return ENGLISH
    companion = getattr(request.app.state, "world", None)
    return (companion and companion().settings.furoshiki_language) or choose_language(
        request.headers.get("accept-language", "")
    )


def choose_language(header: str) -> str:
    """The first language of an Accept-Language header ("de-CH,de;q=0.9,en;q=0.8") that can be spoken."""
    codes = (one.partition(";")[0].strip().lower().partition("-")[0] for one in header.split(","))
    return next((code for code in codes if code in languages()), ENGLISH)
