"""Signing in from Telegram. These pages are open to all."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from furoshiki.core.logins import links, sessions
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access import telegram
from furoshiki.faces.dashboard.pages.entering import browser_of, former_of, gate_of, welcome

router = APIRouter(include_in_schema=False)


@router.get("/app")
def mini_app(request: Request) -> HTMLResponse:
    """Show the Mini App. The user is in the URL's fragment, which only the page's script sees."""
    return rendering.page(request, "mini_app")


@router.post("/app")
def from_telegram(
    request: Request,
    init_data: Annotated[str, Form(max_length=10_000)] = "",
    framed: Annotated[bool, Form()] = False,
) -> Response:
    """Sign the owner in. Telegram's frames in browsers allow no session: there the answer is a
    login link for a separate window."""
    gate = gate_of(request)
    found = telegram.sign_in(request.app.state.world(), gate.ledger, init_data, browser_of(request), former_of(request))
    if not framed:
        return welcome(request, found)
    sessions.end(gate.ledger, found.session.id, gate.now())
    return JSONResponse({"link": links.make_link(gate.ledger, "admin", gate.now(), base="")})
