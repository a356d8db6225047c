"""For which home a request is, as what it brings to be let in with says itself. Nothing else of it is believed."""

from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.types import Message, Receive

from furoshiki.core.logins import tokens
from furoshiki.core.logins.ledger import home_of
from furoshiki.core.logins.values import ENTER, MINI_APP
from furoshiki.core.paths import is_home_name
from furoshiki.core.settings import Settings
from furoshiki.faces.dashboard.access import cookies

LONGEST = 200
"""Characters of what lets somebody in."""


LONGEST_FORM = 20_000
"""Bytes of what Telegram signed, with all around it."""


def key_of(settings: Settings, path: str, headers: Headers) -> tuple[str, str]:
    """The home and the secret that a request names; ("", …) when it names no home. A login link is looked at before
    whoever is signed in, and with a token no cookie counts: as behind this."""
    if path.startswith(ENTER):
        key = path.removeprefix(ENTER)
        return (home_of(key), key) if len(key) <= LONGEST else ("", "")
    given = headers.get("authorization")
    if given is not None:
        key = given.partition(" ")[2].strip()
        return (home_of(key.removeprefix(tokens.PREFIX)), key) if len(key) <= LONGEST else ("", "")
    key = cookies.read(settings, headers) or ""
    return (home_of(key), key) if len(key) <= LONGEST else ("", "")


async def read(receive: Receive) -> tuple[bytes, Receive]:
    """The body of a request, as far as it is no longer than a form, and what gives all of it again."""
    kept: list[Message] = []
    body = b""
    while len(body) <= LONGEST_FORM and (not kept or kept[-1].get("more_body", False)):
        kept.append(await receive())
        body += kept[-1].get("body", b"")
    waiting = iter(kept)

    async def again() -> Message:
        found = next(waiting, None)
        return await receive() if found is None else found

    return body, again


def find_telegram_home(method: str, path: str, query: bytes) -> str:
    """The home whose bot is asked to vouch for somebody; "" when none is. Who it is, only what Telegram signed says."""
    if path != MINI_APP or method != "POST":
        return ""
    found = parse_qs(query[:LONGEST].decode("latin-1")).get("home", [""])
    return found[0] if is_home_name(found[0]) else ""
