"""API tokens, valid until revoked, for programs that poll, such as Prometheus."""

import contextlib
from dataclasses import replace
from datetime import datetime

from furoshiki.core.catalogue import Sentence
from furoshiki.core.framing import visible
from furoshiki.core.logins import rules
from furoshiki.core.logins.ledger import MOST, Ledger, NotKept, TooMany, compute_hash, name
from furoshiki.core.logins.values import Role, Token

# the prefix of every token, so that an accidentally published token can be found
PREFIX = "furoshiki_"

LONGEST_NAME = 60


def make_token(ledger: Ledger, label: str, role: Role, now: datetime) -> str:
    """Create a token; the secret is returned only this once. Raises TooMany and NotKept."""
    with ledger.changing(now) as book:
        key = PREFIX + book.secret()
        if len(book.tokens) >= MOST:
            raise TooMany(
                Sentence("there are already {number} API tokens: revoke one that no program uses", number=MOST)
            )
        book.tokens[compute_hash(key)] = Token(name(), role, visible(label).strip()[:LONGEST_NAME] or "unnamed", now)
    return key


def of(ledger: Ledger, key: str, now: datetime) -> Token | None:
    """Return the token with this secret and note its use; None when it is unknown or revoked."""
    mark = compute_hash(key)
    token = ledger.held().tokens.get(mark)
    if token is not None and (token.used_at is None or abs(now - token.used_at) >= rules.SEEN_EVERY):
        with contextlib.suppress(NotKept), ledger.changing(now) as book:
            if (fresh := book.tokens.get(mark)) is None:
                return None
            token = book.tokens[mark] = replace(fresh, used_at=now)
    return token


def list_all(ledger: Ledger) -> list[Token]:
    """Return every token, newest first."""
    return sorted(ledger.held().tokens.values(), key=lambda token: token.made_at, reverse=True)


def revoke(ledger: Ledger, which: str, now: datetime) -> bool:
    """Revoke the token with this id, or else all with this name; True when one existed."""
    with ledger.changing(now) as book:
        found = [mark for mark, one in book.tokens.items() if which == one.id]
        found = found or [mark for mark, one in book.tokens.items() if which == one.name]
        for mark in found:
            del book.tokens[mark]
    return bool(found)
