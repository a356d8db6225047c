"""`/events`: live updates."""

from fastapi import APIRouter, Depends, Request
from fastapi.responses import StreamingResponse

from furoshiki.faces.dashboard.access.current import viewer
from furoshiki.faces.dashboard.access.streams import EventStream

router = APIRouter(dependencies=[Depends(viewer)])


@router.get("/events")
@router.get("/api/v1/events", response_class=StreamingResponse)
async def events(request: Request, after: str = "") -> StreamingResponse:
    """Stream `change` events with the changed topics, as server-sent events; resume after the
    event with the id in `Last-Event-ID`, else in `after`."""
    return EventStream(request, request.app.state.hub.changes(request.headers.get("last-event-id", after)))
