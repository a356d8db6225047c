"""Who asks: what the endpoints want to know of it."""

from __future__ import annotations

from fastapi import Request

from furoshiki.dashboard.errors import MayNotChange, NotSignedIn
from furoshiki.dashboard.values import Visitor


def viewer(request: Request) -> Visitor:
    """Whoever was let in, in whichever role. Raises NotSignedIn."""
    visitor = getattr(request.state, "visitor", None)
    if not isinstance(visitor, Visitor):
        raise NotSignedIn
    return visitor


def admin(request: Request) -> Visitor:
    """Somebody who may change things. Raises NotSignedIn, MayNotChange."""
    visitor = viewer(request)
    if not visitor.is_admin:
        raise MayNotChange
    return visitor
