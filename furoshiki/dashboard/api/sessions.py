"""What was said, by session: between two silences of twenty minutes, over all channels."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel

from furoshiki.dashboard.access.current import viewer
from furoshiki.dashboard.addresses import Cursor, Listed
from furoshiki.dashboard.errors import NotThere
from furoshiki.overview.store import conversation, sessions
from furoshiki.world import World

router = APIRouter(prefix="/api/v1/sessions", tags=["sessions"], dependencies=[Depends(viewer)])

Limit = Annotated[int, Query(ge=1, le=200)]


class Session(BaseModel):
    """One session. Its topics are known when it is over and has been read."""

    id: str
    started_at: datetime
    ended_at: datetime
    turns: int
    channels: list[str]
    topics: list[str]


class Sessions(Listed):
    """A page of them, the newest first; `next` is the cursor of the page after it."""

    items: list[Session]


class Turn(BaseModel):
    """One thing said. `kind` is text, command, reaction, silence, reminder, outreach and the like."""

    id: int
    channel: str
    speaker: str
    kind: str
    text: str
    at: datetime


class Turns(Listed):
    """A page of a session, the oldest first; `next` is the cursor of the page after it."""

    items: list[Turn]


@router.get("")
def everything(request: Request, cursor: Cursor = None, limit: Limit = 20) -> Sessions:
    """The sessions, the newest first."""
    world: World = request.app.state.world()
    with world.database.read() as db:
        found = sessions.newest(db, cursor, limit + 1)
    shown = found[:limit]
    items = [
        Session(
            id=one.session_id,
            started_at=one.started_at,
            ended_at=one.ended_at,
            turns=one.turns,
            channels=list(one.channels),
            topics=list(one.topics),
        )
        for one in shown
    ]
    return Sessions(items=items, next=str(shown[-1].first_turn) if len(found) > limit else None)


@router.get("/{session_id}/turns")
def said(request: Request, session_id: str, cursor: Cursor = None, limit: Limit = 50) -> Turns:
    """What was said in one session."""
    world: World = request.app.state.world()
    with world.database.read() as db:
        found = conversation.of_session(db, session_id, cursor or 0, limit + 1)
    if not found and cursor is None:
        raise NotThere("There is no such session.", "GET /api/v1/sessions lists them.")
    shown = found[:limit]
    items = [
        Turn(id=one.id, channel=one.channel, speaker=one.speaker, kind=one.kind, text=one.text, at=one.at)
        for one in shown
    ]
    return Turns(items=items, next=str(shown[-1].id) if len(found) > limit else None)
