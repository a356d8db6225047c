"""Dashboard sessions: begun by link, password or Telegram; ended by browser, owner, or time."""

import contextlib
from dataclasses import replace
from datetime import datetime

from furoshiki.core.logins import rules
from furoshiki.core.logins.ledger import Book, Ledger, NotKept, compute_hash, name
from furoshiki.core.logins.values import Role, Session, SignedIn, Way


def add(book: Book, role: Role, way: Way, browser: str, now: datetime, former: str | None = None) -> SignedIn:
    """Add a session, replacing the browser's `former` one (at a place for one browser, all).

    The secret is always new: one sent by the browser may have been planted (session fixation).
    """
    if former is not None:
        book.sessions.pop(compute_hash(former), None)
    if book.place:
        leave(book)
    key = book.secret()
    session = book.sessions[compute_hash(key)] = Session(name(), role, way, browser, now, now, book.place)
    return SignedIn(key, session)


def leave(book: Book) -> None:
    """End every session at the place of the book."""
    book.sessions = {mark: one for mark, one in book.sessions.items() if one.place != book.place}


def begin(ledger: Ledger, role: Role, way: Way, browser: str, now: datetime, former: str | None = None) -> SignedIn:
    """Start a session and store it. Raises NotKept."""
    with ledger.changing(now) as book:
        return add(book, role, way, browser, now, former)


def begin_once(
    ledger: Ledger, proof: str, until: datetime, browser: str, now: datetime, former: str | None = None
) -> SignedIn | None:
    """Start an owner's session with Telegram's data, remembered `until`; None when used."""
    with ledger.changing(now) as book:
        if compute_hash(proof) in book.spent:
            return None
        book.spent[compute_hash(proof)] = until
        return add(book, "admin", "telegram", browser, now, former)


def of(ledger: Ledger, key: str, now: datetime) -> Session | None:
    """Return the valid session with this secret and note its use; None when there is none."""
    mark = compute_hash(key)
    session = ledger.held().sessions.get(mark)
    if session is None or session.place != ledger.place or not rules.lives(session, now):
        return None
    if abs(now - session.seen_at) >= rules.SEEN_EVERY:
        with contextlib.suppress(NotKept), ledger.changing(now) as book:  # a full disk must not sign a user out
            if (fresh := book.sessions.get(mark)) is None:  # ended meanwhile
                return None
            session = book.sessions[mark] = replace(fresh, seen_at=now)
    return session


def list_all(ledger: Ledger, now: datetime) -> list[Session]:
    """Return all valid sessions, most recently used first."""
    alive = [session for session in ledger.held().sessions.values() if rules.lives(session, now)]
    return sorted(alive, key=lambda one: one.seen_at, reverse=True)


def end(ledger: Ledger, id_: str, now: datetime) -> bool:
    """End the session with this id; True when it existed."""
    with ledger.changing(now) as book:
        ending = [mark for mark, one in book.sessions.items() if one.id == id_]
        for mark in ending:
            del book.sessions[mark]
    return bool(ending)


def end_all(ledger: Ledger, now: datetime) -> int:
    """End all sessions and invalidate open login links; returns the number of valid sessions."""
    with ledger.changing(now) as book:
        count = sum(rules.lives(session, now) for session in book.sessions.values())
        book.sessions.clear()
        book.links.clear()
    return count
