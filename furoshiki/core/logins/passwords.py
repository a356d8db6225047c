"""Optional passwords for the dashboard, stored as Argon2id hashes (slow on purpose)."""

from __future__ import annotations

import threading
from datetime import datetime
from typing import TYPE_CHECKING

from furoshiki.core.catalogue import Sentence, later
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.logins.values import Role, Session

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST, LONGEST = 10, 512  # minimum and maximum length of a password, in characters

# OWASP's parameters for little memory: 19 MiB; 30 ms on a laptop, 250 ms on a Raspberry Pi 4
_MEMORY_KIB, _ROUNDS, _LANES = 19 * 1024, 2, 1

# a hash for roles without a password: it never matches, and the check takes as long
_NOBODYS = "$argon2id$v=19$m=19456,t=2,p=1$RkutITVHjwBRCS1pAvTIag$taEVEyrdRvPo9jXjY6wVq+mntOmvZdOgrH6X5tSsTQ0"

_one_at_a_time = threading.Lock()

_LENGTH = later("a password needs {shortest} to {longest} characters; three or four unrelated words work well")


def choose(ledger: Ledger, role: Role, password: str, now: datetime) -> None:
    """Set the password of a role and end its password sessions. Raises FuroshikiError."""
    if len(password.strip()) < SHORTEST or len(password) > LONGEST:
        raise FuroshikiError(Sentence(_LENGTH, shortest=SHORTEST, longest=LONGEST))
    with _one_at_a_time:
        kept = _hasher().hash(password)
    with ledger.changing(now) as book:
        book.passwords[role] = kept
        _sign_out(book.sessions, role)


def remove(ledger: Ledger, role: Role, now: datetime) -> bool:
    """Remove the password of a role and end its password sessions; True when there was one."""
    with ledger.changing(now) as book:
        _sign_out(book.sessions, role)
        return book.passwords.pop(role, None) is not None


def which(ledger: Ledger) -> tuple[Role, ...]:
    """Return the roles that have a password."""
    return tuple(sorted(ledger.held().passwords))


def find_role(ledger: Ledger, role: str, password: str) -> Role | None:
    """Return the role if the password is right. Unknown roles take as long; one check at a time."""
    from argon2.exceptions import InvalidHashError, VerificationError

    known, kept = next(((name, one) for name, one in ledger.held().passwords.items() if name == role), (None, _NOBODYS))
    with _one_at_a_time:
        try:
            _hasher().verify(kept, password[:LONGEST])
        except (VerificationError, InvalidHashError):
            return None
    return known


def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher(_ROUNDS, _MEMORY_KIB, _LANES)


def _sign_out(sessions: dict[str, Session], role: Role) -> None:
    for mark in [mark for mark, one in sessions.items() if one.way == "password" and one.role == role]:
        del sessions[mark]
