"""Architecture: the feedback loops and how they stand, the processes, the way of a message, a simulator of feelings."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from furoshiki.dashboard import loops, rendering
from furoshiki.dashboard.access.current import viewer
from furoshiki.dashboard.errors import NotThere
from furoshiki.dashboard.loops import FLEETING, Loop
from furoshiki.dashboard.rules import loops_drawn
from furoshiki.world import World

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])


def _shown(world: World) -> dict[str, Any]:
    """Every loop with when it last had an effect, and a picture of each group."""
    every = loops.described()
    groups = [
        (
            name,
            title,
            every.of(name),
            loops_drawn.drawn(
                [(one.name, one.source, one.target, one.into, one.out) for one in every.of(name)],
                every.sources,
                every.targets,
            ),
        )
        for name, title in every.groups.items()
    ]
    return {"loop_groups": groups, "every": every, "last": loops.last_effects(world), "fleeting": FLEETING}


def _one(world: World, name: str) -> dict[str, Any]:
    return {"it": _found(name), "state": loops.state(world, name), "fleeting": FLEETING, "every": loops.described()}


def _found(name: str) -> Loop:
    found = loops.described().get(name)
    if found is None:
        raise NotThere("There is no such loop.", "The page Architecture shows them all.")
    return found


@router.get("/architecture")
def architecture(request: Request) -> HTMLResponse:
    """The loops."""
    return rendering.page(request, "architecture", **_shown(request.app.state.world()))


@router.get("/parts/architecture/loops")
def all_loops(request: Request) -> HTMLResponse:
    """The loops, fetched again when one has moved."""
    return rendering.part(request, "architecture_loops", **_shown(request.app.state.world()))


@router.get("/architecture/loops/{name}")
def one_loop(request: Request, name: str) -> HTMLResponse:
    """One loop: what it is, and how it stands."""
    _found(name)
    return rendering.page(request, "architecture_loop", **_one(request.app.state.world(), name))


@router.get("/parts/architecture/loops/{name}")
def how_it_stands(request: Request, name: str) -> HTMLResponse:
    """How a loop stands, fetched again when it has moved."""
    _found(name)
    return rendering.part(request, "architecture_state", **_one(request.app.state.world(), name))
