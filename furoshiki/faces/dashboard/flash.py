"""One sentence about what a form did, carried over its redirect in a cookie that the next page spends."""

from typing import Literal
from urllib.parse import quote, unquote

from fastapi import Request
from fastapi.responses import RedirectResponse

COOKIE = "flash"
LONGEST = 3000
"""Characters of a message as it is quoted, up to twelve for a sign; browsers drop a cookie of over 4,096 bytes."""

Kind = Literal["done", "failed"]


def back(path: str, message: str = "", kind: Kind = "done") -> RedirectResponse:
    """To a page of this dashboard after a form, with what to say there. What is no path of ours leads to the first."""
    response = RedirectResponse(own_path(path), status_code=303)
    if message:
        response.set_cookie(COOKIE, f"{kind}.{_quote(message)}", httponly=True, samesite="strict", max_age=60)
    return response


def _quote(message: str) -> str:
    """Cut a message to what a cookie can carry, at whole characters."""
    while len(quoted := quote(message)) > LONGEST:
        message = message[: min(len(message) - 1, int(len(message) * LONGEST / len(quoted)))]
    return quoted


def own_path(path: str) -> str:
    """The same path where it is one of ours, else that of the first page."""
    ours = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if ours else "/"


def read_message(request: Request) -> tuple[tuple[str, str] | None, str]:
    """The message that waits, as its kind and its words, and the cookie to spend; ("", None) when there is none."""
    kind, _, words = request.cookies.get(COOKIE, "").partition(".")
    if kind not in ("done", "failed") or not words:
        return None, COOKIE if COOKIE in request.cookies else ""
    return (kind, unquote(words)), COOKIE
