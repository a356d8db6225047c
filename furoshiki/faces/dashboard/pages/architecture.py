"""The page Architecture: the feedback loops with their states, and a simulator of feelings."""

from functools import cache
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from furoshiki.core import numbers
from furoshiki.core.catalogue import later
from furoshiki.faces.dashboard import loops, rendering, simulator
from furoshiki.faces.dashboard.access.current import CurrentWorld, viewer
from furoshiki.faces.dashboard.loops import FLEETING, Loop
from furoshiki.faces.dashboard.rules import loops_drawn
from furoshiki.faces.dashboard.rules.loops_drawn import Picture
from furoshiki.faces.overview.errors import NotThere
from furoshiki.faces.overview.rules.simulating import PRESETS
from furoshiki.feelings.rules.emotions import NAMES
from furoshiki.world import World

PAGE = ("Architecture", "How it works: the loops, and a simulator of feelings", "System", 120)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])


BEGINNING = ""
"""The group of loops at the top of the page; the others are folded."""


@cache
def _pictures() -> dict[str, Picture]:
    """Return the diagrams of each group and of the first loops; they are constant, so cached."""
    every = loops.load_loops()
    return {
        group: loops_drawn.draw_loops(
            [(loop.name, loop.source, loop.target, loop.into, loop.out) for loop in every.of(group)],
            every.sources,
            every.targets,
        )
        for group in (BEGINNING, *every.groups)
    }


def _describe_loops(world: World) -> dict[str, Any]:
    """Return every loop with its last effect, and a diagram of each group."""
    every, pictures = loops.load_loops(), _pictures()
    titles = {BEGINNING: later("The four you notice first"), **every.groups}
    groups = [(name, title, every.of(name), pictures[name]) for name, title in titles.items()]
    return {"loop_groups": groups, "every": every, "last": loops.last_effects(world), "fleeting": FLEETING}


def _one(world: World, name: str) -> dict[str, Any]:
    return {
        "it": _load_loop(name),
        "state": loops.state(world, name),
        "fleeting": FLEETING,
        "every": loops.load_loops(),
    }


def _load_loop(name: str) -> Loop:
    loop = loops.load_loops().get(name)
    if loop is None:
        raise NotThere(later("There is no such loop."), later("The Architecture page shows them all."))
    return loop


@router.get("/architecture")
def architecture(request: Request, world: CurrentWorld) -> HTMLResponse:
    """Show the loops."""
    return rendering.page(request, "architecture", **_describe_loops(world))


@router.get("/parts/architecture/loops")
def all_loops(request: Request, world: CurrentWorld) -> HTMLResponse:
    """Show the loops as a fragment, fetched again on changes."""
    return rendering.part(request, "architecture_loops", **_describe_loops(world))


@router.get("/architecture/loops/{name}")
def one_loop(request: Request, world: CurrentWorld, name: str) -> HTMLResponse:
    """Show one loop and its state."""
    _load_loop(name)
    return rendering.page(request, "architecture_loop", **_one(world, name))


@router.get("/parts/architecture/loops/{name}")
def how_it_stands(request: Request, world: CurrentWorld, name: str) -> HTMLResponse:
    """Show the state of a loop as a fragment, fetched again on changes."""
    _load_loop(name)
    return rendering.part(request, "architecture_state", **_one(world, name))


def _simulate(request: Request) -> dict[str, Any]:
    """Run the simulation of the form; values that are not numbers are ignored."""
    world: World = request.app.state.world()
    asked = request.query_params
    given = {name: value for name in NAMES if (value := numbers.decimal(asked.get(name, ""))) is not None}
    preset = asked.get("preset", "now")
    shown = simulator.run(world, preset, given, numbers.decimal(asked.get("hours", "")) or 0.0)
    chart = Markup(simulator.picture(world, shown).svg("light"))
    return {"sim": shown, "chart": chart, "presets": PRESETS, "preset": preset}


@router.get("/architecture/simulator")
def simulate(request: Request) -> HTMLResponse:
    """Show the emotion simulator."""
    return rendering.page(request, "simulator", **_simulate(request), sliding=False)


@router.get("/parts/architecture/simulated")
def simulate_again(request: Request) -> HTMLResponse:
    """Show the result as a fragment, fetched while a slider moves."""
    return rendering.part(request, "simulated", **_simulate(request), sliding=True)
