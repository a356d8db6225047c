"""The page Now: present state, attention, and why it last wrote first or did not."""

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from furoshiki.conversation.commands import status
from furoshiki.core.catalogue import say_sentence
from furoshiki.core.errors import FuroshikiError, StorageUnavailable
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, viewer
from furoshiki.faces.overview import current_state, health
from furoshiki.faces.overview.errors import NotThere
from furoshiki.faces.overview.rules import feeling_words
from furoshiki.mind.inner_life.store.wandered import BECAME
from furoshiki.mind.outreach.rules import explaining
from furoshiki.world import World

PAGE = ("Now", "How it is at this moment, and what it is attending to", "", 10)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])


def _describe_attention(world: World) -> dict[str, Any]:
    return {"attending": current_state.gather_attention(world), "came_from": feeling_words.source, "became": BECAME}


PARTS: dict[str, Callable[[World], dict[str, Any]]] = {
    "heart": lambda world: {"heart": current_state.heart(world)},
    "health": lambda world: {"state": status.gather(world), "stands_still": health.stands_still(world)},
    "messages": lambda world: {"said": current_state.messages(world)},
    "attention": _describe_attention,
    "outreach": lambda world: {"outreach": current_state.outreach(world), "explaining": explaining},
}
"""The parts of the page, each with the values of its template."""


@router.get("/")
def now(request: Request, world: CurrentWorld) -> HTMLResponse:
    """Show the page. A part that fails shows its reason, the others stay."""
    values: dict[str, Any] = {}
    failed = {}
    for name, gather in PARTS.items():
        try:
            values.update(gather(world))
        except StorageUnavailable:
            raise
        except FuroshikiError as error:
            failed[name] = say_sentence(error)
    return rendering.page(request, "now", failed=failed, **values)


@router.get("/parts/now/{name}")
def part(name: str, request: Request) -> HTMLResponse:
    """Show one present part as a fragment."""
    if name not in PARTS:
        raise NotThere
    try:
        return rendering.render_shared(request, f"now_{name}", PARTS[name])
    except StorageUnavailable:
        raise
    except FuroshikiError as error:
        return rendering.part(request, "now_refused", words=say_sentence(error))
