"""Server-sent events for a visitor, within the session's limit of open streams."""

from collections.abc import AsyncIterator

from fastapi import Request
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from furoshiki.core.catalogue import Sentence, later
from furoshiki.faces.dashboard.access.guard import Gate
from furoshiki.faces.dashboard.access.limits import STREAMS
from furoshiki.faces.overview.errors import Refused


class EventStream(StreamingResponse):
    """An event stream; Refused instead if one session has more open than anybody looks at."""

    def __init__(self, request: Request, events: AsyncIterator[str]) -> None:
        super().__init__(events, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
        self._gate: Gate = request.app.state.gate
        self._who: str = request.state.visitor.session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events until they end or the client leaves."""
        limits = self._gate.limits
        if not limits.stream(self._who):
            words = Sentence(
                "{number} pages or programs of this session are already getting live updates; that is the limit.",
                number=STREAMS,
            )
            raise Refused(words, later("Close some of them, then load this page again."), 429, "too_many_streams")
        try:
            await super().__call__(scope, receive, send)
        finally:
            limits.stream_ended(self._who)
