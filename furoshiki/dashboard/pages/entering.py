"""The way in and out: login links, passwords, Telegram. These pages are open to everybody."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from furoshiki.core.errors import StorageUnavailable
from furoshiki.dashboard import rendering
from furoshiki.dashboard.access import cookies, telegram
from furoshiki.dashboard.access.current import viewer
from furoshiki.dashboard.access.guard import Gate, TooFast, address_of
from furoshiki.dashboard.flash import back, own_path
from furoshiki.dashboard.values import Visitor
from furoshiki.logins import addresses, links, passwords, rules, sessions
from furoshiki.logins.values import Refusal, SignedIn
from furoshiki.overview import health

router = APIRouter(include_in_schema=False)

_REFUSED: dict[Refusal, tuple[str, str]] = {
    "used": (
        "This link has been used",
        "Each link signs one browser in, once.",
    ),
    "expired": ("This link is too old", "A link is good for five minutes."),
    "unknown": (
        "This link is not known here",
        "It may be incomplete, or from long ago, or everybody was signed out since.",
    ),
}


@router.get("/enter/{key}")
def look(request: Request, key: str) -> HTMLResponse:
    """What a login link is for. Looking does not use it up, so that a preview of it in a chat does no harm."""
    gate = _gate(request)
    found = links.looked_at(gate.ledger, key, gate.now())
    if isinstance(found, str):
        return _refused(request, found)
    return rendering.page(request, "enter", link=found, key=key)


@router.post("/enter/{key}")
def enter(request: Request, key: str) -> Response:
    """Sign this browser in, and use the link up."""
    gate = _gate(request)
    found = links.used(gate.ledger, key, gate.now(), _browser(request), _former(request))
    return _refused(request, found) if isinstance(found, str) else _welcome(request, found)


@router.get("/sign-in")
def sign_in(request: Request) -> HTMLResponse:
    """How to sign in."""
    return signing_in(request, 200)


@router.post("/sign-in")
def with_password(
    request: Request,
    password: Annotated[str, Form(max_length=passwords.LONGEST)] = "",
    role: Annotated[str, Form(max_length=20)] = "admin",
    back_to: Annotated[str, Form(alias="back", max_length=500)] = "/",
) -> Response:
    """Sign this browser in with a password."""
    gate = _gate(request)
    address = address_of(request, gate.settings)
    if (wait := gate.limits.guess(address)) > 0:
        raise TooFast(wait)
    known = passwords.fitting(gate.ledger, role, password)
    if known is None:
        return signing_in(request, 403, "That password does not fit.", role, back_to)
    gate.limits.right(address)
    found = sessions.begun(gate.ledger, known, "password", _browser(request), gate.now(), _former(request))
    return _welcome(request, found, own_path(back_to))


@router.post("/sign-out")
def sign_out(request: Request, visitor: Annotated[Visitor, Depends(viewer)]) -> Response:
    """End this session."""
    gate = _gate(request)
    sessions.end(gate.ledger, visitor.session, gate.now())
    response = back("/sign-in", "You are signed out.")
    cookies.take_away(response, gate.settings, request.headers)
    return response


@router.get("/app")
def mini_app(request: Request) -> HTMLResponse:
    """What Telegram opens. Who opened it stands behind the # of the address, which only the page's script sees."""
    return rendering.page(request, "mini_app")


@router.post("/app")
def from_telegram(
    request: Request,
    init_data: Annotated[str, Form(max_length=10_000)] = "",
    framed: Annotated[bool, Form()] = False,
) -> Response:
    """Sign the owner in. Within a frame of Telegram in a browser no session can live: there it answers with a login
    link, to be opened in a window of its own."""
    gate = _gate(request)
    found = telegram.signed_in(request.app.state.world(), gate.ledger, init_data, _browser(request), _former(request))
    if not framed:
        return _welcome(request, found)
    sessions.end(gate.ledger, found.session.id, gate.now())
    return JSONResponse({"link": links.made(gate.ledger, "admin", gate.now(), base="")})


@router.get("/healthz")
def healthy(request: Request) -> Response:
    """Whether it lives, and nothing else to read: 200 while the database can be read, the brain runs and, where there
    is a bot, the listener does; else 503."""
    try:
        alive = health.alive(request.app.state.world())
    except StorageUnavailable:
        alive = False
    return Response(status_code=200 if alive else 503)


def signing_in(
    request: Request, status: int, failed: str = "", role: str = "admin", back_to: str = "/"
) -> HTMLResponse:
    """The page that says how to sign in, with a form where a password is set."""
    gate = _gate(request)
    return rendering.page(
        request,
        "sign_in",
        status=status,
        failed=failed,
        role=role,
        back_to=own_path(back_to),
        roles=passwords.which(gate.ledger),
        command="furoshiki dashboard --open",
        telegram=gate.settings.telegram_bot_token is not None,
        https=addresses.is_https(gate.settings),
    )


def _gate(request: Request) -> Gate:
    gate: Gate = request.app.state.gate
    return gate


def _browser(request: Request) -> str:
    return rules.browser(request.headers.get("user-agent", "")[:400])


def _former(request: Request) -> str | None:
    """The session this browser has now: it ends when another begins."""
    return cookies.read(_gate(request).settings, request.headers)


def _welcome(request: Request, found: SignedIn, path: str = "/") -> Response:
    response = back(path)
    cookies.give(response, _gate(request).settings, request.headers, found.secret)
    return response


def _refused(request: Request, why: Refusal) -> HTMLResponse:
    words, about = _REFUSED[why]
    return rendering.page(request, "link_refused", status=410, words=words, about=about, used=why == "used")
