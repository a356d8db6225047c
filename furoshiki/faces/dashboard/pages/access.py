"""The page Access: signed-in browsers, and the tokens of programs."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import HTMLResponse, Response

from furoshiki.core.catalogue import say, say_number, say_sentence
from furoshiki.core.logins import passwords, sessions, tokens
from furoshiki.core.logins.ledger import TooMany
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import admin, viewer
from furoshiki.faces.dashboard.flash import back
from furoshiki.faces.dashboard.pages.entering import gate_of
from furoshiki.faces.dashboard.values import Role, Visitor

PAGE = ("Access", "Who is signed in, and tokens for programs", "System", 150)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

PATH = "/access"


@router.get(PATH)
def access(request: Request, visitor: Annotated[Visitor, Depends(viewer)]) -> HTMLResponse:
    """Show the page; a viewer sees only their own session."""
    return _render(request, visitor)


@router.post(f"{PATH}/tokens")
def make(
    request: Request,
    visitor: Annotated[Visitor, Depends(admin)],
    name: Annotated[str, Form(max_length=200)] = "",
    role: Annotated[Role, Form()] = "viewer",
) -> Response:
    """Create a token. It is shown in this answer only, so there is no redirect."""
    if not name.strip():
        return back(PATH, say("Say what the token is for, so that you know it again."), "failed")
    gate = gate_of(request)
    try:
        made = tokens.make_token(gate.ledger, name, role, gate.now())
    except TooMany as error:
        return back(PATH, f"{say_sentence(error)}.", "failed")
    return _render(request, visitor, made)


@router.post(f"{PATH}/tokens/revoke", dependencies=[Depends(admin)])
def revoke(request: Request, token: Annotated[str, Form(max_length=200)]) -> Response:
    """Revoke a program's token."""
    gone = tokens.revoke(gate_of(request).ledger, token, gate_of(request).now())
    return back(PATH, say("That token no longer lets anyone in.") if gone else say("That token was already revoked."))


@router.post(f"{PATH}/sessions/end", dependencies=[Depends(admin)])
def end(request: Request, session: Annotated[str, Form(max_length=200)]) -> Response:
    """Sign one browser out."""
    gone = sessions.end(gate_of(request).ledger, session, gate_of(request).now())
    return back(PATH, say("That browser is signed out.") if gone else say("That session had ended already."))


@router.post(f"{PATH}/sessions/end-all", dependencies=[Depends(admin)])
def end_all(request: Request) -> Response:
    """Sign everybody out, including this browser."""
    count = sessions.end_all(gate_of(request).ledger, gate_of(request).now())
    return back(
        "/sign-in",
        say_number(
            "{number} session ended, this one too, and no link that was open works any more.",
            "{number} sessions ended, this one too, and no link that was open works any more.",
            count,
        ),
    )


def _render(request: Request, visitor: Visitor, made: str | None = None) -> HTMLResponse:
    gate = gate_of(request)
    found = sessions.list_all(gate.ledger, gate.now())
    return rendering.page(
        request,
        "access",
        sessions=[session for session in found if visitor.is_admin or session.id == visitor.session],
        tokens=tokens.list_all(gate.ledger) if visitor.is_admin else [],
        passwords=passwords.which(gate.ledger),
        made=made,
        command=request.app.state.command.removesuffix(" --open"),
    )
