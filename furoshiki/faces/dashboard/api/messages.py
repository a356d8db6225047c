"""`/api/v1/messages`: send a message to the companion and follow its answer."""

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from furoshiki.faces.dashboard.access.current import CurrentWorld, admin, viewer
from furoshiki.faces.dashboard.addresses import Number
from furoshiki.faces.dashboard.pages.chat import LONGEST, post, stream_answer

router = APIRouter(prefix="/api/v1/messages")


class NewMessage(BaseModel):
    """A message for the companion. A repeated `once` key does not store it again."""

    text: str = Field(min_length=1, max_length=LONGEST)
    once: str = Field("", pattern=r"^([\w-]{8,64})?$")


@router.post("", status_code=202, dependencies=[Depends(admin)])
def say(world: CurrentWorld, message: NewMessage) -> dict[str, int | str]:
    """Store a message, which the mind process answers in the one shared conversation; return its id and
    the path of its answer's events."""
    envelope_id = post(world, message.text, message.once)
    return {"id": envelope_id, "events": f"/api/v1/messages/{envelope_id}/events"}


@router.get("/{envelope_id}/events", dependencies=[Depends(viewer)], response_class=StreamingResponse)
async def events(request: Request, envelope_id: Number) -> Response:
    """Stream the answer as server-sent events: `thinking`, `text` (all so far), `done` (result)."""
    return stream_answer(request, envelope_id)
