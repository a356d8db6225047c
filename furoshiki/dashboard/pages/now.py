"""Now: how it is at this moment."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from furoshiki.conversation.commands import status
from furoshiki.dashboard import rendering
from furoshiki.dashboard.access.current import viewer
from furoshiki.feelings import heartbeat
from furoshiki.world import World

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])


def _heart(world: World) -> dict[str, object]:
    beat = heartbeat.drifted(world.laws, world.now)(world.state.heartbeat())
    return {
        "mood": beat.mood.word,
        "emotions": beat.emotions.as_mapping(),
        "needs": {name.removesuffix("_need"): (value, beat.need_marks.get(name)) for name, value in beat.needs.items()},
        "user_needs": beat.user_needs,
    }


@router.get("/")
def now(request: Request) -> HTMLResponse:
    """The whole page."""
    world: World = request.app.state.world()
    return rendering.page(request, "now", heart=_heart(world), status=200, health=status.gather(world)["health"])


@router.get("/parts/now/heart")
def heart(request: Request) -> HTMLResponse:
    """Feelings and needs as they are now."""
    return rendering.part(request, "now_heart", heart=_heart(request.app.state.world()))
