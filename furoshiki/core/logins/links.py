"""Login links: five minutes, once. Anyone who has one is let in, so it goes to the owner's terminal or chat alone."""

from dataclasses import replace
from datetime import datetime

from furoshiki.core.logins import rules
from furoshiki.core.logins.ledger import Ledger, compute_hash
from furoshiki.core.logins.sessions import add
from furoshiki.core.logins.values import ENTER, Link, Refusal, Role, SignedIn


def make_link(ledger: Ledger, role: Role, now: datetime, *, base: str) -> str:
    """A new link below the address `base` of the dashboard ("http://127.0.0.1:8330"). At a place that was opened for
    one browser no earlier link holds."""
    with ledger.changing(now) as book:
        key = book.secret()
        if book.place:
            book.links = {mark: one for mark, one in book.links.items() if one.place != book.place}
        book.links[compute_hash(key)] = Link(role, now, place=book.place)
    return f"{base}{ENTER}{key}"


def examine(ledger: Ledger, key: str, now: datetime) -> Link | Refusal:
    """What a link is for, or why it lets nobody in. Looking uses nothing up: previews of links look, too."""
    link = ledger.held().links.get(compute_hash(key))
    if link is None or link.place != ledger.place:
        return "unknown"
    return rules.refusal(link, now) or link


def sign_in(ledger: Ledger, key: str, now: datetime, browser: str, former: str | None = None) -> SignedIn | Refusal:
    """Sign in with a link, or why not. Of twenty who try at once one is let in.

    `former` is the session that the browser brought along; it ends.
    """
    if isinstance(refused := examine(ledger, key, now), str):
        return refused  # a wrong guess causes no write
    with ledger.changing(now) as book:
        link = book.links.get(compute_hash(key))
        if link is None:
            return "unknown"
        if (refused_now := rules.refusal(link, now)) is not None:
            return refused_now
        book.links[compute_hash(key)] = replace(link, used_at=now)
        return add(book, link.role, "link", browser, now, former)
