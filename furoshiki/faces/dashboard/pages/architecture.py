"""The page Architecture: the feedback loops with their states, and a simulator of feelings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from furoshiki.core import numbers
from furoshiki.core.catalogue import later
from furoshiki.core.pictures import charts
from furoshiki.core.pictures.charts import Chart
from furoshiki.faces.dashboard import loops, rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, viewer
from furoshiki.faces.dashboard.loops import FLEETING, Loop, Loops
from furoshiki.faces.overview.errors import NotThere
from furoshiki.faces.overview.rules import feeling_words, simulating
from furoshiki.faces.overview.rules.simulating import PRESETS, STEP, Simulated
from furoshiki.feelings import heartbeat
from furoshiki.feelings.rules.emotions import NAMES, Emotions
from furoshiki.mind.inner_life.rules import feelings_drawn
from furoshiki.world import World

PAGE = ("Architecture", "How it works: the loops, and a simulator of feelings", "System", 120)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])


BEGINNING = ""  # the group of loops at the top of the page; the others are folded


@dataclass(frozen=True)
class Row:
    """A loop in the diagram, between what is measured and what changes. The cell of an end spans so
    many rows; 0 where the row above has it already."""

    loop: Loop
    source_rows: int
    target_rows: int


def list_rows(every: Loops, group: str) -> list[Row]:
    """Return the diagram of a group: its loops by what is measured, then by what changes."""
    sources, targets = list(every.sources), list(every.targets)
    ordered = sorted(every.of(group), key=lambda loop: (sources.index(loop.source), targets.index(loop.target)))
    spans = _count_spans(loop.source for loop in ordered), _count_spans(loop.target for loop in ordered)
    return [Row(*one) for one in zip(ordered, *spans, strict=True)]


def _count_spans(ends: Iterable[str]) -> list[int]:
    """Return the length of each run of equal ends at its first one, and 0 at the others."""
    spans: list[int] = []
    for _end, run in groupby(ends):
        length = len(list(run))
        spans += [length, *[0] * (length - 1)]
    return spans


def _describe_loops(world: World) -> dict[str, Any]:
    """Return every loop with its last effect, and a diagram of each group."""
    every = loops.load_loops()
    titles = {BEGINNING: later("The four you notice first"), **every.groups}
    groups = [(name, title, list_rows(every, name)) for name, title in titles.items()]
    return {"loop_groups": groups, "every": every, "last": loops.last_effects(world), "fleeting": FLEETING}


def _one(world: World, name: str) -> dict[str, Any]:
    every = loops.load_loops()
    loop = every.get(name)
    if loop is None:
        raise NotThere(later("There is no such loop."), later("The Architecture page shows them all."))
    return {"it": loop, "state": loops.state(world, loop), "fleeting": FLEETING, "every": every}


@router.get("/architecture")
@router.get("/parts/architecture/loops")
def architecture(request: Request, world: CurrentWorld) -> HTMLResponse:
    """Show the loops."""
    return rendering.show(request, "architecture", "architecture_loops", **_describe_loops(world))


@router.get("/architecture/loops/{name}")
@router.get("/parts/architecture/loops/{name}")
def one_loop(request: Request, world: CurrentWorld, name: str) -> HTMLResponse:
    """Show one loop and its state."""
    return rendering.show(request, "architecture_loop", "architecture_state", **_one(world, name))


def _simulate(request: Request) -> dict[str, Any]:
    """Run the simulation of the form; values that are not numbers are ignored."""
    world: World = request.app.state.world()
    asked = request.query_params
    given = {name: value for name in NAMES if (value := numbers.decimal(asked.get(name, ""))) is not None}
    preset = asked.get("preset", "now")
    shown = run(world, preset, given, numbers.decimal(asked.get("hours", "")) or 0.0)
    chart = Markup(picture(world, shown["result"]).svg("light"))
    return {"sim": shown, "chart": chart, "presets": PRESETS, "preset": preset}


@router.get("/architecture/simulator")
@router.get("/parts/architecture/simulated")
def simulate(request: Request) -> HTMLResponse:
    """Show the emotion simulator; its result is fetched again while a slider moves."""
    sliding = request.url.path.startswith("/parts/")
    return rendering.show(request, "simulator", "simulated", **_simulate(request), sliding=sliding)


WIDTH = 720.0


def run(world: World, preset: str, given: Mapping[str, float], hours: float) -> dict[str, Any]:
    """Simulate from a preset (unknown: the present state), overridden by `given`. `tone` is what the mind
    would be told of the mood."""
    laws = world.laws
    beat = heartbeat.drift(laws, world.now)(world.state.heartbeat())
    known = preset if preset in simulating.PRESETS else "now"
    begin = simulating.preset(known, beat.emotions, laws).as_mapping()
    felt = {name: round(min(1.0, max(0.0, given.get(name, begin[name]))), 2) for name in NAMES}
    result = simulating.simulate(Emotions.from_mapping(felt), hours, laws, world.now)
    tone = world.prompts.render(f"_parts/mood/{result.mood}")
    return {
        "put_in": felt,
        "rests": laws.emotions.natural,
        "result": result,
        "name_need": feelings_drawn.name_need,
        "does": feeling_words.does,
        "tone": " ".join(tone.split()),
    }


def picture(world: World, result: Simulated) -> Chart:
    """Draw feelings and needs over the next day."""
    moments = result.ahead
    start, end = moments[0].at, moments[-1].at
    return charts.small_plots(
        feelings_drawn.groups(moments, world.laws, STEP),
        start=start,
        end=end,
        zone=world.zone,
        title="The next 24 hours, if nothing happens",
        description=feelings_drawn.in_words(moments, world.laws),
        width=WIDTH,
        ribbon=feelings_drawn.moods(moments, end, STEP),
    )
