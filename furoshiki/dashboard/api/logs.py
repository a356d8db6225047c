"""`/api/v1/logs`: what the processes wrote down, newest first. Secrets were struck out when it was written."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel

from furoshiki.core.timestamps import stamp
from furoshiki.dashboard.access.current import viewer
from furoshiki.dashboard.addresses import Listed
from furoshiki.overview import logs as shown
from furoshiki.overview.logs import Wanted
from furoshiki.world import World

router = APIRouter(prefix="/api/v1/logs", tags=["logs"])


class Entry(BaseModel):
    """One thing that was logged; `plain` where it is a line without time and level of its own."""

    at: str
    process: str
    level: str
    logger: str
    message: str
    traceback: str
    plain: bool


class Entries(Listed):
    """A page of them; `next` leads to older ones. Without `complete` there may be more that fit, further back
    than is looked at for one page."""

    items: list[Entry]
    complete: bool


@router.get("", dependencies=[Depends(viewer)])
def logs(
    request: Request,
    level: Literal["debug", "info", "warning", "error", "critical"] = "info",
    process: Annotated[str | None, Query(max_length=100)] = None,
    since: datetime | None = None,
    words: Annotated[str, Query(max_length=200)] = "",
    cursor: Annotated[str | None, Query(max_length=100)] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> Entries:
    """Entries at least of a level, of one process or of all, since a moment, that hold all words."""
    world: World = request.app.state.world()
    moment = since if since is None or since.tzinfo else since.replace(tzinfo=world.now.tzinfo)
    wanted = Wanted(level, process, moment, words, cursor)
    found = shown.page(world.settings.data / "logs", wanted, world.settings.secrets(), limit)
    told = [
        Entry(
            at=stamp(one.at),
            process=one.process,
            level=one.level,
            logger=one.logger,
            message=one.message,
            traceback=one.traceback,
            plain=one.plain,
        )
        for one in found.entries
    ]
    return Entries(items=told, next=found.next, complete=found.all_read)
