"""`/api/v1/status`: the present status, as in `furoshiki status --json`."""

import json

from fastapi import APIRouter, Depends, Request, Response

from furoshiki.conversation.commands import status as gathering
from furoshiki.faces.dashboard.access.current import CurrentWorld, viewer
from furoshiki.faces.dashboard.etag import respond

router = APIRouter(prefix="/api/v1/status", dependencies=[Depends(viewer)])


@router.get("")
def status(request: Request, world: CurrentWorld) -> Response:
    """Return state and health as JSON, as `furoshiki status --json` does."""
    found = gathering.gather(world)
    return respond(request, json.dumps(found, default=str))
