"""The light or dark theme, in a cookie; without it pages follow the system."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form
from fastapi.responses import RedirectResponse

from furoshiki.faces.dashboard.access.current import viewer
from furoshiki.faces.dashboard.flash import back

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

KEPT_S = 365 * 24 * 3600


@router.post("/theme")
def choose(theme: Annotated[str, Form()], back_to: Annotated[str, Form(alias="back")] = "/") -> RedirectResponse:
    """Save the choice and show the page again."""
    response = back(back_to)
    if theme in ("light", "dark"):
        response.set_cookie("theme", theme, max_age=KEPT_S, httponly=True, samesite="strict")
    return response
