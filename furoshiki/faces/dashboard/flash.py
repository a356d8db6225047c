"""A one-sentence result of a form, carried over the redirect in a cookie and shown once."""

from typing import Literal
from urllib.parse import quote, unquote

from fastapi import Request
from fastapi.responses import RedirectResponse

COOKIE = "flash"
# characters of a quoted message (up to twelve per character); a cookie holds 4,096 bytes
LONGEST = 3000

Kind = Literal["done", "failed"]


def back(path: str, message: str = "", kind: Kind = "done") -> RedirectResponse:
    """Redirect to a page of this dashboard with a message. Foreign paths lead to the first page."""
    response = RedirectResponse(own_path(path), status_code=303)
    if message:
        response.set_cookie(COOKIE, f"{kind}.{_quote(message)}", httponly=True, samesite="strict", max_age=60)
    return response


def _quote(message: str) -> str:
    """Cut a message at whole characters to the size of a cookie."""
    while len(quoted := quote(message)) > LONGEST:
        message = message[: min(len(message) - 1, int(len(message) * LONGEST / len(quoted)))]
    return quoted


def own_path(path: str) -> str:
    """Return the path if it is one of ours, else that of the first page."""
    ours = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if ours else "/"


def read_message(request: Request) -> tuple[tuple[str, str] | None, str]:
    """Return the message as (kind, words) or None, and the cookie to delete or ""."""
    kind, _, words = request.cookies.get(COOKIE, "").partition(".")
    if kind not in ("done", "failed") or not words:
        return None, COOKIE if COOKIE in request.cookies else ""
    return (kind, unquote(words)), COOKIE
