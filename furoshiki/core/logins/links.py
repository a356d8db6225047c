"""Login links: valid once, for five minutes. Only the owner's terminal or chat gets them."""

from dataclasses import replace
from datetime import datetime

from furoshiki.core.logins import rules
from furoshiki.core.logins.ledger import Ledger, compute_hash
from furoshiki.core.logins.sessions import add
from furoshiki.core.logins.values import ENTER, Link, Refusal, Role, SignedIn


def make_link(ledger: Ledger, role: Role, now: datetime, *, base: str) -> str:
    """Create a link below the dashboard's address `base` ("http://127.0.0.1:8330").
    At a place opened for one browser, earlier links become invalid."""
    with ledger.changing(now) as book:
        key = book.secret()
        if book.place:
            book.links = {mark: one for mark, one in book.links.items() if one.place != book.place}
        book.links[compute_hash(key)] = Link(role, now, place=book.place)
    return f"{base}{ENTER}{key}"


def examine(ledger: Ledger, key: str, now: datetime) -> Link | Refusal:
    """Return the link, or why it is not valid. Does not use it up: link previews open it too."""
    link = ledger.held().links.get(compute_hash(key))
    if link is None or link.place != ledger.place:
        return "unknown"
    return rules.refusal(link, now) or link


def sign_in(ledger: Ledger, key: str, now: datetime, browser: str, former: str | None = None) -> SignedIn | Refusal:
    """Sign in with a link, or return why not. Of twenty simultaneous attempts one succeeds.

    `former` is the browser's earlier session, which ends.
    """
    if isinstance(refused := examine(ledger, key, now), str):
        return refused  # no write for a wrong guess
    with ledger.changing(now) as book:
        link = book.links.get(compute_hash(key))
        if link is None:
            return "unknown"
        if (refused_now := rules.refusal(link, now)) is not None:
            return refused_now
        book.links[compute_hash(key)] = replace(link, used_at=now)
        return add(book, link.role, "link", browser, now, former)
