"""Signing in and out, by login links and passwords. These pages are open to all."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import HTMLResponse, Response

from furoshiki.core.catalogue import later, say
from furoshiki.core.logins import addresses, links, passwords, rules, sessions
from furoshiki.core.logins.values import Refusal, SignedIn
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access import cookies
from furoshiki.faces.dashboard.access.current import viewer
from furoshiki.faces.dashboard.access.guard import Gate, TooFast, address_of
from furoshiki.faces.dashboard.flash import back, own_path
from furoshiki.faces.dashboard.values import Visitor

router = APIRouter(include_in_schema=False)

_REFUSED: dict[Refusal, tuple[str, str]] = later(
    {
        "used": (
            "This link was already used",
            "Each link signs in one browser, once.",
        ),
        "expired": ("This link has expired", "A link works for five minutes."),
        "unknown": (
            "This link is unknown here",
            "It may be incomplete, or very old, or everyone has been signed out since.",
        ),
    }
)


@router.get("/enter/{key}")
def look(request: Request, key: str) -> HTMLResponse:
    """Show a login link without using it up, so that a chat's link preview does no harm."""
    gate = gate_of(request)
    found = links.examine(gate.ledger, key, gate.now())
    if isinstance(found, str):
        return _render_refusal(request, found)
    return rendering.page(request, "enter", link=found, key=key)


@router.post("/enter/{key}")
def enter(request: Request, key: str) -> Response:
    """Sign this browser in, and use the link up."""
    gate = gate_of(request)
    found = links.sign_in(gate.ledger, key, gate.now(), browser_of(request), former_of(request))
    return _render_refusal(request, found) if isinstance(found, str) else welcome(request, found)


@router.get("/sign-in")
def sign_in(request: Request) -> HTMLResponse:
    return render_sign_in(request, 200)


@router.post("/sign-in")
def with_password(
    request: Request,
    password: Annotated[str, Form(max_length=passwords.LONGEST)] = "",
    role: Annotated[str, Form(max_length=20)] = "admin",
    back_to: Annotated[str, Form(alias="back", max_length=500)] = "/",
) -> Response:
    """Sign this browser in with a password."""
    gate = gate_of(request)
    address = address_of(request, gate.settings)
    if (wait := gate.limits.guess(address)) > 0:
        raise TooFast(wait)
    known = passwords.find_role(gate.ledger, role, password)
    if known is None:
        return render_sign_in(request, 403, say("That password is wrong."), role, back_to)
    gate.limits.right(address)
    found = sessions.begin(gate.ledger, known, "password", browser_of(request), gate.now(), former_of(request))
    return welcome(request, found, own_path(back_to))


@router.post("/sign-out")
def sign_out(request: Request, visitor: Annotated[Visitor, Depends(viewer)]) -> Response:
    """End this session."""
    gate = gate_of(request)
    sessions.end(gate.ledger, visitor.session, gate.now())
    response = back("/sign-in", say("You are signed out."))
    cookies.take_away(response, gate.settings, request.headers)
    return response


def render_sign_in(
    request: Request, status: int, failed: str = "", role: str = "admin", back_to: str = "/"
) -> HTMLResponse:
    """Render the sign-in page, with a form if a password is set."""
    gate = gate_of(request)
    return rendering.page(
        request,
        "sign_in",
        status=status,
        failed=failed,
        role=role,
        back_to=own_path(back_to),
        roles=() if gate.ledger.place else passwords.which(gate.ledger),
        command=request.app.state.command,
        telegram=gate.settings.telegram_bot_token is not None,
        https=addresses.is_https(gate.settings),
    )


def gate_of(request: Request) -> Gate:
    gate: Gate = request.app.state.gate
    return gate


def browser_of(request: Request) -> str:
    """Return a readable name of the requesting browser."""
    return rules.browser(request.headers.get("user-agent", "")[:400])


def former_of(request: Request) -> str | None:
    """Return the present session of this browser, which ends when another begins."""
    return cookies.read(gate_of(request).settings, request.headers)


def welcome(request: Request, found: SignedIn, path: str = "/") -> Response:
    """Redirect to a page with the cookie of the new session."""
    response = back(path)
    cookies.give(response, gate_of(request).settings, request.headers, found.secret)
    return response


def _render_refusal(request: Request, why: Refusal) -> HTMLResponse:
    words, about = _REFUSED[why]
    return rendering.page(request, "link_refused", status=410, words=words, about=about, used=why == "used")
