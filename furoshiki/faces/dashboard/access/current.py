"""Dependencies of the endpoints: the visitor, the check of the CSRF token, and the world."""

import hmac
from typing import Annotated

from fastapi import Depends, Request

from furoshiki.core.catalogue import later
from furoshiki.faces.dashboard.access.rules.origin import SAFE
from furoshiki.faces.dashboard.values import Visitor
from furoshiki.faces.overview.errors import NotSignedIn, Refused
from furoshiki.world import World

FIELD, HEADER = "csrf", "x-csrf-token"  # the form field and the header with the CSRF token


async def viewer(request: Request) -> Visitor:
    """Return the visitor in any role. Raises NotSignedIn; Refused if a changing request lacks
    the CSRF token of this session."""
    visitor = getattr(request.state, "visitor", None)
    if not isinstance(visitor, Visitor):
        raise NotSignedIn
    if request.method not in SAFE and not visitor.by_token:
        given = request.headers.get(HEADER) or str((await request.form()).get(FIELD, ""))
        if not hmac.compare_digest(given.encode("utf-8", "surrogatepass"), visitor.csrf.encode()):
            words = later("This form is from an earlier sign-in, so nothing was done.")
            raise Refused(words, later("Reload the page, and send it from there."), 403, "csrf")
    return visitor


def admin(visitor: Annotated[Visitor, Depends(viewer)]) -> Visitor:
    """Return a visitor who may change things. Raises NotSignedIn, Refused."""
    if not visitor.is_admin:
        words = later("You are signed in as a viewer: you can see everything, but change nothing.")
        fix = later("Sign in with an admin link: `furoshiki dashboard --open`.")
        raise Refused(words, fix, 403, "viewer_may_not_change")
    return visitor


def find_world(request: Request) -> World:
    """Return the world with the present settings."""
    world: World = request.app.state.world()
    return world


# the parameter of an endpoint for the world with the present settings
CurrentWorld = Annotated[World, Depends(find_world)]
