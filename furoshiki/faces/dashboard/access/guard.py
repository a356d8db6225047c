"""The guard before all endpoints: checks host, origin, rate, size and identity of a request.

Every path that is not open to all needs a session or a token, whatever its endpoint asks for.
"""

import hashlib
import hmac
import logging
import math
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from furoshiki.core import numbers
from furoshiki.core.catalogue import Sentence, later
from furoshiki.core.logins import addresses, sessions, tokens
from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.logins.rules import without_keys_sent
from furoshiki.core.logins.values import ENTER, MINI_APP
from furoshiki.core.settings import Settings
from furoshiki.faces.dashboard.access import cookies
from furoshiki.faces.dashboard.access.limits import ANYBODY, SIGNED_IN, Limits
from furoshiki.faces.dashboard.access.rules import origin, patience
from furoshiki.faces.dashboard.values import Visitor
from furoshiki.faces.overview.errors import NotSignedIn, Refused
from furoshiki.language.humanize import plural

log = logging.getLogger(__name__)

OPEN = ("/static/", ENTER)
# paths without a login: the sign-in, its files, and the health check
OPEN_PAGES = frozenset({"/sign-in", "/app", "/healthz", "/favicon.ico"})

# the paths without a login where the pages were opened for one phone: only its link lets it in
OPEN_AT_A_PLACE = frozenset({"/favicon.ico"})

FORM_BYTES = 16 * 1024
BODY_BYTES = 1024 * 1024
# bytes of a body at most: of a visitor without a session, of a form, of a form with files
UPLOAD_BYTES = 21 * 1024 * 1024

# how often the visitor of a stream is checked again; a stream sends an event every 20 seconds
STREAM_LOOK = timedelta(seconds=10)

UPLOADS = ("/chat",)  # paths below which files may be uploaded


READ_ALONG = later(
    "Nothing was changed: this is a secret, and your connection is not encrypted. Enter it on "
    "the machine itself, or over https."
)


class TooFast(Refused):
    """More requests than anybody needs."""

    status, code = 429, "too_many_requests"
    words = later("Too many tries in too short a time.")

    def __init__(self, seconds: float) -> None:
        super().__init__(fix=Sentence("Try again in {wait}.", wait=describe_wait(seconds)))
        self.headers = {"Retry-After": str(max(1, math.ceil(seconds)))}


class BadToken(Refused):
    """There is no such API token, or not any more."""

    status, code = 401, "bad_token"
    words = later("This API token is unknown, or was revoked.")
    fix = later("Create another with `furoshiki dashboard token NAME`.")
    headers: Mapping[str, str] = {"WWW-Authenticate": "Bearer"}


def describe_wait(seconds: float) -> str:
    """Format a wait in words: "5 seconds", "12 minutes"."""
    whole = max(1, math.ceil(seconds))
    return plural(whole, "second") if whole < 90 else plural(math.ceil(whole / 60), "minute")


def csrf_of(secret: str) -> str:
    """Return the CSRF token of a session, derived from its secret, which no other site can read."""
    return hmac.new(secret.encode("utf-8", "surrogatepass"), b"csrf", hashlib.sha256).hexdigest()


@dataclass
class Gate:
    """Access to this dashboard, for the guard and the pages. If the ledger has a place of its own
    (see `Session`), one browser alone has access: no token, no password, no other session."""

    ledger: Ledger
    settings: Settings
    now: Callable[[], datetime]
    limits: Limits = field(default_factory=Limits)

    @property
    def open_pages(self) -> frozenset[str]:
        """The paths without a login here."""
        return OPEN_AT_A_PLACE if self.ledger.place else OPEN_PAGES

    def by_cookie(self, secret: str) -> Visitor | None:
        """Return the visitor of a session, or None."""
        session = sessions.of(self.ledger, secret, self.now())
        return None if session is None else Visitor(session.role, session.id, csrf_of(secret))

    def by_token(self, secret: str) -> Visitor | None:
        """Return the visitor of an API token, or None."""
        token = None if self.ledger.place else tokens.of(self.ledger, secret, self.now())
        return None if token is None else Visitor(token.role, token.id, "", by_token=True)

    async def visitor(self, headers: Headers) -> Visitor | None:
        """Return the visitor, or None. A token takes precedence over a cookie."""
        given = headers.get("authorization")
        if given is not None:
            scheme, _, token = given.partition(" ")
            known = scheme.lower() == "bearer" and len(token) < 200
            return await run_in_threadpool(self.by_token, token.strip()) if known else None
        secret = cookies.read(self.settings, headers)
        if secret is None or len(secret) > 200:
            return None
        return await run_in_threadpool(self.by_cookie, secret)


Tell = Callable[[Request, Refused], Response]


class _Watch:
    """Checks regularly that the visitor of a stream is still signed in. `over` ends the stream."""

    def __init__(self, gate: Gate, request: Request) -> None:
        self._gate = gate
        self._request = request
        self._looked: datetime | None = None
        self.begun = self.over = False

    async def lasts(self) -> bool:
        """Return whether the stream may go on."""
        visitor, now = self._request.state.visitor, self._gate.now()
        if visitor is None or (self._looked is not None and abs(now - self._looked) < STREAM_LOOK):
            return True
        self._looked = now
        return await self._gate.visitor(self._request.headers) is not None


class Guard:
    """The ASGI middleware. The gate in the application's state decides; `tell` renders a refusal as
    a page or JSON."""

    def __init__(self, app: ASGIApp, tell: Tell) -> None:
        self._app = app
        self._tell = tell

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer with the refusal."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request, path = Request(scope), str(scope["path"])
        gate: Gate = scope["app"].state.gate
        watch = _Watch(gate, request)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                watch.begun = True
                _add_headers(message, path)
            elif message.get("more_body") and not await watch.lasts():
                message = {"type": "http.response.body", "body": b"", "more_body": False}
            if message.get("body") and looks_only(request, path):
                message = {**message, "body": without_keys_sent(message["body"])}
            if not watch.over:
                watch.over = message["type"] == "http.response.body" and not message.get("more_body")
                await send(message)

        try:
            await _judge(gate, request, path)
            await self._app(scope, receive, guarded)
            return
        except Refused as error:
            answer = await run_in_threadpool(self._tell, request, error)
        except Exception:  # the edge of the process: the visitor sees an error, the log has details
            log.exception("%s %s broke", request.method, ENTER if path.startswith(ENTER) else path)
            if watch.begun:
                raise
            words = later("Something broke here, and it is not your fault.")
            fix = later("Nothing was left half done. `furoshiki logs dashboard` shows what happened.")
            answer = await run_in_threadpool(self._tell, request, Refused(words, fix, 500, "broken"))
        await answer(scope, receive, guarded)


async def _judge(gate: Gate, request: Request, path: str) -> None:
    """Identify the visitor and check the request. Raises Refused."""
    settings, headers = gate.settings, request.headers
    request.state.visitor = None
    hosts = addresses.hosts(settings, (request.scope.get("server") or ("", None))[1])
    ours = len(headers.getlist("host")) == 1 and origin.is_ours(headers["host"], hosts)
    visitor = await gate.visitor(headers) if ours else None
    request.state.visitor = visitor
    who, rate = (address_of(request, settings), ANYBODY) if visitor is None else (visitor.session, SIGNED_IN)
    if (wait := gate.limits.ask(who, rate)) > 0:
        raise TooFast(wait)
    if not ours:
        words = later("This dashboard is not available at that address.")
        fix = later(
            "Open it the way `furoshiki dashboard --open` shows it, or set the address in FUROSHIKI_DASHBOARD_URL."
        )
        raise Refused(words, fix, 421, "other_host")  # a foreign name may lead here (DNS rebinding)
    if visitor is None and "authorization" in headers:
        raise BadToken
    if not (visitor and visitor.by_token) and origin.is_foreign(request.method, headers, hosts):
        words = later("This request came from another site, so nothing was done.")
        raise Refused(words, later("Do this on the dashboard's own page."), 403, "foreign_site")
    _check_size(request, path, visitor)
    if visitor is None and path not in gate.open_pages and not path.startswith(OPEN):
        raise NotSignedIn


def looks_only(request: Request, path: str) -> bool:
    """Return whether the visitor may change nothing. Login links of the owner are then removed from
    answers, except on the pages where visitors sign in themselves."""
    visitor: Visitor | None = request.state.visitor
    return visitor is not None and not visitor.is_admin and not path.startswith(OPEN) and path not in OPEN_PAGES


def address_of(request: Request, settings: Settings) -> str:
    """Return the client's address; X-Forwarded-For counts from a local proxy alone."""
    peer = request.client.host if request.client else ""
    said = ",".join(request.headers.getlist("x-forwarded-for"))
    proxied = peer in ("127.0.0.1", "::1") and request.headers.get("host", "").lower() == addresses.public_host(
        settings
    )
    return said.rpartition(",")[2].strip()[:64] or peer if proxied else peer


def is_unread(request: Request) -> bool:
    """Return whether nobody can read the request on its way: it is https or local."""
    settings: Settings = request.app.state.gate.settings
    if request.url.scheme == "https":
        return True
    here = request.client is not None and patience.peer(request.client.host) is None
    proxied = request.headers.get("host", "").lower() == addresses.public_host(settings)
    return here and (addresses.is_https(settings) or not proxied)


def _check_size(request: Request, path: str, visitor: Visitor | None) -> None:
    """Raise Refused for a body that is too large, or whose length is not told before."""
    length = request.headers.get("content-length")
    if length is None:
        if "transfer-encoding" in request.headers:
            words = "The request does not say how long it is."
            raise Refused(words, "Send it with a Content-Length.", 411, "length_required")
        return
    uploads = any(path == one or path.startswith(f"{one}/") for one in UPLOADS)
    most = UPLOAD_BYTES if uploads else BODY_BYTES
    if visitor is None:
        most = FORM_BYTES
    if numbers.whole(length, 0, most) is None:
        words = later("That is too much to send at once.")
        raise Refused(words, later("Send less, or a smaller file."), 413, "too_large")


def _add_headers(message: MutableMapping[str, Any], path: str) -> None:
    headers = MutableHeaders(scope=message)
    for name, value in of(path).items():
        headers[name] = value
    if "cache-control" not in headers:
        headers["Cache-Control"] = "no-store"


# content only from this server; no inline code or styles
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src "
    "'self'; form-action 'self'; base-uri 'none'; frame-ancestors {frames}"
)

# the only site that may frame a page: the Mini App's own one
_TELEGRAM = "https://web.telegram.org"

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
