"""Routes each request of a host's dashboard: with a key of a home to that home, all others to the
operator's pages.

The operator's pages need a login of the host. A request reaches a home's pages only if that home's
ledger knows its secret; there the guard checks it as in any dashboard.
"""

from urllib.parse import parse_qs

from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from furoshiki.core.logins import tokens
from furoshiki.core.logins.ledger import home_of
from furoshiki.core.logins.values import ENTER, MINI_APP
from furoshiki.core.paths import is_home_name
from furoshiki.core.settings import Settings
from furoshiki.faces.dashboard.access import cookies
from furoshiki.faces.dashboard.app import application, of_a_companion
from furoshiki.faces.host_dashboard.open_pages import HomesPages, OpenPages
from furoshiki.host import home_logs

PAGES = "furoshiki.pages"  # the key in a request's scope for the pages of its home

_LONGEST_KEY = 200  # characters of a key
_LONGEST_FORM = 20_000  # bytes of a form with Telegram's signed data


class Entrance:
    """The ASGI application of a host. `state` is that of the operator's pages."""

    def __init__(self, operator: FastAPI, homes: HomesPages, settings: Settings) -> None:
        self.state = operator.state
        self.homes = homes
        self._operator = operator
        self._settings = settings
        self._of_homes = application(of_a_companion())
        self._of_homes.add_middleware(_AtHome)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the home whose secret the request carries, else as the host."""
        pages = None
        if scope["type"] == "http":
            pages, receive = await self._find_pages(scope, receive)
        if pages is None:
            await self._operator(scope, receive, send)
            return
        scope[PAGES] = pages
        pages.inside += 1
        try:
            with home_logs.about(pages.home.data, pages.world.settings.secrets()):
                await self._of_homes(scope, receive, send)
        finally:
            pages.inside -= 1

    async def _find_pages(self, scope: Scope, receive: Receive) -> tuple[OpenPages | None, Receive]:
        """Return the pages that the request's secret opens."""
        vouched = _find_telegram_home(str(scope["method"]), str(scope["path"]), scope.get("query_string", b""))
        if vouched:
            body, receive = await _read_form(receive)
            return await self.homes.vouched_for(vouched, body), receive
        secret = _find_key(self._settings, str(scope["path"]), Headers(scope=scope))
        return await self.homes.known(*secret), receive


class _AtHome:
    """Makes a request find the state of its own home as that of its application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on as that home's."""
        if PAGES in scope:
            scope["app"] = scope[PAGES]
        await self._app(scope, receive, send)


def _find_key(settings: Settings, path: str, headers: Headers) -> tuple[str, str]:
    """Return the home and the secret that a request names; ("", …) without a home. A login link and
    a token take precedence over the session cookie, as in the dashboard behind."""
    if path.startswith(ENTER):
        key = path.removeprefix(ENTER)
        return (home_of(key), key) if len(key) <= _LONGEST_KEY else ("", "")
    given = headers.get("authorization")
    if given is not None:
        key = given.partition(" ")[2].strip()
        return (home_of(key.removeprefix(tokens.PREFIX)), key) if len(key) <= _LONGEST_KEY else ("", "")
    key = cookies.read(settings, headers) or ""
    return (home_of(key), key) if len(key) <= _LONGEST_KEY else ("", "")


async def _read_form(receive: Receive) -> tuple[bytes, Receive]:
    """Return the body, up to the size of a form, and a `receive` that replays all of it."""
    kept: list[Message] = []
    body = b""
    while len(body) <= _LONGEST_FORM and (not kept or kept[-1].get("more_body", False)):
        kept.append(await receive())
        body += kept[-1].get("body", b"")
    waiting = iter(kept)

    async def again() -> Message:
        found = next(waiting, None)
        return await receive() if found is None else found

    return body, again


def _find_telegram_home(method: str, path: str, query: bytes) -> str:
    """Return the home whose bot must verify the user, or ""; only Telegram's signature counts."""
    if path != MINI_APP or method != "POST":
        return ""
    found = parse_qs(query[:_LONGEST_KEY].decode("latin-1")).get("home", [""])
    return found[0] if is_home_name(found[0]) else ""
