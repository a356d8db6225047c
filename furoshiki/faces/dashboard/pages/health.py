"""The health check for external monitoring. Open to all."""

from fastapi import APIRouter, Request
from fastapi.responses import Response

from furoshiki.core.errors import StorageUnavailable
from furoshiki.faces.overview import health

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
def healthy(request: Request) -> Response:
    """Answer 200 while the database can be read, the brain runs and, if there is a bot, the
    listener; else 503. No body."""
    try:
        alive = health.alive(request.app.state.world())
    except StorageUnavailable:
        alive = False
    return Response(status_code=200 if alive else 503)
