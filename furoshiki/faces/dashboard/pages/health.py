"""Whether it lives, for monitoring from outside. Open to everybody."""

from fastapi import APIRouter, Request
from fastapi.responses import Response

from furoshiki.core.errors import StorageUnavailable
from furoshiki.faces.overview import health

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
def healthy(request: Request) -> Response:
    """Whether it lives, and nothing else to read: 200 while the database can be read, the brain runs and, where there
    is a bot, the listener does; else 503."""
    try:
        alive = health.alive(request.app.state.world())
    except StorageUnavailable:
        alive = False
    return Response(status_code=200 if alive else 503)
