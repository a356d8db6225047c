"""`/events`: live updates."""

from fastapi import APIRouter, Depends, Request
from fastapi.responses import StreamingResponse

from furoshiki.faces.dashboard.access.current import viewer
from furoshiki.faces.dashboard.access.streams import EventStream

router = APIRouter(dependencies=[Depends(viewer)])


@router.get("/events")
@router.get("/api/v1/events", response_class=StreamingResponse)
async def events(request: Request, after: str = "") -> StreamingResponse:
    """What changes, as server-sent events: `change` with the topics that did; resumes at `Last-Event-ID`, or after
    the event that `after` names."""
    return EventStream(request, request.app.state.hub.changes(request.headers.get("last-event-id", after)))
