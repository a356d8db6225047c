"""Who is signed in: kept as the hashes of what their browsers hold."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field

from furoshiki.dashboard.values import Role, Visitor

COOKIE = "furoshiki_session"


def hashed(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass
class Sessions:
    """Sessions of this process."""

    _held: dict[str, Visitor] = field(default_factory=dict)

    def sign_in(self, role: Role) -> str:
        """Begin a session; returns what its browser is to hold."""
        secret = secrets.token_urlsafe(32)
        self._held[hashed(secret)] = Visitor(role, hashed(secret)[:12], secrets.token_urlsafe(24))
        return secret

    def visitor(self, secret: str) -> Visitor | None:
        """Whose session a browser holds."""
        return self._held.get(hashed(secret))
