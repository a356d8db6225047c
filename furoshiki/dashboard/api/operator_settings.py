"""`/api/v1/operator-settings`: what can be turned, where each value comes from, and turning it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Body, Depends, Request, Response
from pydantic import BaseModel

from furoshiki.core import settings
from furoshiki.core.settings import Settings
from furoshiki.dashboard.access.current import admin, viewer
from furoshiki.dashboard.errors import Conflict, NotThere
from furoshiki.maintenance import operator_settings
from furoshiki.maintenance.operator_settings import Locked
from furoshiki.world import World

router = APIRouter(prefix="/api/v1/operator-settings", tags=["operator-settings"])


class Setting(BaseModel):
    """A setting as it stands. `locked` says why it cannot be changed here; the value of a secret is never told."""

    name: str
    value: Any
    default: Any
    source: str
    locked: str | None
    tier: int
    restart_needed: bool
    help: str


@router.get("", dependencies=[Depends(viewer)])
def every() -> list[Setting]:
    """Every setting."""
    given = settings.effective()
    return [_told(name, given) for name in Settings.model_fields]


@router.put("/{name}", dependencies=[Depends(admin)])
def put(name: str, request: Request, value: Any = Body(embed=True)) -> Setting:  # noqa: B008
    """Give one a value. 409 when something else sets it, 422 for a value that does not fit."""
    return _changed(request, name, str(value))


@router.delete("/{name}", dependencies=[Depends(admin)], status_code=204)
def delete(name: str, request: Request) -> Response:
    """Return one to its default."""
    _changed(request, name, None)
    return Response(status_code=204)


def _changed(request: Request, name: str, text: str | None) -> Setting:
    field = name.lower()
    if field not in Settings.model_fields:
        raise NotThere(f"There is no setting {name!r}.", "GET /api/v1/operator-settings lists them.")
    world: World = request.app.state.world()
    try:
        operator_settings.change(world.settings.data, field, text)
    except Locked as error:
        raise Conflict(str(error), "Change it where it is set.") from error
    return _told(field, settings.effective())


def _told(name: str, given: dict[str, tuple[Any, str]]) -> Setting:
    found = Settings.model_fields[name]
    extra = found.json_schema_extra
    assert isinstance(extra, dict)
    value, source = given.get(name, (found.default, "default"))
    return Setting(
        name=name.upper(),
        value=None if extra["secret"] else value,
        default=found.default,
        source=source,
        locked=operator_settings.lock(name, given),
        tier=int(extra["tier"]),  # type: ignore[arg-type]
        restart_needed=bool(extra["restart"]),
        help=found.description or "",
    )
